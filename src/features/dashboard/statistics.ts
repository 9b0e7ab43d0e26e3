import { LRUCache } from 'lru-cache';
import type { CatalogueView } from '../lessons/catalogue.ts';
import type { LessonService } from '../lessons/service.ts';
import type { FiguresStore } from './figures-store.ts';
import type { DashboardStore } from './store.ts';

type Kept<Answer> = { state: string; answer: Answer };

/** Users whose answers are kept, for each view of the catalogue. An answer takes less than a kilobyte. */
const maxKept = 5000;

/**
 * A user's figures. Themes are counted in the catalogue in memory. An answer is kept for as long as nothing has changed that it derives
 * from, which is asked at each request: the catalogue, the user's rows and the day.
 */
export class Statistics<Answer extends object> {
  readonly #store: FiguresStore;
  readonly #lessons: Pick<LessonService, 'viewOf'>;
  /** An answer lives no longer than its view of the catalogue. */
  readonly #answers = new WeakMap<CatalogueView, LRUCache<number, Kept<Answer>>>();

  constructor(store: FiguresStore, lessons: Pick<LessonService, 'viewOf'>) {
    this.#store = store;
    this.#lessons = lessons;
  }

  /** @param toAnswer is not called while the kept answer is valid */
  async answer(
    caller: { id: number; role: string },
    toAnswer: (statistics: ReturnType<typeof statisticsOf>) => Answer,
  ): Promise<Answer> {
    const view = await this.#lessons.viewOf(caller);
    const answers = this.#answers.get(view) ?? new LRUCache<number, Kept<Answer>>({ max: maxKept });
    this.#answers.set(view, answers);
    const known = answers.get(caller.id);
    if (known && known.state === (await this.#store.state(caller.id))) return known.answer;
    const { state, ...figures } = await this.#store.figures(caller.id);
    const answer = toAnswer(statisticsOf(view, figures));
    answers.set(caller.id, { state, answer });
    return answer;
  }
}

type Read = Omit<Awaited<ReturnType<FiguresStore['figures']>>, 'state'>;

function statisticsOf(view: CatalogueView, read: Read) {
  const { theme_ids, completed_days, submitted_days, today, ...figures } = read;
  const days = new Set([...numbersIn(completed_days), ...numbersIn(submitted_days)]);
  return {
    ...view.figures(numbersIn(theme_ids)),
    ...figures,
    ...streaks(
      [...days].sort((a, b) => a - b),
      today,
    ),
  };
}

const numbersIn = (text: string | null): number[] => (text ? text.split(',').map(Number) : []);

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
