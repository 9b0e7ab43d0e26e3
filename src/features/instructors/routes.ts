import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { AttemptKind } from '../../database/tables.ts';
import { callerOf } from '../../http/access/access.ts';
import { csvAnswer, sendCsv } from '../../http/lists/csv-answer.ts';
import { CursorQuery, PageQuery, pageOf, readPage, setCursorHeaders, setPageHeaders } from '../../http/lists/paging.ts';
import { orderOf, sortedPageOf, sortQuery } from '../../http/lists/sorting.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { forStaff, toAttempt, toResults, toRevision } from '../attempts/schema.ts';
import type { Overview, OverviewStore } from './overview-store.ts';
import {
  AddedTime,
  AssessmentSchema,
  CountedQuery,
  ExamGradeBookSchema,
  GradeBookQuery,
  LaboratoryGradeBookSchema,
  OverviewSchema,
  ResultFilterQuery,
  StudentAttemptSchema,
  StudentResultsSchema,
  WatchableQuery,
  WatchableSchema,
} from './schema.ts';
import { attemptKey, type InstructorService, moments, scoreKey, studentKey } from './service.ts';
import type { StuckStore } from './stuck-store.ts';

const tags = ['instructors'];
const BookQuery = Type.Object({
  ...GradeBookQuery.properties,
  ...sortQuery('username', 'score'),
  ...CursorQuery.properties,
});
const bookHelp =
  'By `score`, students without one are below all others. With more than 20,000 attempts it cannot be sorted by `score`: 409.';

function filterOf({ from, to, ...rest }: Static<typeof ResultFilterQuery>) {
  return { ...rest, ...moments({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }) };
}

/** The instructors' view of the students whom they see: attempts, grade books, and the containers that they can watch. */
export const instructorRoutes =
  (instructors: InstructorService): FastifyPluginAsyncTypebox =>
  async (app) => {
    type BookRequest = FastifyRequest & { params: Static<typeof IdParams>; query: Static<typeof BookQuery> };
    const gradeBook = async (kind: AttemptKind, request: BookRequest, reply: FastifyReply) => {
      const order = orderOf(request.query, { by: 'username', isDescending: false });
      const page = sortedPageOf(request, request.query, order, 'username');
      const { attempt: counted = 'best', search } = request.query;
      const choice = { counted, search, order };
      const book = await instructors.gradeBook(callerOf(request), kind, request.params.id, choice, page);
      setCursorHeaders(request, reply, page, book.students, order.by === 'score' ? scoreKey : studentKey);
      return { ...book, students: book.students.rows };
    };

    app.get('/api/instructor/attempts', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Attempts of all students, newest first or by `sort`',
        description:
          'By `score`, attempts without one are below all others. Up to 20,000 attempts can be sorted by another field than `started_at`; 409 for more.',
        querystring: Type.Object({
          ...ResultFilterQuery.properties,
          ...sortQuery('started_at', 'username', 'title', 'status', 'score'),
          ...CursorQuery.properties,
        }),
        response: { 200: Type.Array(StudentAttemptSchema), ...errors(401, 403, 404, 409) },
      },
      handler: async (request, reply) => {
        const { page: _page, page_size: _size, cursor: _cursor, sort, order, ...filter } = request.query;
        const by = sort ?? 'started_at';
        const wanted = { by, isDescending: by === 'started_at' ? order !== 'asc' : order === 'desc' };
        const page = sortedPageOf(request, request.query, wanted);
        const listed = await instructors.attempts(callerOf(request), filterOf(filter), page, wanted);
        setCursorHeaders(request, reply, page, listed, attemptKey(by));
        return listed.rows.map((row) => ({
          ...row,
          ...toAttempt(row, { containerId: row.container_id, audience: forStaff }),
        }));
      },
    });

    app.get('/api/instructor/attempts/export', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Attempts of all students as a CSV',
        description:
          'With the filters of the list. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
        querystring: ResultFilterQuery,
        response: { 200: csvAnswer('The attempts, newest first.'), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        sendCsv(reply, 'attempts', instructors.attemptsCsv(callerOf(request), filterOf(request.query))),
    });

    app.get('/api/instructor/attempts/:id', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: "A student's attempt with its results",
        params: IdParams,
        response: { 200: StudentResultsSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const graded = await instructors.attempt(callerOf(request), request.params.id);
        const { container_id, ...attempt } = graded.attempt;
        const shown = toResults(graded, { containerId: container_id, audience: forStaff });
        return { ...attempt, ...shown, state: graded.state ? toRevision(graded.state) : null };
      },
    });

    app.post('/api/instructor/attempts/:id/extend', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: "Add minutes to a student's attempt",
        description:
          "The student's page shows the new deadline. In an exam session the close of the session moves for this student as well, and only those who may change the session can do it. 409 unless the attempt is in progress and has a time limit.",
        params: IdParams,
        body: AddedTime,
        response: { 200: StudentResultsSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id } = request.params;
        const graded = await instructors.extend(callerOf(request), id, request.body.minutes);
        const { container_id, ...attempt } = graded.attempt;
        const shown = toResults(graded, { containerId: container_id, audience: forStaff });
        return { ...attempt, ...shown, state: graded.state ? toRevision(graded.state) : null };
      },
    });

    app.get('/api/instructor/containers', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Running containers of students, newest first',
        description: 'Their terminals can be watched at `/ws/terminal/{id}`. The student is notified.',
        querystring: Type.Object({ ...WatchableQuery.properties, ...PageQuery.properties }),
        response: { 200: Type.Array(WatchableSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const { page: _page, page_size: _size, ...filter } = request.query;
        const page = pageOf(request.query);
        const { rows, total } = await instructors.watchable(callerOf(request), filter, page);
        setPageHeaders(request, reply, page, total);
        return rows as Static<typeof WatchableSchema>[];
      },
    });

    app.get('/api/instructor/subjects', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Assessments with a grade book: exams, then laboratories, by title',
        description: 'Includes retired subjects and those without attempts.',
        querystring: PageQuery,
        response: { 200: Type.Array(AssessmentSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => instructors.subjects(callerOf(request), page)),
    });

    for (const [kind, plural, one, BookSchema] of [
      ['exam', 'exams', 'an exam', ExamGradeBookSchema],
      ['laboratory', 'laboratories', 'a laboratory', LaboratoryGradeBookSchema],
    ] as const) {
      app.get(`/api/instructor/${plural}/:id/grade-book`, {
        config: { access: 'instructor' },
        schema: {
          tags,
          summary: `Grades of ${one}: students by tasks`,
          description: `Pages contain students by username, or by \`sort\`. ${bookHelp} Retired ${plural} have a grade book as well.`,
          params: IdParams,
          querystring: BookQuery,
          response: { 200: BookSchema, ...errors(401, 403, 404, 409) },
        },
        handler: async (request, reply) => {
          const { assessment, ...book } = await gradeBook(kind, request, reply);
          return kind === 'exam' ? { exam: assessment, ...book } : { laboratory: assessment, ...book };
        },
      });

      app.get(`/api/instructor/${plural}/:id/grade-book/export`, {
        config: { access: 'instructor' },
        schema: {
          tags,
          summary: `The grade book of ${one} as a CSV`,
          description:
            'One line per student, one column per task with the points earned. The cell is empty if the task was not graded.',
          params: IdParams,
          querystring: CountedQuery,
          response: { 200: csvAnswer('The grades.'), ...errors(401, 403, 404) },
        },
        handler: async (request, reply) => {
          const { id } = request.params;
          const lines = await instructors.gradeBookCsv(callerOf(request), kind, id, request.query.attempt ?? 'best');
          return sendCsv(reply, `${kind}-${id}-grades`, lines);
        },
      });
    }
  };

