import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { InvalidError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { jsonOrCsv, prefersCsv, setCsvHeaders } from '../../http/lists/csv-answer.ts';
import { pageOf, setPageHeaders, setWholeListHeaders } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { acceptTables, TableBody, tableTypes } from '../../http/protocol/media-types.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { choiceOf, ImportCheckSchema, TableQuery } from '../tables/table-schema.ts';
import type { GradeBookStore } from './grade-book-store.ts';
import type { GradeComparisonService } from './grade-comparison.ts';
import { type GradeImport, studentColumns } from './grade-import.ts';
import type { GradeStatisticsService } from './grade-statistics.ts';
import { gradesCsv } from './grades-csv.ts';
import {
  BookChangeSchema,
  ClassGradesSchema,
  ColumnChange,
  ColumnSchema,
  ComparisonQuery,
  ComparisonSchema,
  GradeBookSchema,
  GradesQuery,
  ImportedValues,
  NewColumn,
  OwnGradesSchema,
  StatisticsQuery,
  StatisticsSchema,
  ValueBody,
} from './grades-schema.ts';
import { type ClassGradesService, keyed } from './grades-service.ts';

const ColumnParams = Type.Object({ id: Id, column_id: Id });
const ValueParams = Type.Object({ id: Id, column_id: Id, user_id: Id });

/** An import could not distinguish such a column from those that name the student. @throws InvalidError */
function checkName({ name }: { name?: string }): void {
  if (name === undefined || !studentColumns.includes(name.toLowerCase())) return;
  throw new InvalidError([refusedField(['body', 'name'], 'name_reserved')]);
}

/** Changes of the grade book of a class. */
export const gradeBookRoutes =
  (books: GradeBookStore, imports: GradeImport): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/grade-columns';
    const forWhom = 'For instructors of the class and administrators.';
    acceptTables(app);

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
        return await done(books.deleteColumn(callerOf(request), id, column_id), 'Column deleted');
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

    const file = { consumes: tableTypes, params: IdParams, querystring: TableQuery, body: TableBody };
    app.post(`${path}/import`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Import values of the columns of a grade book from a CSV',
        description: `The first line names the columns: \`username\`, \`email\` or both, and columns of the grade book; \`full_name\` is ignored. \`GET /api/classes/{id}/grades?format=columns\` has such a file. An empty cell leaves the value as it is, and \`-\` removes it. Either all lines are imported or none: 422 lists the problems of all lines, with the line as the second part of \`loc\`. ${forWhom}`,
        ...file,
        response: { 200: ImportedValues, ...errors(401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.run(callerOf(request), params.id, body, choiceOf(query));
      },
    });

    app.post(`${path}/import/check`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'What an import of values would do',
        description: `Fields: \`username\`, \`email\`, \`full_name\`, \`name_part\` and those of the grade book, such as \`column_7\`. Columns are taken for what they seem to be. Nothing is written. ${forWhom}`,
        ...file,
        response: { 200: ImportCheckSchema, ...errors(401, 403, 404, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params, query, body } = request;
        return await imports.check(callerOf(request), params.id, body, choiceOf(query));
      },
    });
  };

/** The grades of a class. */
export const classGradesRoutes =
  (
    grades: ClassGradesService,
    statistics: GradeStatisticsService,
    comparison: GradeComparisonService,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];

    app.get('/api/classes/:id/grades', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The grades of the students of a class: students by exams and laboratories of its courses',
        description:
          'By username, or by `sort`. A grade is a graded attempt, whenever it was made: the best, the last or the first one, by the settings of the exam or laboratory in the grade book. As JSON, or with `Accept: text/csv` all students that the filters choose as a CSV, with one column for each exam, laboratory and column that contains the score, and is empty without a grade. `format` has others. A cell that a spreadsheet would take for a formula begins with an apostrophe. Not for students.',
        params: IdParams,
        querystring: GradesQuery,
        response: {
          200: jsonOrCsv('The grades.', ClassGradesSchema),
          ...errors(401, 403, 404),
        },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const { format = 'all', ...query } = request.query;
        if (prefersCsv(request, reply)) {
          const all = await grades.read(callerOf(request), id, query);
          setWholeListHeaders(request, reply, all.students.total);
          setCsvHeaders(reply, format === 'all' ? `class-${id}-grades` : `class-${id}-grades-${format}`);
          return reply.send(gradesCsv(all, format));
        }
        const page = pageOf(query);
        const { students, ...found } = await grades.read(callerOf(request), id, query, page);
        setPageHeaders(request, reply, page, students.total);
        return reply.type('application/json; charset=utf-8').send({ ...found, students: students.rows });
      },
    });

    app.get('/api/classes/:id/grades/mine', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's own grades in a class",
        description:
          'For students of the class, if its instructor shows the grades. Results that an exam session does not show yet are left out.',
        params: IdParams,
        response: { 200: OwnGradesSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await grades.own(callerOf(request), request.params.id),
    });

    app.get('/api/classes/:id/grades/statistics', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The distribution of the grades of a class, and how each task works',
        description: 'Of the percentages, or of one exam, laboratory or column. Not for students.',
        params: IdParams,
        querystring: StatisticsQuery,
        response: { 200: StatisticsSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { item = 'total' } = request.query;
        return await statistics.read(callerOf(request), request.params.id, item);
      },
    });

    app.get('/api/classes/:id/grades/comparison', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The grades of a class beside those of another one, such as of another term',
        description:
          'Of each exam and laboratory that both have: how many students have a grade, how good they are, how many passed, and each task. For those who see the grades of both classes.',
        params: IdParams,
        querystring: ComparisonQuery,
        response: { 200: ComparisonSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await comparison.read(callerOf(request), [request.params.id, request.query.with]),
    });
  };
