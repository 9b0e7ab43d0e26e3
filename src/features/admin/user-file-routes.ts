import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { errors, Nullable } from '../../http/schemas.ts';
import { compileFields } from '../../http/validation.ts';
import { toUser, UserSchema } from '../auth/schema.ts';
import type { UserAdminService } from '../auth/user-admin-service.ts';
import { filterOf, ImportedUser, UserFilterQuery } from './user-schema.ts';

const ImportedUserSchema = Type.Object(
  {
    ...UserSchema.properties,
    password: Nullable(
      Type.String({
        description: 'The generated password, which is shown only this once. Null if the file contained one.',
      }),
    ),
  },
  { title: 'ImportedUser' },
);

/** Imports users from CSV and exports them to CSV. */
export const adminUserFileRoutes =
  (users: UserAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const validate = compileFields(ImportedUser);
    // Only for the routes of this plugin. A file is UTF-8.
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    app.post('/api/admin/users/import', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Create users from a CSV',
        description:
          'Columns `username,email,full_name,role` and, optionally, `password`, named in the first line; at most 500 users. Either all users are created or none: 422 lists all problems, with the line as the second part of `loc`.',
        consumes: ['text/csv'],
        body: Type.String(),
        response: { 201: Type.Array(ImportedUserSchema), ...errors(400, 401, 403, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const imported = await users.import(callerOf(request), request.body, (fields) =>
          validate(fields, 'body').map(({ loc, msg, type }) => ({ name: String(loc.at(-1)), msg, type })),
        );
        return reply
          .code(201)
          .send(imported.map(({ user, generatedPassword }) => ({ ...toUser(user), password: generatedPassword })));
      },
    });

    app.get('/api/admin/users/export', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Users as a CSV',
        description:
          'With the filters of the list. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
        querystring: UserFilterQuery,
        response: {
          200: { description: 'The users.', content: { 'text/csv': { schema: Type.String() } } },
          ...errors(401, 403),
        },
      },
      handler: async (request, reply) =>
        reply
          .header('Content-Disposition', 'attachment; filename="users.csv"')
          .type('text/csv; charset=utf-8')
          // The types declare the answer as text, but it is streamed.
          .send(Readable.from(users.export(filterOf(request.query))) as unknown as string),
    });
  };
