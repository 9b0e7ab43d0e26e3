import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { readPage } from '../../http/lists/paging.ts';
import { FileAnswer, sendFile } from '../../http/protocol/download.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors } from '../../http/protocol/schemas.ts';
import {
  AwaitingSchema,
  ClaimSchema,
  GradingQuery,
  GradingSchema,
  GradingTaskSchema,
  KeyParams,
  NewGrade,
  NewGradingComment,
  OpenedSchema,
  TasksQuery,
} from './grading-schema.ts';
import type { GradingService } from './grading-service.ts';
import type { GradingStore } from './grading-store.ts';
import { CommentSchema, GradingCommentParams } from './schema.ts';

/** People grade results, task by task across students. */
export const gradingRoutes =
  (grading: GradingStore, service: GradingService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['instructors'];
    const config = { access: 'instructor' } as const;
    const path = '/api/instructor/grading';

    app.get(path, {
      config,
      schema: {
        ...{ tags, summary: 'Results that the caller grades, the oldest attempt first' },
        description:
          'Those about which the caller decides, and what people grade in sessions whose assistants grade (`has_assistant_graders`). Sessions with `has_hidden_names` show no students, and an order that tells nothing.',
        querystring: GradingQuery,
        response: { 200: Type.Array(GradingSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => grading.list(callerOf(request), request.query, page)),
    });

    app.get(`${path}/tasks`, {
      config,
      schema: {
        ...{ tags, summary: 'The tasks of these results, with how many of them are graded' },
        querystring: TasksQuery,
        response: { 200: Type.Array(GradingTaskSchema), ...errors(401, 403) },
      },
      handler: async (request) => await grading.tasks(callerOf(request), request.query),
    });

    app.get(`${path}/awaiting`, {
      config,
      schema: {
        ...{ tags, summary: 'The exams and laboratories with results that await a person, with how many' },
        description: 'Of these results. It reads no others, so that it is cheap.',
        querystring: TasksQuery,
        response: { 200: Type.Array(AwaitingSchema), ...errors(401, 403) },
      },
      handler: async (request) => await grading.awaiting(callerOf(request), request.query),
    });

    app.get(`${path}/:key`, {
      config,
      schema: {
        ...{ tags, summary: 'One result with all by which it is graded', params: KeyParams },
        response: { 200: OpenedSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await service.open(callerOf(request), request.params.key),
    });

    app.get(`${path}/:key/file`, {
      config,
      schema: {
        ...{ tags, summary: 'The file of the answer to which a result belongs', params: KeyParams },
        description: 'With a name that tells nothing where the exam session hides names.',
        response: { 200: FileAnswer, ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => sendFile(reply, await service.file(callerOf(request), request.params.key)),
    });

    app.put(`${path}/:key`, {
      config,
      schema: {
        ...{ tags, summary: 'Give the points of a result', params: KeyParams, body: NewGrade },
        description:
          'A decision, as `PUT /api/instructor/attempts/{id}/results/{task_id}`. Where `has_two_graders`, it is the grade of the caller, who can repeat it until there are two: if these agree, their mean is decided; otherwise instructors decide with `is_settlement`. 409 `graded_meanwhile` also where there are two grades already, or none to settle.',
        response: { 200: OpenedSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => await service.grade(callerOf(request), request.params.key, request.body),
    });

    app.post(`${path}/:key/comments`, {
      config,
      schema: {
        ...{ tags, summary: 'Comment on a result, a line of its output or a moment of a recording', params: KeyParams },
        ...{ description: 'As `POST /api/instructor/attempts/{id}/comments`.', body: NewGradingComment },
        response: { 201: CommentSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await grading.comment(callerOf(request), request.params.key, request.body)),
    });

    app.delete(`${path}/:key/comments/:comment_id`, {
      config,
      schema: {
        ...{ tags, summary: 'Delete a comment on a result', params: GradingCommentParams },
        description: 'As `DELETE /api/instructor/attempts/{id}/comments/{comment_id}`.',
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => {
        const { key, comment_id } = request.params;
        return await done(grading.deleteComment(callerOf(request), key, comment_id), 'Comment deleted');
      },
    });

    app.post(`${path}/:key/claim`, {
      config,
      schema: {
        ...{ tags, summary: 'Say that the caller works on a result', params: KeyParams },
        description:
          'For three minutes from now, and on no other result. The answer is the claim of somebody else who was first. A claim is a sign for others: it refuses nothing.',
        response: { 200: ClaimSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await grading.claim(callerOf(request), request.params.key),
    });

    app.delete(`${path}/:key/claim`, {
      config,
      schema: {
        ...{ tags, summary: 'Say that the caller works on a result no more', params: KeyParams },
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => await done(grading.unclaim(callerOf(request), request.params.key), 'Claim deleted'),
    });
  };
