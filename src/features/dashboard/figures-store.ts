import { statusText } from '../../database/attempt-status.ts';
import { Batch, inOrder } from '../../database/connection/batch.ts';
import { PreparedStatement, type StatementPool } from '../../database/connection/prepared-statement.ts';
import { hasShownResults } from '../../database/exam-session-rules.ts';

/** The state of all rows that the figures of a user derive from, and the day. Equal states have equal figures, in every process. */
type State = { state: string };
type Figures = State & {
  exams_passed: number;
  exams_attempted: number;
  average_score_percent: number | null;
  laboratories_passed: number;
  active_containers: number;
  /** The completed themes, separated by commas, as are the days on which something was completed or submitted, in any order. */
  theme_ids: string | null;
  completed_days: string | null;
  submitted_days: string | null;
  /** Days since 1970 in UTC. */
  today: number;
};

const today = `(now() at time zone 'UTC')::date - date '1970-01-01'`;
const activeContainers = `(select count(*)::int from containers
  where containers.user_id = asked.user_id and containers.status in ('creating', 'running'))`;
/** Whether a result is shown can change by time alone, so it is a part of the state. */
const state = `concat_ws(' ', ${today}, ${activeContainers},
  coalesce((select version::text from progress_versions where progress_versions.user_id = asked.user_id), 'none'),
  (select sum(hash_record_extended((id, kind, assessment_id, title, status, submitted_at, score, max_score, passed, ${hasShownResults}), 0))
    from attempts where attempts.user_id = asked.user_id)) as state`;
const asked = 'unnest($1::integer[]) with ordinality as asked (user_id, place)';

const readStates = new PreparedStatement<[userIds: number[]], State & { place: number }>(
  'dashboard_states',
  `select place::integer, ${state} from ${asked}`,
);

/**
 * For each user of the batch the figures. Results that the session of an exam withholds do not count. Assessments that were deleted since count
 * by the title that their attempts store.
 */
const readFigures = new PreparedStatement<[userIds: number[]], Figures & { place: number }>(
  'dashboard_stats',
  `select place::integer, ${state}, progress.*, own.*, ${activeContainers} as active_containers, ${today} as today
  from ${asked} cross join lateral (
    select string_agg(theme_id::text, ',') as theme_ids,
      array_to_string(array_agg(distinct (completed_at at time zone 'UTC')::date - date '1970-01-01'), ',') as completed_days
    from theme_progress where theme_progress.user_id = asked.user_id and completed
  ) as progress cross join lateral (
    select count(distinct assessment) filter (where kind = 'exam')::int as exams_attempted,
      count(distinct assessment) filter (where kind = 'exam' and passed)::int as exams_passed,
      count(distinct assessment) filter (where kind = 'laboratory' and passed)::int as laboratories_passed,
      round(avg(100.0 * score / nullif(max_score, 0)) filter (where kind = 'exam'), 1)::float8 as average_score_percent,
      array_to_string(array_agg(distinct day) filter (where day is not null), ',') as submitted_days
    from (
      select kind, passed and ${hasShownResults} as passed, case when ${hasShownResults} then score end as score, max_score,
        coalesce(assessment_id::text, 'deleted ' || title) as assessment,
        case when ${statusText('isGraded')} then (submitted_at at time zone 'UTC')::date - date '1970-01-01' end as day
      from attempts where attempts.user_id = asked.user_id and ${statusText('isListed')}
    ) as attempts
  ) as own`,
);

/** What the figures of a user derive from. Each statement reads the user's own rows only, and concurrent reads share one. */
export class FiguresStore {
  readonly #stateOf: Batch<number, string>;
  readonly #figuresOf: Batch<number, Figures>;

  constructor(pool: StatementPool) {
    this.#stateOf = new Batch(async (userIds) =>
      inOrder(await readStates.run(pool, [...userIds])).map((row) => row.state),
    );
    this.#figuresOf = new Batch(async (userIds) =>
      inOrder(await readFigures.run(pool, [...userIds])).map(({ place: _place, ...figures }) => figures),
    );
  }

  /** The state of which the figures are known if an earlier read has returned the same. */
  async state(userId: number): Promise<string> {
    return await this.#stateOf.get(userId);
  }

  /** The figures with their state, both of one moment. */
  async figures(userId: number): Promise<Figures> {
    return await this.#figuresOf.get(userId);
  }
}
