import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { errors, IdParams, OneOf } from '../../http/protocol/schemas.ts';
import { acceptTables, TableBody, tableTypes } from '../../http/protocol/table-body.ts';
import { checkedBy } from '../../http/protocol/validation.ts';
import { choiceOf, ImportCheckSchema, RosterQuery } from '../tables/table-schema.ts';
import type { MemberChoice, MemberImport } from './member-import.ts';
import { ImportedMemberSchema, ImportedRole, ImportedStudent } from './schema.ts';

const MemberTableQuery = Type.Object({
  ...RosterQuery.properties,
  passwords: Type.Optional(OneOf('generated', 'invitations')),
});

const memberChoiceOf = ({ passwords = 'generated', ...rest }: Static<typeof MemberTableQuery>): MemberChoice => ({
  ...choiceOf(rest),
  passwords,
});

/** The import of a class's members from a file. */
export const memberImportRoutes =
  (imports: MemberImport): FastifyPluginAsyncTypebox =>
  async (app) => {
    const checks = { role: checkedBy(ImportedRole), user: checkedBy(ImportedStudent) };
    acceptTables(app);
    const file = { consumes: tableTypes, params: IdParams, querystring: MemberTableQuery, body: TableBody };
    const path = '/api/classes/:id/members/import';

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'Add the users of a CSV to a class',
        description:
          'Columns of `username,email,full_name,role`, named in the first line, in any order, also by other usual names; `role` is the one in the class, `student` if it is empty. Existing users are found by their username or e-mail address. Others are created as students; only instructors and administrators create accounts. `passwords` says what these get: a generated password (default; at most 500 lines) or, with `invitations`, the code of an invitation. The answer contains it once. A member keeps the role. Either all lines are imported or none: 422 lists the problems of all lines, with the line as the second part of `loc`. For instructors of the class and administrators.',
        ...file,
        response: { 200: Type.Array(ImportedMemberSchema), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.run(callerOf(request), params.id, body, memberChoiceOf(query), checks);
      },
    });

    app.post(`${path}/check`, {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'What an import of members would do',
        description:
          'Fields: `username`, `email`, `login` (either of them), `full_name` or several `name_part`, `role`. Columns are taken for what they seem to be. Nothing is written. For instructors of the class and administrators.',
        ...file,
        response: { 200: ImportCheckSchema, ...errors(401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.check(callerOf(request), params.id, body, memberChoiceOf(query), checks);
      },
    });
  };
