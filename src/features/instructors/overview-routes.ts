import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { OverviewSchema } from './overview-schema.ts';
import type { Overview, OverviewStore } from './overview-store.ts';
import type { StuckStore } from './stuck-store.ts';

/** The dashboard of instructors. */
export const overviewRoutes =
  (overviews: OverviewStore, stuck: StuckStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/instructor/overview', {
      config: { access: 'instructor', hasEntityTag: true },
      schema: {
        tags: ['instructors'],
        summary: 'Who is stuck, what waits, what runs, and what comes next',
        description:
          'Of the classes whose instructor or assistant the caller is, without archived ones; for administrators of the whole school. ' +
          'Each list has at most ten entries. Stuck is a student with 3 failed attempts of an exam or a laboratory of the class, ' +
          'none of them passed or active, or whose last completed lesson, in a course of the class with further lessons, is 7 days ago. ' +
          'Administrators get exams and laboratories only, from the newest failed attempts, and the trials of exams and laboratories that failed.',
        response: { 200: OverviewSchema, ...errors(401, 403) },
      },
      handler: async (request) => {
        const caller = callerOf(request);
        const [overview, { rows, total }] = await Promise.all([overviews.of(caller), stuck.of(caller)]);
        return { ...withDates(overview), stuck: rows, stuck_count: total };
      },
    });
  };

/** The times in the JSON of PostgreSQL are texts. */
function withDates({ results_to_release, failed_trials, open_sessions, upcoming_sessions, ...overview }: Overview) {
  const closing = <Row extends { closes_at: string }>(row: Row) => ({ ...row, closes_at: new Date(row.closes_at) });
  return {
    ...overview,
    results_to_release: results_to_release.map(closing),
    failed_trials: failed_trials.map((trial) => ({ ...trial, tried_at: new Date(trial.tried_at) })),
    open_sessions: open_sessions.map(closing),
    upcoming_sessions: upcoming_sessions.map((row) => ({ ...row, opens_at: new Date(row.opens_at) })),
  };
}
