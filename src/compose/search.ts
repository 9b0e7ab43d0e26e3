import { runAlone } from '../database/processes/alone.ts';
import { LessonIndex } from '../features/search/lesson-index.ts';
import { LessonTextStore } from '../features/search/text-store.ts';
import type { DatabaseParts } from './database.ts';
import type { LessonParts } from './lessons.ts';
import type { Surroundings } from './parts.ts';

/** What keeps the texts of the search up to date. */
export function composeSearch(
  { config }: Surroundings,
  { db, pool }: DatabaseParts,
  { lessons, repositories }: LessonParts,
) {
  const lessonIndex = new LessonIndex({
    store: new LessonTextStore(db),
    ...{ lessons, repositories },
    alone: (work) => runAlone(pool, 'search index', work),
    max: config.search.lessonCharacters,
  });
  return { lessonIndex };
}

export type SearchParts = ReturnType<typeof composeSearch>;
