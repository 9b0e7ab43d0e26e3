import type { Static } from 'typebox';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { ForbiddenError } from '../../errors.ts';
import type { Condition, OpeningRule, OpeningStore } from './opening-store.ts';
import type { ProgressStore } from './progress-store.ts';
import type { ClosedSchema } from './schema.ts';

/** Undefined: anybody without an account. */
type Viewer = { id: number; role: string } | undefined;

/** Something that is closed: the time before which it does not open, and what the viewer has to complete. */
export type Closed = Static<typeof ClosedSchema>;

/** What is closed for a viewer, by `section:3`. */
export type ClosedParts = ReadonlyMap<string, Closed>;
const nothingClosed: ClosedParts = new Map();

/**
 * Decides what is open to whom. Every way to a lesson, an exam or a laboratory asks here. Only students, and visitors without an account,
 * are held up. Where nothing has an opening, no statement is run.
 */
export class Openings {
  readonly #store: OpeningStore;
  readonly #progress: Pick<ProgressStore, 'completedIds'>;
  readonly #rules: RowCache<'all', OpeningRule[]>;

  constructor(store: OpeningStore, progress: Pick<ProgressStore, 'completedIds'>, feed: ChangeFeed) {
    this.#store = store;
    this.#progress = progress;
    this.#rules = new RowCache<'all', OpeningRule[]>({
      feed,
      channel: 'catalogue_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  /** What is closed for a viewer now. A laboratory is closed while its section is. */
  async closedFor(viewer: Viewer): Promise<ClosedParts> {
    if (viewer && viewer.role !== 'student') return nothingClosed;
    const rules = await this.#rules.get('all', () => this.#store.rules());
    if (rules.length === 0) return nothingClosed;
    const conditions = rules.flatMap((rule) => rule.conditions);
    const passable = conditions.filter(isPassed).map(keyOf);
    const hasTimes = rules.some(({ opens_at, has_own_times }) => opens_at !== null || has_own_times);
    const hasOwnTimes = rules.some(({ has_own_times }) => has_own_times);
    const [own, done, passed, now] = await Promise.all([
      viewer && hasOwnTimes ? this.#store.ownTimes(viewer.id) : new Map<string, Date>(),
      viewer && conditions.length > 0 ? this.#progress.completedIds(viewer.id) : '',
      viewer && passable.length > 0 ? this.#store.passed(viewer.id, passable) : new Set<string>(),
      hasTimes ? this.#store.now() : new Date(0),
    ]);
    const completed = new Set(done.split(',').map(Number));
    const isMissing = (condition: Condition): boolean =>
      isPassed(condition) ? !passed.has(keyOf(condition)) : condition.theme_ids.some((theme) => !completed.has(theme));
    const closed = new Map<string, Closed>();
    for (const rule of rules) {
      const { kind, id, course_id } = rule;
      const time = own.get(`${kind}:${id}`) ?? rule.opens_at;
      const opens_at = time !== null && time > now ? time : null;
      const missing = rule.conditions.filter(isMissing).map(({ theme_ids: _ids, ...condition }) => condition);
      if (opens_at !== null || missing.length > 0)
        closed.set(`${kind}:${id}`, { kind, id, course_id, opens_at, missing });
    }
    for (const { kind, id, course_id, section_id } of rules) {
      const section = section_id === null ? undefined : closed.get(`section:${section_id}`);
      if (section) closed.set(`${kind}:${id}`, joined({ kind, id, course_id }, section, closed.get(`${kind}:${id}`)));
    }
    return closed;
  }

  /** Drops what is cached after another component has changed it. */
  forget(): void {
    this.#rules.forget();
  }
}

const isPassed = ({ kind }: Condition): boolean => kind === 'laboratory' || kind === 'exam';
const keyOf = ({ kind, id }: Condition): string => `${kind}:${id}`;

/** A laboratory with what its section waits for. */
function joined(part: Pick<Closed, 'kind' | 'id' | 'course_id'>, section: Closed, own: Closed | undefined): Closed {
  const times = [section.opens_at, own?.opens_at].flatMap((time) => time?.getTime() ?? []);
  const others = (own?.missing ?? []).filter(
    ({ kind, id }) => !section.missing.some((one) => one.kind === kind && one.id === id),
  );
  return {
    ...part,
    opens_at: times.length === 0 ? null : new Date(Math.max(...times)),
    missing: [...section.missing, ...others],
  };
}

/** @throws ForbiddenError where it is closed */
export function checkOpen(closed: Closed | undefined): void {
  if (!closed) return;
  const { opens_at, missing } = closed;
  const options = opens_at !== null && missing.length === 0 ? { retryAt: opens_at } : {};
  throw new ForbiddenError('opens_later', 'It is not open yet: GET /api/openings says what is missing', options);
}
