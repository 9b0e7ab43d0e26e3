import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { csvAnswer, sendCsv } from '../../http/lists/csv-answer.ts';
import { acceptTables, TableBody, tableTypes } from '../../http/protocol/media-types.ts';
import { errors, Nullable } from '../../http/protocol/schemas.ts';
import { checkedBy } from '../../http/protocol/validation.ts';
import { toUser, UserSchema } from '../auth/schema.ts';
import type { UserAdminService } from '../auth/users/service.ts';
import { choiceOf, RosterQuery } from '../tables/table-schema.ts';
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
    const check = checkedBy(ImportedUser);
    acceptTables(app);

    app.post('/api/admin/users/import', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Create users from a CSV',
        description:
          'Columns `username,email,full_name,role` and, optionally, `password`, named in the first line, also by other usual names; at most 500 users. Passwords are hashed before the answer, a quarter of a second each: `POST /api/admin/user-imports` takes more users. Either all users are created or none: 422 lists the problems of all lines, with the line as the second part of `loc`.',
        consumes: tableTypes,
        querystring: RosterQuery,
        body: TableBody,
        response: { 201: Type.Array(ImportedUserSchema), ...errors(400, 401, 403, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const imported = await users.import(callerOf(request), request.body, choiceOf(request.query), check);
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
          200: csvAnswer('The users.'),
          ...errors(401, 403),
        },
      },
      handler: async (request, reply) => sendCsv(reply, 'users', users.export(filterOf(request.query))),
    });
  };
