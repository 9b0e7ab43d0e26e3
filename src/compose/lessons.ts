import { fileURLToPath } from 'node:url';
import { createLessonSource, createRepositorySource } from '../adapters/git/create-lesson-source.ts';
import { ProgressStore } from '../features/lessons/progress-store.ts';
import { LessonRepositories } from '../features/lessons/repositories.ts';
import { LessonService } from '../features/lessons/service.ts';
import { LessonStore } from '../features/lessons/store.ts';
import type { ClassParts } from './classes.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** The lessons. */
export function composeLessons(
  { config, overrides, log, cleanup }: Surroundings,
  { db, pool, feed, peers }: DatabaseParts,
  { courseAccess }: ClassParts,
) {
  const main =
    overrides.lessonSource ??
    createLessonSource({
      ...config.lessons,
      dataDir: config.dataDir,
      shippedFolder: fileURLToPath(new URL('../../content/lessons', import.meta.url)),
      log,
    });
  const { url, branch = null, sshKeyPath: _key, ...rest } = config.lessons;
  const repositories = cleanup.use(
    new LessonRepositories({
      main,
      create: (address, isTemporary) =>
        createRepositorySource({ ...rest, dataDir: config.dataDir, log }, address, isTemporary),
      isMain: (address) => address.url === url && address.branch === branch,
      max: config.lessons.maxRepositories,
    }),
  );
  // A copy that another process cannot refresh does not fail the refresh here.
  const refreshOthers = async () => void (await peers.ask('lessons', '', 1000 * config.lessons.timeoutSeconds));
  const lessons = new LessonService({
    store: new LessonStore(db),
    progress: new ProgressStore(pool),
    ...{ repositories, feed, courseAccess, refreshOthers },
    hasOnlyShippedLessons: overrides.lessonSource === undefined && url === undefined,
  });
  peers.answer('lessons', async () => (await repositories.refresh()).commit ?? undefined);
  return { main, repositories, refreshOthers, lessons };
}

export type LessonParts = ReturnType<typeof composeLessons>;
