import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { userChoiceFields, userChoiceOf } from '../../http/lists/user-choice.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id, IdParams, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { person, SessionSchema, UserIds } from './schema.ts';
import type { ExamSessionStore } from './store.ts';
import type { SupervisorStore } from './supervisor-store.ts';
import { nameProblems, type SessionUserStore } from './user-store.ts';

const CandidateSchema = Type.Object(person, { title: 'ExamCandidate' });
const ChosenStudentSchema = Type.Object(
  { ...person, added_at: Timestamp, attempts: Type.Integer({ description: 'In the session.' }) },
  { title: 'ChosenStudent' },
);
const FoundNamesSchema = Type.Object(
  {
    students: Type.Array(CandidateSchema),
    problems: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The place of the name in the request, from 0.' }),
        problem: OneOf(...nameProblems),
      }),
    ),
  },
  { title: 'FoundNames' },
);
const q = Type.String({ minLength: 1, maxLength: 200, description: 'Part of a username, a full name or an address.' });
const NameList = Type.Object(
  { names: Type.Array(Type.String({ minLength: 1, maxLength: 320 }), { minItems: 1, maxItems: 10_000 }) },
  { title: 'NameList' },
);
const Params = Type.Object({ id: Id, user_id: Id });

/** The students of exam sessions without a class, and those who can be chosen for one. */
export const sessionUserRoutes =
  (users: SessionUserStore, sessions: ExamSessionStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/exam-sessions/:id/users';
    const ofClass = '409 for a session of a class.';
    const forWhom = 'For instructors of the session and administrators.';

    app.get('/api/exam-sessions/candidates', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Students whom the caller can choose for an exam session, by username',
        description:
          'At most 20. With `INSTRUCTOR_SCOPE=classes` instructors can choose the students of their classes.',
        querystring: Type.Object({ q }),
        response: { 200: Type.Array(CandidateSchema), ...errors(401, 403) },
      },
      handler: async (request) => await users.search(callerOf(request), request.query.q),
    });

    app.post('/api/exam-sessions/candidates', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'The students of a list of usernames and email addresses',
        description: 'Each student once, in the order of the list, and the names that cannot be chosen.',
        body: NameList,
        response: { 200: FoundNamesSchema, ...errors(401, 403, 415) },
      },
      handler: async (request) => await users.byNames(callerOf(request), request.body.names),
    });

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The chosen students of an exam session, by username',
        description: `Not for students. ${ofClass}`,
        params: IdParams,
        querystring: Type.Object({ q: Type.Optional(q), ...PageQuery.properties }),
        response: { 200: Type.Array(ChosenStudentSchema), ...errors(401, 403, 404, 409) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => users.list(callerOf(request), request.params.id, request.query, page)),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Add students to an exam session',
        description: `Those who are chosen already stay. 422 names users whom the caller cannot choose. ${ofClass} ${forWhom}`,
        params: IdParams,
        body: Type.Object({ user_ids: UserIds }, { title: 'NewChosenStudents' }),
        response: { 200: SessionSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        await users.add(callerOf(request), request.params.id, request.body.user_ids);
        return await sessions.get(callerOf(request), request.params.id);
      },
    });

    app.delete(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Remove a student from an exam session',
        description: `An attempt that has begun continues, and is kept. ${ofClass} ${forWhom}`,
        params: Params,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await done(users.remove(callerOf(request), id, user_id), 'Student removed');
      },
    });
  };

const SupervisorSchema = Type.Object({ ...person, added_at: Timestamp }, { title: 'Supervisor' });
const NewSupervisor = Type.Object(userChoiceFields, { title: 'NewSupervisor' });

/** Those who supervise exam sessions without a class. */
export const supervisorRoutes =
  (supervisors: SupervisorStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/exam-sessions/:id/supervisors';
    const ofClass = '409 for a session of a class.';
    const forWhom = 'For supervisors of the session and administrators.';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The supervisors of an exam session for chosen students, by username',
        description: `Not for students. All at once; at most 20 with the creator. ${ofClass}`,
        params: IdParams,
        response: { 200: Type.Array(SupervisorSchema), ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => await supervisors.list(callerOf(request), request.params.id),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Add a supervisor to an exam session for chosen students',
        description: `An active instructor or administrator, with \`user_id\` or \`username\`; others are not found. ${ofClass} ${forWhom}`,
        params: IdParams,
        body: NewSupervisor,
        response: { 201: SupervisorSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { body, params } = request;
        return reply.code(201).send(await supervisors.add(callerOf(request), params.id, userChoiceOf(body)));
      },
    });

    app.delete(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Remove a supervisor from an exam session, or stop supervising it',
        description: `The last one whose account is active stays: 409. ${ofClass} ${forWhom}`,
        params: Params,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await done(supervisors.remove(callerOf(request), id, user_id), 'Supervisor removed');
      },
    });
  };
