import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Invalid } from '../../errors.ts';
import { callerOf } from '../../http/access.ts';
import { Done } from '../../http/fields.ts';
import { errors, Id, IdParams } from '../../http/schemas.ts';
import type { GradeBookStore } from './grade-book-store.ts';
import { type GradeImport, studentColumns } from './grade-import.ts';
import {
  BookChangeSchema,
  ColumnChange,
  ColumnSchema,
  GradeBookSchema,
  ImportedValues,
  NewColumn,
  ValueBody,
} from './grades-schema.ts';
import { keyed } from './grades-service.ts';

const ColumnParams = Type.Object({ id: Id, column_id: Id });
const ValueParams = Type.Object({ id: Id, column_id: Id, user_id: Id });

/** An import could not distinguish such a column from those that name the student. @throws Invalid */
function checkName({ name }: { name?: string }): void {
  if (name === undefined || !studentColumns.includes(name.toLowerCase())) return;
  const msg = 'Value error, this name is reserved for the import of values';
  throw new Invalid([{ loc: ['body', 'name'], msg, type: 'value_error' }]);
}

/** Changes of the grade book of a class. */
export const gradeBookRoutes =
  (books: GradeBookStore, imports: GradeImport): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/grade-columns';
    const forWhom = 'For instructors of the class and administrators.';
    // Only for the import of this plugin. A file is UTF-8.
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    app.put('/api/classes/:id/grade-book', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change the rules of a grade book: weights, what counts, who sees it',
        description: `Only the given fields, and only the given exams and laboratories. ${forWhom}`,
        params: IdParams,
        body: BookChangeSchema,
        response: { 200: GradeBookSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => keyed(await books.setRules(callerOf(request), request.params.id, request.body)),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Add a column with typed values to a grade book',
        description: forWhom,
        params: IdParams,
        body: NewColumn,
        response: { 201: ColumnSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        checkName(request.body);
        return reply.code(201).send(await books.createColumn(callerOf(request), request.params.id, request.body));
      },
    });

    app.put(`${path}/:column_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change a column of a grade book',
        description: `Only the given fields. The maximum is not less than a value of the column. ${forWhom}`,
        params: ColumnParams,
        body: ColumnChange,
        response: { 200: ColumnSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        checkName(request.body);
        const { id, column_id } = request.params;
        return await books.updateColumn(callerOf(request), id, column_id, request.body);
      },
    });

    app.delete(`${path}/:column_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a column of a grade book with its values',
        description: forWhom,
        params: ColumnParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, column_id } = request.params;
        await books.deleteColumn(callerOf(request), id, column_id);
        return { detail: 'Column deleted' };
      },
    });

    app.put(`${path}/:column_id/values/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Set the value of a student in a column of a grade book',
        description: forWhom,
        params: ValueParams,
        body: ValueBody,
        response: { 200: ValueBody, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id, ...where } = request.params;
        return await books.setValue(callerOf(request), id, { ...where, value: request.body.value });
      },
    });

    app.post(`${path}/import`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Import values of the columns of a grade book from a CSV',
        description: `The first line names the columns: \`username\`, \`email\` or both, and columns of the grade book; \`full_name\` is ignored. \`GET /api/classes/{id}/grades?format=columns\` has such a file. An empty cell leaves the value as it is, and \`-\` removes it. Either all lines are imported or none: 422 lists all problems, with the line as the second part of \`loc\`. ${forWhom}`,
        consumes: ['text/csv'],
        params: IdParams,
        body: Type.String(),
        response: { 200: ImportedValues, ...errors(401, 403, 404, 409, 413, 415) },
      },
      handler: async (request) => await imports.run(callerOf(request), request.params.id, request.body),
    });
  };
