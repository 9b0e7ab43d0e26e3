import { fileURLToPath } from 'node:url';
import { createLessonSource } from '../adapters/git/create-lesson-source.ts';
import { ProgressStore } from '../features/lessons/progress-store.ts';
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
  const source = cleanup.use(
    overrides.lessonSource ??
      createLessonSource({
        ...config.lessons,
        dataDir: config.dataDir,
        shippedFolder: fileURLToPath(new URL('../../content/lessons', import.meta.url)),
        log,
      }),
  );
  const lessons = new LessonService({
    store: new LessonStore(db),
    progress: new ProgressStore(pool),
    ...{ source, feed, courseAccess },
    // A copy that another process cannot refresh does not fail the refresh here.
    refreshOthers: async () => void (await peers.ask('lessons', '', 1000 * config.lessons.timeoutSeconds)),
  });
  peers.answer('lessons', async () => (await source.refresh()).commit ?? undefined);
  return { source, lessons };
}

export type LessonParts = ReturnType<typeof composeLessons>;
