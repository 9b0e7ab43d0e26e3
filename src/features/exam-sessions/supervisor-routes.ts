import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { userChoiceFields, userChoiceOf } from '../../http/lists/user-choice.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id, IdParams, Timestamp } from '../../http/protocol/schemas.ts';
import { person } from './schema.ts';
import type { SupervisorStore } from './supervisor-store.ts';

const SupervisorSchema = Type.Object({ ...person, added_at: Timestamp }, { title: 'Supervisor' });
const NewSupervisor = Type.Object(userChoiceFields, { title: 'NewSupervisor' });
const Params = Type.Object({ id: Id, user_id: Id });

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
