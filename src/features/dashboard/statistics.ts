import type { LessonService } from '../lessons/service.ts';
import type { DashboardStore } from './store.ts';

/** A user's figures. Themes are counted in the catalogue in memory, so that one statement reads only the user's own rows. */
export class Statistics {
  readonly #store: DashboardStore;
  readonly #lessons: LessonService;

  constructor(store: DashboardStore, lessons: LessonService) {
    this.#store = store;
    this.#lessons = lessons;
  }

  async of(caller: { id: number; role: string }) {
    const { theme_ids, days, today, ...figures } = await this.#store.stats(caller.id);
    return {
      ...(await this.#lessons.figures(caller, numbersIn(theme_ids))),
      ...figures,
      ...streaks(numbersIn(days), today),
    };
  }
}

const numbersIn = (text: string | null): number[] => (text === null ? [] : text.split(',').map(Number));

/** @param days ascending, each once, as numbers of days */
export function streaks(days: readonly number[], today: number) {
  let longest = 0;
  let length = 0;
  let before: number | undefined;
  for (const day of days) {
    length = day - 1 === before ? length + 1 : 1;
    longest = Math.max(longest, length);
    before = day;
  }
  const isCurrent = before !== undefined && before >= today - 1;
  return { current_streak_days: isCurrent ? length : 0, longest_streak_days: longest };
}
