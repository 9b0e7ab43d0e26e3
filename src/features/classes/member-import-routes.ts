import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { errors, IdParams } from '../../http/schemas.ts';
import { compileFields } from '../../http/validation.ts';
import type { MemberImport } from './member-import.ts';
import { ImportedMemberSchema, ImportedRole, ImportedStudent } from './schema.ts';

const checkOf = (schema: object) => {
  const validate = compileFields(schema);
  return (fields: Record<string, unknown>) =>
    validate(fields, 'body').map(({ loc, msg, type }) => ({ name: String(loc.at(-1)), msg, type }));
};

/** The import of a class's members from CSV. */
export const memberImportRoutes =
  (imports: MemberImport): FastifyPluginAsyncTypebox =>
  async (app) => {
    const checks = { role: checkOf(ImportedRole), user: checkOf(ImportedStudent) };
    // Only for the route of this plugin. A file is UTF-8.
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    app.post('/api/classes/:id/members/import', {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'Add the users of a CSV to a class',
        description:
          'Columns of `username,email,full_name,role`, named in the first line, in any order; `role` is the one in the class, `student` if it is empty. At most 500 lines. Existing users are found by their username or e-mail address. Others are created as students, with a generated password that the answer contains once; only instructors and administrators create accounts. A member keeps the role. Either all lines are imported or none: 422 lists all problems, with the line as the second part of `loc`. For instructors of the class and administrators.',
        consumes: ['text/csv'],
        params: IdParams,
        body: Type.String(),
        response: { 200: Type.Array(ImportedMemberSchema), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => await imports.run(callerOf(request), request.params.id, request.body, checks),
    });
  };
