import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { acceptTables, TableBody, tableTypes } from '../../http/protocol/media-types.ts';
import { errors, IdParams, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { checkedBy } from '../../http/protocol/validation.ts';
import type { InvitationService } from '../auth/registration/invitation-service.ts';
import { InvitationSchema } from '../auth/schema.ts';
import type { UserImports } from '../auth/users/import.ts';
import { listed } from '../tables/import-check.ts';
import { choiceOf, ImportCheckSchema, ProblemSchema, RosterQuery } from '../tables/table-schema.ts';
import { ImportedUser } from './user-schema.ts';

const UserImportSchema = Type.Object(
  {
    id: Type.Integer(),
    status: OneOf('running', 'done', 'cancelled', 'failed'),
    total: Type.Integer({ description: 'Users.' }),
    done: Type.Integer({ description: 'Users whose passwords are hashed, or who need none.' }),
    invited: Type.Integer({ description: 'Users of the import who have not set a password yet.' }),
    has_codes: Type.Boolean({ description: 'Whether codes were issued for any of those.' }),
    problems: Nullable(Type.Array(ProblemSchema, { description: 'Of a failed import.' })),
    created_at: Timestamp,
    finished_at: NullableTimestamp,
  },
  { title: 'UserImport' },
);

type Found = Awaited<ReturnType<UserImports['get']>>;
const shown = ({ actor_id: _actor, problems, ...rest }: Found) => ({
  ...rest,
  problems: problems?.map(listed) ?? null,
});

/** Imports of users in the background. */
export const adminUserImportRoutes =
  (imports: UserImports, invitations: InvitationService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const path = '/api/admin/user-imports';
    const check = checkedBy(ImportedUser);
    acceptTables(app);
    const file = { consumes: tableTypes, querystring: RosterQuery, body: TableBody };
    const fields =
      'Fields: `username`, `email`, `full_name` or several `name_part`, `role` (default: `student`), `password`.';

    app.post(`${path}/check`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'What an import of users would do',
        description: `${fields} Columns are taken for what they seem to be. Nothing is written.`,
        ...file,
        response: { 200: ImportCheckSchema, ...errors(401, 403, 413, 415, 503) },
      },
      handler: async (request) => await imports.check(request.body, choiceOf(request.query), check),
    });

    app.post(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Import users in the background',
        description: `${fields} Users without a password get an invitation. All are created at the end, or none: an import that is cancelled, or finds that a username or an address was taken meanwhile, creates nobody. It continues after a restart.`,
        ...file,
        response: { 202: UserImportSchema, ...errors(401, 403, 409, 413, 415, 503) },
      },
      handler: async (request, reply) =>
        reply
          .code(202)
          .send(shown(await imports.start(callerOf(request), request.body, choiceOf(request.query), check))),
    });

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'The last imports of users',
        description: 'The newest 50, newest first.',
        response: { 200: Type.Array(UserImportSchema), ...errors(401, 403) },
      },
      handler: async () => (await imports.list()).map(shown),
    });

    app.get(`${path}/:id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'An import of users, with its progress',
        params: IdParams,
        response: { 200: UserImportSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => shown(await imports.get(request.params.id)),
    });

    app.post(`${path}/:id/cancel`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Cancel an import of users',
        description: 'No user is created.',
        params: IdParams,
        response: { 200: UserImportSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => shown(await imports.cancel(request.params.id)),
    });

    app.post(`${path}/:id/invitations`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Issue invitations to the users of an import',
        description:
          'New codes for all who have not set a password yet. The answer has each code only this once: earlier codes become invalid.',
        params: IdParams,
        response: { 200: Type.Array(InvitationSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => await imports.invitations(request.params.id),
    });

    app.post('/api/admin/users/:id/invitation', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Issue an invitation to a user',
        description: 'The user sets a password with it. An earlier code becomes invalid; a password stays until then.',
        params: IdParams,
        response: { 201: InvitationSchema, ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await invitations.issue(callerOf(request), request.params.id)),
    });
  };
