import type { LessonService } from '../lessons/service.ts';
import type { DashboardStore } from './store.ts';

/** A user's days, courses and scores. The courses come from the catalogue in memory, so no statement counts their themes. */
export class Analytics {
  readonly #store: DashboardStore;
  readonly #lessons: LessonService;

  constructor(store: DashboardStore, lessons: LessonService) {
    this.#store = store;
    this.#lessons = lessons;
  }

  /** @param days the number of days, 1 for today alone */
  async of(caller: { id: number; role: string }, days: number) {
    const [figures, courses] = await Promise.all([
      this.#store.analytics(caller.id, days),
      this.#lessons.courseProgress(caller),
    ]);
    return { ...figures, courses };
  }
}
