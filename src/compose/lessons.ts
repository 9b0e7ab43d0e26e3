import { fileURLToPath } from 'node:url';
import { createBundle } from '../../packages/git-mirror/bundle.ts';
import { ConcurrencyLimiter } from '../../packages/limits/concurrency-limiter.ts';
import { acceptHostKey, createLessonSource, homeOf } from '../adapters/git/create-lesson-source.ts';
import { addressOf } from '../adapters/git/failures.ts';
import {
  checkRepository,
  createRepositorySource,
  probeRepository,
  removeRepositoryCopy,
} from '../adapters/git/repository-source.ts';
import { TextSeal } from '../database/sealed-text.ts';
import type { LessonRepository } from '../database/tables.ts';
import { overloaded, UnavailableError } from '../errors.ts';
import { RepositoryKeys } from '../features/lesson-repositories/keys.ts';
import { PushService } from '../features/lesson-repositories/push-service.ts';
import { PushStore } from '../features/lesson-repositories/push-store.ts';
import { LessonRepositories } from '../features/lesson-repositories/repositories.ts';
import type { MainRepository } from '../features/lesson-repositories/service.ts';
import { RepositoryStore } from '../features/lesson-repositories/store.ts';
import { OpeningStore } from '../features/lessons/opening-store.ts';
import { Openings } from '../features/lessons/openings.ts';
import { ProgressStore } from '../features/lessons/progress-store.ts';
import { LessonService } from '../features/lessons/service.ts';
import { LessonStore } from '../features/lessons/store.ts';
import { LessonFiles } from '../features/written-lessons/lesson-files.ts';
import { WrittenListStore } from '../features/written-lessons/list-store.ts';
import { WrittenService } from '../features/written-lessons/service.ts';
import { WrittenSource } from '../features/written-lessons/source.ts';
import { WrittenStore } from '../features/written-lessons/store.ts';
import type { AccountParts } from './accounts.ts';
import type { ClassParts } from './classes.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** The lessons. */
export function composeLessons(
  { config, overrides, log, cleanup }: Surroundings,
  { db, pool, feed, peers }: DatabaseParts,
  { secretKey }: AccountParts,
  { courseAccess }: ClassParts,
) {
  const { url, branch = null, sshKeyPath, ...rest } = config.lessons;
  const mainRepository: MainRepository = {
    ...{ url: url === undefined ? null : addressOf(url).url, branch },
    has_key: url !== undefined && (sshKeyPath !== undefined || addressOf(url).credentials !== undefined),
    ...{ commit: null, updated_at: null, error: null, failed_at: null },
  };
  const repositoryStore = new RepositoryStore(db, config.lessons.maxRepositories);
  const onUnstored = (error: unknown) => log.warn({ err: error }, 'the state of a lesson repository was not stored');
  const main =
    overrides.lessonSource ??
    createLessonSource({
      ...config.lessons,
      dataDir: config.dataDir,
      shippedFolder: fileURLToPath(new URL('../../content/lessons', import.meta.url)),
      log,
      report: (outcome) => {
        const failure = { error: null, failed_at: null };
        if ('error' in outcome) Object.assign(mainRepository, outcome, { failed_at: new Date() });
        else {
          Object.assign(mainRepository, failure, outcome, { updated_at: new Date() });
          if (outcome.commit !== null) repositoryStore.recordMain(outcome.commit).catch(onUnstored);
        }
      },
    });

  const options = { ...rest, dataDir: config.dataDir, log };
  const keys = new RepositoryKeys(new TextSeal(secretKey));
  const { maxFileBytes } = config.lessons;
  const writtenStore = new WrittenStore(db, config.catalogue.written);
  const writtenList = new WrittenListStore(db);
  const writtenSource = new WrittenSource({ list: writtenList, contents: writtenStore, feed, maxFileBytes });
  const accessOf = (repository: LessonRepository) => ({ ...repository, key: keys.open(repository) });
  const repositories = cleanup.use(
    new LessonRepositories({
      main,
      written: writtenSource,
      create: (repository, isTemporary) =>
        createRepositorySource(options, accessOf(repository), {
          isTemporary,
          report: (outcome) => {
            const { id, ...state } = repository;
            if (id === undefined) return;
            repositoryStore.record({ id, ...state }, outcome).catch(onUnstored);
          },
        }),
      check: checkRepository,
      isMain: (address) => address.url === url && address.branch === branch,
      max: config.lessons.maxRepositories,
    }),
  );
  // A copy that another process cannot refresh does not fail the refresh here.
  const refreshOthers = async () => void (await peers.ask('lessons', '', 1000 * config.lessons.timeoutSeconds));
  const progress = new ProgressStore(pool);
  const openings = new Openings(new OpeningStore(db), progress, feed);
  const lessons = new LessonService({
    store: new LessonStore(db),
    ...{ progress, openings, repositories, feed, courseAccess, refreshOthers },
    hasOnlyShippedLessons: overrides.lessonSource === undefined && url === undefined,
  });
  peers.answer('lessons', async () => (await repositories.refresh()).commit ?? undefined);
  peers.answer('host-key', async (text) => {
    const [at, fingerprint] = JSON.parse(text) as [string, string];
    return await acceptHostKey(options, at, fingerprint);
  });
  const pushes = new PushService({
    ...{ store: new PushStore(db), seal: new TextSeal(secretKey), mainBranch: branch },
    refresh: async (id) => {
      const row = id === null ? undefined : await repositoryStore.byId(id);
      if (id === null) await lessons.refresh();
      else if (row) await repositories.refreshOne(row);
      await refreshOthers();
    },
    onError: (error) => log.warn({ err: error }, 'a repository was not refreshed after a push'),
  });
  const repositoryParts = {
    ...{ store: repositoryStore, keys, repositories, refreshOthers },
    main: () => mainRepository,
    probe: (repository: LessonRepository) => probeRepository(options, accessOf(repository)),
    acceptHostKey: (at: string, fingerprint: string) => acceptHostKey(options, at, fingerprint),
    acceptElsewhere: async (...key: [url: string, fingerprint: string]) =>
      void (await peers.ask('host-key', JSON.stringify(key), 2000 * config.lessons.timeoutSeconds)),
    removeCopy: (repository: LessonRepository) => removeRepositoryCopy(options, repository),
  };
  const bundles = new ConcurrencyLimiter({ concurrency: 1, maxWaiting: 5 }, overloaded('Too many exports at once'));
  const written = new WrittenService({
    ...{ store: writtenStore, list: writtenList, source: writtenSource, lessons, repositories, maxFileBytes },
    bundle: (history) =>
      bundles.run(async () => {
        try {
          return await createBundle({ ...options, home: homeOf(options) }, history);
        } catch (cause) {
          throw new UnavailableError('unavailable', 'The Git bundle could not be created', { cause });
        }
      }),
  });
  const lessonFiles = new LessonFiles({ lessons, repositories });
  return { main, repositories, pushes, repositoryParts, refreshOthers, lessons, openings, written, lessonFiles };
}

export type LessonParts = ReturnType<typeof composeLessons>;
