import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import { assessmentKinds } from '../../values/assessment-kinds.ts';
import { AnswerText, OwnReportSchema, ReportText, TaskReportsSchema } from './report-schema.ts';
import type { ReportStore } from './report-store.ts';

/** Students report that something is wrong with a task. */
export const reportRoutes =
  (reports: ReportStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { kind, plural } of assessmentKinds) {
      app.get(`/api/${plural}/:id/reports`, {
        config: { access: 'user' },
        schema: {
          ...{ tags: ['help'], summary: 'What the caller has reported about the tasks, with the answers' },
          params: IdParams,
          response: { 200: Type.Array(OwnReportSchema), ...errors(401, 404) },
        },
        handler: async (request) => await reports.own(callerOf(request), kind, request.params.id),
      });

      app.post(`/api/${plural}/:id/tasks/:task_id/reports`, {
        config: { access: 'user' },
        schema: {
          ...{ tags: ['help'], summary: 'Report that something is wrong with a task' },
          description:
            'For those who have an attempt with the task, running or ended. Owners and editors of the course are notified, or administrators where there are none. They see the attempt and the last output of the check. There is one report of a task: a later one replaces it, and its answer.',
          params: Type.Object({ id: Id, task_id: Id }),
          body: ReportText,
          response: { 201: OwnReportSchema, ...errors(401, 404, 415) },
        },
        handler: async (request, reply) => {
          const { id: assessmentId, task_id: taskId } = request.params;
          const report = await reports.report(callerOf(request), { kind, assessmentId, taskId }, request.body.text);
          return await reply.code(201).send(report);
        },
      });
    }
  };

/** The staff read and answer them, behind both doors. */
export const staffReportRoutes =
  (reports: ReportStore, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = [door.tag];

    app.get(`${door.root}/reports`, {
      config: door.allows('reports', 'read'),
      schema: {
        ...{ tags, summary: 'The tasks that students have reported, with the reports that have no answer' },
        ...{ description: 'Those first that wait longest.', params: door.params({}), querystring: PageQuery },
        response: { 200: Type.Array(TaskReportsSchema), ...door.refusals },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => reports.tasks(callerOf(request), page, door.courseOf(request))),
    });

    for (const { kind, plural } of assessmentKinds)
      app.post(`${door.root}/${plural}/:id/tasks/:task_id/reports/answer`, {
        config: door.allows(plural, 'change'),
        schema: {
          ...{ tags, summary: 'Answer all who have reported a task' },
          description: 'Each of them is notified. 404 where all have an answer. The task itself may be deleted.',
          ...{ params: door.params({ id: Id, task_id: Id }), body: AnswerText },
          response: {
            200: Type.Object(
              { answered_count: Type.Integer({ description: 'The reports that have the answer now.' }) },
              { title: 'AnsweredReports' },
            ),
            ...errors(401, 403, 404, 415),
          },
        },
        handler: async (request) => {
          const { id: assessmentId, task_id: taskId } = request.params;
          return await reports.answer(callerOf(request), { kind, assessmentId, taskId }, request.body.text);
        },
      });
  };
