import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { ForecastStore } from './forecast-store.ts';
import { ChosenForecast, ForecastQuery, ForecastSchema } from './schema.ts';
import type { ExamSessionService } from './service.ts';

const windowOf = ({ opens_at, closes_at }: { opens_at: string; closes_at: string }) => ({
  opens_at: new Date(opens_at),
  closes_at: new Date(closes_at),
});

/** What helps to plan an exam session. */
export const planRoutes =
  (forecasts: ForecastStore, service: ExamSessionService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];

    app.get('/api/exam-sessions/forecast', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The containers that an exam session of a class would need',
        description: 'For instructors of the class and administrators.',
        querystring: ForecastQuery,
        response: { 200: ForecastSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { class_id, ...times } = request.query;
        return await forecasts.ofClass(callerOf(request), class_id, windowOf(times));
      },
    });

    app.post('/api/exam-sessions/forecast', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'The containers that an exam session of chosen students would need',
        description: 'Users whom the caller cannot choose are not counted.',
        body: ChosenForecast,
        response: { 200: ForecastSchema, ...errors(401, 403, 415) },
      },
      handler: async (request) => {
        const { user_ids, ...times } = request.body;
        return await forecasts.ofChosen(callerOf(request), user_ids, windowOf(times));
      },
    });

    app.get('/api/exam-sessions/:id/calendar.ics', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'One exam session as a calendar',
        description: "An iCalendar file (RFC 5545) with times in UTC. For a student of the session, the student's own.",
        params: IdParams,
        response: {
          200: { description: 'The calendar.', content: { 'text/calendar': { schema: Type.String() } } },
          ...errors(401, 404),
        },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const calendar = await service.entry(callerOf(request), id, request.hostname);
        reply.header('Content-Disposition', `attachment; filename="exam-session-${id}.ics"`);
        return reply.type('text/calendar; charset=utf-8').send(calendar);
      },
    });
  };
