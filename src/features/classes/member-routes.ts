import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { Invalid } from '../../errors.ts';
import { callerOf } from '../../http/access.ts';
import { Done } from '../../http/fields.ts';
import { pageOf, setPageHeaders } from '../../http/paging.ts';
import { errors, Id, IdParams } from '../../http/schemas.ts';
import type { ClassMemberStore, MemberChoice } from './member-store.ts';
import { MemberChange, MemberListQuery, MemberSchema, NewMember } from './schema.ts';

const MemberParams = Type.Object({ id: Id, user_id: Id });

/** @throws Invalid unless the body names the user in exactly one way */
function choiceOf({ user_id, username }: Static<typeof NewMember>): MemberChoice {
  if (user_id !== undefined && username === undefined) return { user_id };
  if (user_id === undefined && username !== undefined) return { username };
  const isMissing = user_id === undefined;
  const msg = isMissing ? 'Field required' : 'Value error, a member is given by user_id or by username, not by both';
  throw new Invalid([{ loc: ['body', 'user_id'], msg, type: isMissing ? 'missing' : 'value_error' }]);
}

/** The members of a class. */
export const classMemberRoutes =
  (members: ClassMemberStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/members';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The members of a class, by username',
        description: 'Not for students.',
        params: IdParams,
        querystring: MemberListQuery,
        response: { 200: Type.Array(MemberSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await members.list(callerOf(request), request.params.id, request.query, page);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Add a user to a class',
        description:
          'With `user_id` or `username`; as a student by default. For instructors of the class and administrators.',
        params: IdParams,
        body: NewMember,
        response: { 201: MemberSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { body, params } = request;
        const member = await members.add(callerOf(request), params.id, choiceOf(body), body.role ?? 'student');
        return reply.code(201).send(member);
      },
    });

    app.put(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "Change a member's role in a class",
        description: 'The role of the user outside the class stays. For instructors of the class and administrators.',
        params: MemberParams,
        body: MemberChange,
        response: { 200: MemberSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await members.setRole(callerOf(request), id, user_id, request.body.role);
      },
    });

    app.delete(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Remove a member from a class, or leave it',
        description:
          "The member's attempts and progress are kept. Others than the caller are removed by instructors of the class and administrators.",
        params: MemberParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        await members.remove(callerOf(request), id, user_id);
        return { detail: 'Member removed' };
      },
    });
  };
