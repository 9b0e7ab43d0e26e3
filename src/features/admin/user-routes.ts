import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ForbiddenError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { CursorQuery, isWhole, setCursorHeaders } from '../../http/lists/paging.ts';
import { orderOf, sortedPageOf, sortKey, sortQuery } from '../../http/lists/sorting.ts';
import { SerializedLists } from '../../http/protocol/entity-tag.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, FullName, IdParams } from '../../http/protocol/schemas.ts';
import { RegisterBody, toUser, UserSchema } from '../auth/schema.ts';
import type { UserAdminService } from '../auth/users/service.ts';
import { filterOf, NewUser, Role, UserFilterQuery } from './user-schema.ts';

const { email, password } = RegisterBody.properties;
type ListedUser = Awaited<ReturnType<UserAdminService['list']>>['rows'][number];
const ListQuery = Type.Object({
  ...UserFilterQuery.properties,
  ...sortQuery('id', 'username', 'last_login_at'),
  ...CursorQuery.properties,
});
/** What a row is sorted by. PostgreSQL compares usernames in its own lower case. */
const sortValue = (
  by: string,
  { username, last_login_at }: { username: string; last_login_at: Date | null },
): string => (by === 'username' ? username : (last_login_at?.toISOString() ?? '-infinity'));
const RoleChange = Type.Object({ role: Role }, { title: 'RoleChange' });
const Changes = Type.Partial(Type.Object({ full_name: FullName, email, is_active: Type.Boolean(), password }), {
  title: 'UserChanges',
});

export const adminUserRoutes =
  (users: UserAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const kept = new SerializedLists<ListedUser>();
    const readNew = queryOrBody(NewUser);
    const readRole = queryOrBody(RoleChange);
    const readChanges = queryOrBody(Changes);

    app.get('/api/admin/users', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Users, in the order of their ids or by `sort`',
        querystring: ListQuery,
        response: { 200: Type.Array(UserSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const order = orderOf(request.query, { by: 'id', isDescending: false });
        const page = sortedPageOf(request, request.query, order);
        const listed = await users.list(filterOf(request.query), page, order);
        setCursorHeaders(request, reply, page, listed, (row) => sortKey(order.by, sortValue(order.by, row), row.id));
        // A whole list is not kept.
        if (isWhole(request.query)) return listed.rows.map(toUser);
        const serialize = (): string =>
          reply.serializeInput(listed.rows.map(toUser) as unknown as Record<string, unknown>, '200') as string;
        // The rows of a page that has not changed are the same array again.
        const answer = kept.of(listed.rows, '', serialize);
        // The declared type of the answer is a list; it is serialised already.
        return reply.type(answer.type).send(answer.read() as never);
      },
    });

    app.get('/api/admin/users/:id', {
      config: { access: 'admin' },
      schema: { tags, summary: 'One user', params: IdParams, response: { 200: UserSchema, ...errors(401, 403, 404) } },
      handler: async (request) => toUser(await users.get(request.params.id)),
    });

    app.post('/api/admin/users', {
      config: { access: 'admin', fields: NewUser },
      schema: {
        tags,
        summary: 'Create a user',
        description: 'A student without `role`. A username or e-mail address that is taken is 400, as at registration.',
        response: { 201: UserSchema, ...errors(400, 401, 403, 415, 503) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(toUser(await users.create(callerOf(request), { role: 'student', ...readNew(request) }))),
    });

    app.put('/api/admin/users/:id/role', {
      config: { access: 'admin', fields: RoleChange },
      schema: {
        tags,
        summary: "Change a user's role",
        description: 'Takes effect with the next request. The last active administrator cannot be demoted: 409.',
        params: IdParams,
        response: { 200: UserSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) =>
        toUser(await users.setRole(callerOf(request), request.params.id, readRole(request).role)),
    });

    app.put('/api/admin/users/:id', {
      config: {
        access: 'admin',
        fields: Changes,
        readOnly: {
          fields: ['id', 'username', 'role', 'avatar_url', 'created_at', 'last_login_at'],
          read: async ({ params }) => toUser(await users.get((params as { id: number }).id)),
        },
      },
      schema: {
        tags,
        summary: 'Change a user',
        description:
          'Omitted fields are unchanged. The other fields of a user may be sent back as they are; a different value is 422 `read_only`. A new password or a deactivation invalidates all older tokens. 409: the last active administrator cannot be deactivated.',
        params: IdParams,
        response: { 200: UserSchema, ...errors(400, 401, 403, 404, 409, 415, 503) },
      },
      handler: async (request) => {
        const caller = callerOf(request);
        const changes = readChanges(request);
        const isOfLogin = changes.password !== undefined || changes.email !== undefined;
        if (caller.tokenScopes && caller.id === request.params.id && isOfLogin)
          throw new ForbiddenError(
            'scope',
            'A personal token changes neither the password nor the address of its user',
          );
        return toUser(await users.update(caller, request.params.id, changes));
      },
    });

    app.delete('/api/admin/users/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a user',
        description:
          "The user's containers, progress, attempts and activity are deleted as well. Where the settings have `has_kept_results`, ended attempts, points, grades and places in classes stay under a pseudonym, an inactive user without a name; deleting that one is final. The last active administrator cannot be deleted: 409.",
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => await done(users.delete(callerOf(request), request.params.id), 'User deleted'),
    });
  };
