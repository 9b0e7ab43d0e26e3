import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { assessmentKinds } from '../../values/assessment-kinds.ts';
import {
  CommentParams,
  CommentSchema,
  FeedbackSchema,
  NewComment,
  NewDecision,
  NewReview,
  OpenReviewSchema,
  ResultParams,
  ReviewAnswer,
  ReviewSchema,
} from './schema.ts';
import type { DecisionStore } from './store.ts';

const who =
  'In an exam session by its instructors, otherwise by the instructors of the student; assistants read. Instructors do not decide about their own attempts.';

/** People decide about results, and students ask them to. */
export const decisionRoutes =
  (decisions: DecisionStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { kind, plural } of assessmentKinds)
      app.get(`/api/${plural}/attempts/:id/feedback`, {
        config: { access: 'user' },
        schema: {
          tags: [plural],
          summary: 'What people decided and said about an attempt',
          params: IdParams,
          response: { 200: FeedbackSchema, ...errors(401, 404) },
        },
        handler: async (request) => await decisions.feedback(callerOf(request), request.params.id, kind),
      });

    app.post('/api/exams/attempts/:id/review-request', {
      config: { access: 'user' },
      schema: {
        tags: ['exams'],
        summary: "Ask for a review of the result of the caller's attempt",
        description:
          'Once each time that the attempt ends, as long as its session allows it (`review_until`): 403 `no_review` otherwise. 409 `review_requested` also while the last request has no answer.',
        params: IdParams,
        body: NewReview,
        response: { 201: ReviewSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        return reply.code(201).send(await decisions.requestReview(callerOf(request), id, request.body.text));
      },
    });

    const tags = ['instructors'];
    const attempt = '/api/instructor/attempts/:id';

    app.put(`${attempt}/results/:task_id`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Decide the points of a task of an attempt',
        description: `The score of the attempt, and whether it is passed, follow. The student is notified, and reads the reason with the results. ${who} 409 \`graded_meanwhile\` where somebody else was faster, \`attempt_not_graded\` before the end of the attempt.`,
        params: ResultParams,
        body: NewDecision,
        response: { 200: FeedbackSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const [caller, { id, task_id }] = [callerOf(request), request.params];
        await decisions.decide(caller, id, task_id, request.body);
        return await decisions.feedback(caller, id);
      },
    });

    app.get(`${attempt}/comments`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Comments on an attempt, the oldest first',
        params: IdParams,
        response: { 200: Type.Array(CommentSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => await decisions.comments(callerOf(request), request.params.id),
    });

    app.post(`${attempt}/comments`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Comment on an attempt, a task, a line of its output or a moment of a recording',
        description: `The student reads it with the results, and is notified. ${who} At most 200 for each attempt.`,
        params: IdParams,
        body: NewComment,
        response: { 201: CommentSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await decisions.comment(callerOf(request), request.params.id, request.body)),
    });

    app.delete(`${attempt}/comments/:comment_id`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Delete a comment',
        description: 'Of the caller; administrators delete any.',
        params: CommentParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => {
        const { id, comment_id } = request.params;
        return await done(decisions.deleteComment(callerOf(request), id, comment_id), 'Comment deleted');
      },
    });

    app.get('/api/instructor/review-requests', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Requests for a review that wait for an answer of the caller, the oldest first',
        querystring: PageQuery,
        response: { 200: Type.Array(OpenReviewSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => decisions.openReviews(callerOf(request), page)),
    });

    app.put('/api/instructor/review-requests/:id', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Answer a request for a review',
        description: `The student is notified. It changes no points: \`PUT ${attempt.replace(':id', '{id}')}/results/{task_id}\` does. ${who} 409 \`graded_meanwhile\` once it is answered.`,
        params: IdParams,
        body: ReviewAnswer,
        response: { 200: ReviewSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => await decisions.answerReview(callerOf(request), request.params.id, request.body),
    });
  };
