import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access.ts';
import { addVary, negotiate } from '../../http/negotiation.ts';
import { PageQuery, pageOf, setPageHeaders, setWholeListHeaders } from '../../http/paging.ts';
import { errors, IdParams } from '../../http/schemas.ts';
import { gradesCsv } from './grades-csv.ts';
import { ClassGradesSchema } from './grades-schema.ts';
import type { ClassGradesStore } from './grades-store.ts';
import { CsvText } from './schema.ts';

/** The grade book of a class. */
export const classGradesRoutes =
  (grades: ClassGradesStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/classes/:id/grades', {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'The grades of the students of a class: students by exams and laboratories of its courses',
        description:
          'Pages contain students by username. A grade is the graded attempt with the highest score, whenever it was made. As JSON, or with `Accept: text/csv` all students as a CSV, with one column for each exam and laboratory that contains the score, and is empty without a grade. A cell that a spreadsheet would take for a formula begins with an apostrophe. Not for students.',
        params: IdParams,
        querystring: PageQuery,
        response: {
          200: {
            description: 'The grades.',
            content: { 'application/json': { schema: ClassGradesSchema }, 'text/csv': { schema: CsvText } },
          },
          ...errors(401, 403, 404),
        },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        addVary(reply, 'Accept');
        if (negotiate(request.headers.accept, ['application/json', 'text/csv']) === 'text/csv') {
          const all = await grades.read(callerOf(request), id);
          setWholeListHeaders(request, reply, all.students.total);
          reply.header('Content-Disposition', `attachment; filename="class-${id}-grades.csv"`);
          return reply.type('text/csv; charset=utf-8').send(gradesCsv(all));
        }
        const page = pageOf(request.query);
        const { students, ...found } = await grades.read(callerOf(request), id, page);
        setPageHeaders(request, reply, page, students.total);
        return reply.type('application/json; charset=utf-8').send({ ...found, students: students.rows });
      },
    });
  };
