import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { NewExamTask, trialTaskFields } from '../../entities/task.ts';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import { kinds } from '../assessments/kinds.ts';
import { TrialReportSchema } from '../trials/schema.ts';
import type { TrialService } from '../trials/service.ts';
import { changes as changesOf } from './trial-schema.ts';

const Scripts = Type.Partial(Type.Pick(NewExamTask, trialTaskFields), { title: 'TaskScripts' });

const about =
  'In a new container, each check must fail before the solution and pass after it. The solution runs as the student. In another container where nothing is solved, opponents try to forge the check. It can take minutes. 429: two trials of the author have not ended. 503: too many trials are queued.';

/** Authors try their scripts, and publish an assessment that passes its trial. Behind both doors. */
export const adminTrialRoutes =
  (trials: TrialService, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = [door.tag];
    const readScripts = queryOrBody(Scripts);

    for (const kind of ['exam', 'laboratory'] as const) {
      const { one, plural } = kinds[kind];
      const { Tried, Published } = changesOf[kind];
      const path = `${door.root}/${plural}/:id`;
      const [reads, changes] = [door.allows(plural, 'read'), door.allows(plural, 'change')];
      const params = door.params({ id: Id });
      app.post(`${path}/try`, {
        config: changes,
        schema: {
          tags,
          summary: `Try the checks and solutions of all tasks of ${one}`,
          description: `${about} Changes in the body are included, and not saved.`,
          params,
          body: Tried,
          response: { 200: TrialReportSchema, ...errors(401, 403, 404, 415, 503) },
        },
        handler: async (request, reply) => {
          const place = { kind, id: request.params.id };
          const body = (request.body ?? {}) as Parameters<TrialService['try']>[2];
          return await trials.try(callerOf(request), place, body, untilGone(reply));
        },
      });

      app.post(`${path}/publish`, {
        config: changes,
        schema: {
          tags,
          summary: `Try ${one}, and publish it if no problem is found`,
          description: `${about} Changes in the body are tried with the rest and saved only then, all or none, also those of ${one} that is published already. Attempts that have begun are graded by what they began with. 409: with \`trial_failed\` the report of the trial is at \`.../trial\`.`,
          params,
          body: Published,
          response: { 200: TrialReportSchema, ...errors(401, 403, 404, 409, 415, 503) },
        },
        handler: async (request, reply) => {
          const place = { kind, id: request.params.id };
          const body = (request.body ?? {}) as Parameters<TrialService['publish']>[2];
          return await trials.publish(callerOf(request), place, body, untilGone(reply));
        },
      });

      app.get(`${path}/trial`, {
        config: reads,
        schema: {
          tags,
          summary: `The report of the trial that refused the caller's last publication of ${one}`,
          description: `404: none was refused, or ${one} has been published since.`,
          params,
          response: { 200: TrialReportSchema, ...errors(401, 403, 404) },
        },
        handler: async (request) => await trials.refusal(callerOf(request), { kind, id: request.params.id }),
      });

      app.post(`${path}/tasks/:task_id/try`, {
        config: { ...changes, fields: Scripts },
        schema: {
          tags,
          summary: `Try one task of ${one} alone, with saved or unsaved scripts`,
          description: about,
          params: door.params({ id: Id, task_id: Id }),
          response: { 200: TrialReportSchema, ...errors(401, 403, 404, 415, 503) },
        },
        handler: async (request, reply) => {
          const { id, task_id: taskId } = request.params;
          return await trials.tryTask(callerOf(request), { kind, id, taskId }, readScripts(request), untilGone(reply));
        },
      });
    }
  };

/** Aborts when the client disconnects before it has its answer. */
function untilGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort(new Error('The client has disconnected'));
  });
  return controller.signal;
}
