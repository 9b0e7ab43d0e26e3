import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { BreakService } from './break-service.ts';
import { AttemptBreakSchema } from './schema.ts';

/** The breaks of students in their exams. */
export const breakRoutes =
  (breaks: BreakService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/exams/attempts/:id/break';
    const tags = ['exams'];

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "Start a break in the caller's attempt",
        description:
          'The clock is stopped, and terminals are held. The break ends at `break_ends_at` at the latest: when its time is used up, or when the session closes. It does not move the close. A break that is running continues. 409 without time for breaks, and while the session is paused.',
        params: IdParams,
        response: { 200: AttemptBreakSchema, ...errors(401, 404, 409) },
      },
      handler: async (request) => await breaks.start(callerOf(request), request.params.id),
    });

    app.delete(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "End the break in the caller's attempt",
        description: 'The clock continues, unless the session is paused. 409 if no break is running.',
        params: IdParams,
        response: { 200: AttemptBreakSchema, ...errors(401, 404, 409) },
      },
      handler: async (request) => await breaks.end(callerOf(request), request.params.id),
    });
  };