/** The dashboard of instructors. */
export const overviewRoutes =
  (overviews: OverviewStore, stuck: StuckStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/instructor/overview', {
      config: { access: 'instructor', hasEntityTag: true },
      schema: {
        tags: ['instructors'],
        summary: 'Who is stuck, what waits, what runs, and what comes next',
        description:
          'Of the classes whose instructor or assistant the caller is, without archived ones; for administrators of the whole school. ' +
          'Each list has at most ten entries. Stuck is a student with 3 failed attempts of an exam or a laboratory of the class, ' +
          'none of them passed or active, or whose last completed lesson, in a course of the class with further lessons, is 7 days ago. ' +
          'Administrators get exams and laboratories only, from the newest failed attempts, and the trials of exams and laboratories that failed.',
        response: { 200: OverviewSchema, ...errors(401, 403) },
      },
      handler: async (request) => {
        const caller = callerOf(request);
        const [overview, { rows, total }] = await Promise.all([overviews.of(caller), stuck.of(caller)]);
        return { ...withDates(overview), stuck: rows, stuck_count: total };
      },
    });
  };

/** The times in the JSON of PostgreSQL are texts. */
function withDates({ results_to_release, failed_trials, open_sessions, upcoming_sessions, ...overview }: Overview) {
  const closing = <Row extends { closes_at: string }>(row: Row) => ({ ...row, closes_at: new Date(row.closes_at) });
  return {
    ...overview,
    results_to_release: results_to_release.map(closing),
    failed_trials: failed_trials.map((trial) => ({ ...trial, tried_at: new Date(trial.tried_at) })),
    open_sessions: open_sessions.map(closing),
    upcoming_sessions: upcoming_sessions.map((row) => ({ ...row, opens_at: new Date(row.opens_at) })),
  };
}
