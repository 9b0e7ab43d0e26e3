import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { jsonOrCsv, prefersCsv, setCsvHeaders } from '../../http/lists/csv-answer.ts';
import { pageOf, readPage, setPageHeaders, setWholeListHeaders } from '../../http/lists/paging.ts';
import { orderOf } from '../../http/lists/sorting.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { ClassCopyStore } from './copy-store.ts';
import { progressCsv } from './progress-csv.ts';
import type { ClassProgressStore } from './progress-store.ts';
import {
  ClassArchiving,
  ClassChange,
  ClassCopy,
  ClassListQuery,
  ClassProgressSchema,
  ClassSchema,
  CopyDatesQuery,
  MovedDateSchema,
  NewClass,
  ProgressQuery,
} from './schema.ts';
import type { ClassStore } from './store.ts';

/** Classes, for their members and those who see all of them. */
export const classRoutes =
  (classes: ClassStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];

    app.get('/api/classes', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's classes, by name or by `sort`",
        description: 'Instructors and administrators get all classes.',
        querystring: ClassListQuery,
        response: { 200: Type.Array(ClassSchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const order = orderOf(request.query, { by: 'name', isDescending: false });
        return await readPage(request, reply, (page) =>
          classes.list(callerOf(request), { ...request.query, order }, page),
        );
      },
    });

    app.post('/api/classes', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Create a class',
        description: 'The caller becomes its instructor.',
        body: NewClass,
        response: { 201: ClassSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => reply.code(201).send(await classes.create(callerOf(request), request.body)),
    });

    app.post('/api/classes/archive', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Archive several classes, such as those of a term: all or none',
        description:
          'Returned in the order of `class_ids`. 422 names each class that the caller may not change, by its place. For instructors of the classes and administrators.',
        body: ClassArchiving,
        response: { 200: Type.Array(ClassSchema), ...errors(401, 403, 415) },
      },
      handler: async (request) => {
        const { class_ids, is_archived = true } = request.body;
        return await classes.archive(callerOf(request), class_ids, is_archived);
      },
    });

    app.get('/api/classes/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'One class',
        params: IdParams,
        response: { 200: ClassSchema, ...errors(401, 404) },
      },
      handler: async (request) => await classes.get(callerOf(request), request.params.id),
    });

    app.put('/api/classes/:id', {
      config: {
        access: 'user',
        readOnly: {
          fields: ['id', 'is_grade_book_visible', 'my_role', 'created_at'],
          read: (request) => classes.get(callerOf(request), (request.params as { id: number }).id),
        },
      },
      schema: {
        tags,
        summary: 'Change a class',
        description:
          'Only the given fields. Others of the class may be sent back as they are; a different value is 422 `read_only`. For instructors of the class and administrators.',
        params: IdParams,
        body: ClassChange,
        response: { 200: ClassSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => await classes.update(callerOf(request), request.params.id, request.body),
    });

    app.delete('/api/classes/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a class',
        description:
          'Attempts and progress of its members are kept. 409 while somebody takes an exam in a session of the class. For instructors of the class and administrators.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => await done(classes.delete(callerOf(request), request.params.id), 'Class deleted'),
    });
  };

/** Copies of classes, term after term. */
export const classCopyRoutes =
  (classes: ClassStore, copies: ClassCopyStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/copy';
    const forWhom = 'For instructors of the class and administrators.';

    app.get(`${path}/dates`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The dates that a copy of a class would have, the first one first',
        description: `Nothing is created. ${forWhom}`,
        params: IdParams,
        querystring: CopyDatesQuery,
        response: { 200: Type.Array(MovedDateSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => await copies.dates(callerOf(request), request.params.id, request.query),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Copy a class for another term, its dates moved',
        description: `With its courses, exam sessions, deadlines of laboratories, rules and columns of the grade book, and announcements; completely or not at all. Without members, accommodations, join codes, attempts and grades. The caller becomes its instructor. An archived class can be copied; the copy is not archived. ${forWhom}`,
        params: IdParams,
        body: ClassCopy,
        response: { 201: ClassSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const caller = callerOf(request);
        const id = await copies.copy(caller, request.params.id, request.body);
        return reply.code(201).send(await classes.get(caller, id));
      },
    });
  };

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
