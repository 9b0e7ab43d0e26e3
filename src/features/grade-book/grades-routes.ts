import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { jsonOrCsv, prefersCsv, setCsvHeaders } from '../../http/lists/csv-answer.ts';
import { pageOf, setPageHeaders, setWholeListHeaders } from '../../http/lists/paging.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { GradeStatisticsService } from './grade-statistics.ts';
import { gradesCsv } from './grades-csv.ts';
import { ClassGradesSchema, GradesQuery, OwnGradesSchema, StatisticsQuery, StatisticsSchema } from './grades-schema.ts';
import type { ClassGradesService } from './grades-service.ts';

/** The grades of a class. */
export const classGradesRoutes =
  (grades: ClassGradesService, statistics: GradeStatisticsService): FastifyPluginAsyncTypebox =>
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
  };
