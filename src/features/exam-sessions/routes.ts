import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams, Nullable } from '../../http/protocol/schemas.ts';
import type { ForecastStore } from './forecast-store.ts';
import {
  ChosenForecast,
  ForecastQuery,
  ForecastSchema,
  NewSession,
  SessionChange,
  SessionListQuery,
  SessionSchema,
  withDates,
} from './schema.ts';
import type { ExamSessionService } from './service.ts';
import type { ExamSessionStore } from './store.ts';

/** Exam sessions, for their members. */
export const examSessionRoutes =
  (
    sessions: ExamSessionStore,
    service: ExamSessionService,
    schoolTimeZone: string | undefined,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/exam-sessions';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The exam sessions of the caller and of the caller's classes, the last to open first",
        description: 'Administrators get all, and so do instructors unless `INSTRUCTOR_SCOPE=classes`.',
        querystring: SessionListQuery,
        response: { 200: Type.Array(SessionSchema), ...errors(401) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => sessions.list(callerOf(request), request.query, page)),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Plan an exam session',
        description:
          'For a class (`class_id`) or for chosen students (`user_ids`). From then on, its students start the exam only in sessions of theirs; the first session that an administrator or the staff of its course plans makes the exam `is_session_only`. For a class: for its instructors and administrators. For chosen students: for instructors and administrators; the caller is the instructor of the session.',
        body: NewSession,
        response: { 201: SessionSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { opens_at, closes_at, ...fields } = request.body;
        const times = { opens_at: opens_at === null ? null : new Date(opens_at), closes_at: new Date(closes_at) };
        return reply.code(201).send(await service.create(callerOf(request), { ...fields, ...times }));
      },
    });

    app.get(`${path}/calendar.ics`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The exam sessions of the caller and of the caller's classes as a calendar",
        description:
          'An iCalendar file (RFC 5545) with times in UTC. For students, their own times, and the deadlines of their laboratories.',
        response: {
          200: { description: 'The calendar.', content: { 'text/calendar': { schema: Type.String() } } },
          ...errors(401),
        },
      },
      handler: async (request, reply) => {
        const calendar = await service.calendar(callerOf(request), request.hostname);
        reply.header('Content-Disposition', 'attachment; filename="exam-sessions.ics"');
        return reply.type('text/calendar; charset=utf-8').send(calendar);
      },
    });

    app.get(`${path}/time-zone`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The time zone of the school',
        description: 'An IANA name (`SCHOOL_TIME_ZONE`). Times in answers are in UTC.',
        response: {
          200: Type.Object({ school_time_zone: Nullable(Type.String()) }, { title: 'SchoolTimeZone' }),
          ...errors(401),
        },
      },
      handler: async () => ({ school_time_zone: schoolTimeZone ?? null }),
    });

    app.get(`${path}/:id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'One exam session',
        params: IdParams,
        response: { 200: SessionSchema, ...errors(401, 404) },
      },
      handler: async (request) => await sessions.get(callerOf(request), request.params.id),
    });

    app.put(`${path}/:id`, {
      config: {
        access: 'user',
        readOnly: {
          fields: ['id', 'exam_id', 'class_id', 'is_paused', 'is_released', 'my_role', 'created_at'],
          read: (request) => sessions.get(callerOf(request), (request.params as { id: number }).id),
        },
      },
      schema: {
        tags,
        summary: 'Change an exam session',
        description:
          'Only the given fields. Others of the session may be sent back as they are; a different value is 422 `read_only`. The deadlines of attempts that run move with it. For instructors of the class or the session and administrators.',
        params: IdParams,
        body: SessionChange,
        response: { 200: SessionSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => await service.update(callerOf(request), request.params.id, withDates(request.body)),
    });

    app.delete(`${path}/:id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete an exam session',
        description:
          'Ended attempts are kept; students see no more of their results than before. 409 with unfinished attempts. For instructors of the class or the session and administrators.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(service.delete(callerOf(request), request.params.id), 'Exam session deleted'),
    });
  };

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
        summary: 'The containers that an exam session of a class would need, and whose sessions clash with it',
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
        summary: 'The containers that an exam session of chosen students would need, and whose sessions clash with it',
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
