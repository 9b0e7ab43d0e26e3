import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { SerializedLists, sendTagged, toAnswer } from '../../http/protocol/entity-tag.ts';
import { AsyncPreference, prefersAsync, setAsyncApplied } from '../../http/protocol/preferences.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import { QueuedSchema, seesChecks, toResults, toStarted } from '../attempts/schema.ts';
import { kinds } from './kinds.ts';
import { ExamEntry, toAssessment } from './schema.ts';
import type { AssessmentService } from './service.ts';
import type { AssessmentWithTasks } from './store.ts';

/** The assessments of one kind, below `/api/exams` or `/api/laboratories`. */
export const assessmentRoutes =
  (assessments: AssessmentService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { kind } = assessments;
    const { plural, isPractice, AssessmentWithTasks, Started, Results, about } = kinds[kind];
    const path = `/api/${plural}`;
    const tags = [plural];

    await app.register(isPractice ? practiceRoutes(assessments) : listRoutes(assessments));

    app.get(`${path}/:id`, {
      config: { access: 'catalogue', hasEntityTag: true },
      schema: {
        tags,
        summary: `One ${kind} with its tasks`,
        description:
          'During an attempt its user gets it as it was at the start of the attempt. While it is closed for a student (`GET /api/openings`), the texts of its tasks are hidden as well. ' +
          (isPractice
            ? ''
            : 'An exam that starts for a student in exam sessions only has its tasks without their texts (`description` null, `is_locked` true) until an attempt of the student runs or has ended.'),
        params: IdParams,
        response: { 200: AssessmentWithTasks, ...errors(401, 404) },
      },
      handler: async ({ user, params }) => {
        const assessment = await assessments.get(user, params.id);
        const isLocked = !isPractice && (await assessments.isLocked(user, assessment.id));
        return toAssessment(assessment, user, {
          open: await assessments.openTasks(user, assessment),
          isLocked,
          solutions: await assessments.solutions(user, assessment),
          seed: await assessments.seed(user, assessment),
        });
      },
    });

    app.post(`${path}/:id/start`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: about.starting,
        description: about.start,
        params: IdParams,
        headers: AsyncPreference,
        ...(isPractice ? {} : { body: ExamEntry }),
        response: {
          ...(isPractice ? { 200: Started } : {}),
          ...{ 201: Started, 202: QueuedSchema },
          ...errors(401, 403, 404, 409, 503),
          ...(isPractice ? {} : errors(415, 429)),
        },
      },
      handler: async (request, reply) => {
        const { session_id: sessionId, access_code: accessCode } = (request.body ?? {}) as Static<typeof ExamEntry>;
        const { login } = callerOf(request);
        const entry = { sessionId, accessCode, address: request.clientAddress, login };
        const options = { mayQueue: prefersAsync(request), entry };
        const started = await assessments.start(callerOf(request), request.params.id, options);
        if (!('attempt' in started)) {
          setAsyncApplied(reply);
          return reply.code(202).send({ ...started, status: 'queued' });
        }
        const body = { [`${kind}_id`]: request.params.id, ...toStarted(started) };
        return reply.code(started.isNew ? 201 : 200).send(body);
      },
    });

    app.post(`${path}/:id/submit`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Submit the active attempt for grading',
        description:
          'Returns the full results. The grading continues if the client disconnects. 503: the grading failed; the work is kept, ' +
          'and the attempt can be submitted again.',
        params: IdParams,
        response: { 200: Results, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => {
        const graded = await assessments.submit(callerOf(request), request.params.id);
        return toResults(graded, graded);
      },
    });
  };

const listRoutes =
  (exams: AssessmentService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const whole = new SerializedLists<AssessmentWithTasks>();
    app.get('/api/exams', {
      config: { access: 'catalogue', hasEntityTag: true },
      schema: {
        tags: ['exams'],
        summary: 'Exams with their tasks',
        description: 'Texts of tasks are hidden as in `GET /api/exams/{id}`.',
        querystring: PageQuery,
        response: { 200: Type.Array(kinds.exam.AssessmentWithTasks), ...errors(401) },
      },
      handler: async (request, reply) => {
        const list = await exams.list(request.user);
        const locked = await exams.locked(request.user);
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, list.length);
        const serialize = (some: readonly AssessmentWithTasks[]): string => {
          const shown: unknown = some.map((exam) =>
            toAssessment(exam, request.user, { isLocked: locked.has(exam.id) }),
          );
          return reply.serializeInput(shown as Record<string, unknown>, '200') as string;
        };
        const isWhole = list.length <= page.limit && page.offset === 0;
        const body = isWhole
          ? whole.of(list, seesChecks(request.user) ? 'staff' : `students ${[...locked].join(' ')}`, () =>
              serialize(list),
            )
          : toAnswer(serialize(list.slice(page.offset, page.offset + page.limit)));
        return await sendTagged(request, reply, body);
      },
    });
  };

const practiceRoutes =
  (laboratories: AssessmentService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['laboratories'];

    app.get('/api/laboratories/section/:section_id/laboratory', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The laboratory of a section',
        params: Type.Object({ section_id: Id }),
        response: { 200: kinds.laboratory.AssessmentWithTasks, ...errors(401, 404) },
      },
      handler: async ({ user, params }) => {
        const laboratory = await laboratories.ofSection(user, params.section_id);
        return toAssessment(laboratory, user, {
          open: await laboratories.openTasks(user, laboratory),
          solutions: await laboratories.solutions(user, laboratory),
          seed: await laboratories.seed(user, laboratory),
        });
      },
    });

    app.post('/api/laboratories/:id/check', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Grade the active attempt for practice, without ending it',
        description:
          'Returns the current results. The attempt remains `in_progress`, and `score` is the number of points so far. ' +
          'With `task_id` only this task is checked. Where tasks open one after another, only the open one that has not passed is checked, and 409 with `task_locked` refuses a later one. ' +
          '409 while it is being submitted, or after its time has expired.',
        params: IdParams,
        querystring: Type.Object({ task_id: Type.Optional(Id) }),
        response: { 200: kinds.laboratory.Results, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => {
        const checked = await laboratories.check(callerOf(request), request.params.id, request.query.task_id);
        return toResults(checked, checked);
      },
    });
  };
