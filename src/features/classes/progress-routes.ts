import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { jsonOrCsv, prefersCsv, setCsvHeaders } from '../../http/lists/csv-answer.ts';
import { pageOf, setPageHeaders, setWholeListHeaders } from '../../http/lists/paging.ts';
import { orderOf } from '../../http/lists/sorting.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { progressCsv } from './progress-csv.ts';
import type { ClassProgressStore } from './progress-store.ts';
import { ClassProgressSchema, ProgressQuery } from './schema.ts';

/** What the students of a class have done. */
export const classProgressRoutes =
  (progress: ClassProgressStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/classes/:id/progress', {
      config: { access: 'user' },
      schema: {
        tags: ['classes'],
        summary: 'The progress of the students of a class: lessons, exams and laboratories of its courses',
        description:
          'Pages contain students by username or by `sort`; `counts` are those of all students. As JSON, or with `Accept: text/csv` all students as a CSV, with one column for each exam and laboratory that contains the best score. `not_begun`: nothing completed and no attempt; `stuck`: `stuck_after` ended attempts of one exam or laboratory without passing it; `finished`: all lessons completed, all exams and laboratories passed. Not for students.',
        params: IdParams,
        querystring: ProgressQuery,
        response: {
          200: jsonOrCsv('The progress.', ClassProgressSchema),
          ...errors(401, 403, 404),
        },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const { state, stuck_after: stuckAfter = 3 } = request.query;
        const order = orderOf(request.query, { by: 'username', isDescending: false });
        const choice = { state, stuckAfter, order };
        if (prefersCsv(request, reply)) {
          const all = await progress.read(callerOf(request), id, choice);
          setWholeListHeaders(request, reply, all.students.total);
          setCsvHeaders(reply, `class-${id}-progress`);
          return reply.send(progressCsv(all));
        }
        const page = pageOf(request.query);
        const found = await progress.read(callerOf(request), id, choice, page);
        setPageHeaders(request, reply, page, found.students.total);
        return reply.type('application/json; charset=utf-8').send({ ...found, students: found.students.rows });
      },
    });
  };
