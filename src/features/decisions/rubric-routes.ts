import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import { assessmentKinds } from '../../values/assessment-kinds.ts';
import type { RubricStore } from './rubric-store.ts';
import {
  AppliedChanges,
  maxChanges,
  maxRubricItems,
  NewRubricItem,
  RubricChangeSchema,
  RubricItemChange,
  RubricItemSchema,
  WantedChanges,
} from './schema.ts';

const graders = '/api/instructor';
const place = { id: Id, task_id: Id };
const item = { ...place, item_id: { ...Id, description: 'Identifies the item of the rubric.' } };
const who =
  'Who may edit the task, and who grades attempts with it: instructors of its exam sessions and of its students.';

/** The rubric of a task: behind the doors of content, and for those who grade. @param door undefined: for graders */
export const rubricRoutes =
  (rubrics: RubricStore, door?: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = [door?.tag ?? 'instructors'];
    const params = door?.params(place) ?? Type.Object(place);
    const itemParams = door?.params(item) ?? Type.Object(item);
    const editor = (request: Parameters<typeof callerOf>[0]) => ({ caller: callerOf(request), isGrader: !door });
    for (const { kind, plural } of assessmentKinds) {
      const path = `${door?.root ?? graders}/${plural}/:id/tasks/:task_id/rubric`;
      const [reads, changes] = [
        door?.allows(plural, 'read') ?? ({ access: 'instructor' } as const),
        door?.allows(plural, 'change') ?? ({ access: 'instructor' } as const),
      ];
      const placeOf = ({ id, task_id }: { id: number; task_id: number }) => ({
        ...{ kind, assessmentId: id, taskId: task_id },
      });

      app.get(path, {
        config: reads,
        schema: {
          ...{ tags, params, summary: 'The rubric of a task, the oldest item first', description: who },
          response: { 200: Type.Array(RubricItemSchema), ...errors(401, 403, 404) },
        },
        handler: async (request) => await rubrics.items(editor(request), placeOf(request.params)),
      });

      app.post(path, {
        config: changes,
        schema: {
          ...{ tags, params, summary: 'Add an item to the rubric of a task', body: NewRubricItem },
          description: `At most ${maxRubricItems}. ${who}`,
          response: { 201: RubricItemSchema, ...errors(401, 403, 404, 409, 415) },
        },
        handler: async (request, reply) =>
          reply.code(201).send(await rubrics.add(editor(request), placeOf(request.params), request.body)),
      });

      app.put(`${path}/:item_id`, {
        config: changes,
        schema: {
          ...{ tags, params: itemParams, summary: 'Change an item of the rubric of a task', body: RubricItemChange },
          description:
            'Omitted fields are unchanged. Results that have the item keep their points until the change is applied to them.',
          response: { 200: RubricItemSchema, ...errors(401, 403, 404, 415) },
        },
        handler: async (request) =>
          await rubrics.change(editor(request), placeOf(request.params), request.params.item_id, request.body),
      });

      app.delete(`${path}/:item_id`, {
        config: changes,
        schema: {
          ...{ tags, params: itemParams, summary: 'Delete an item of the rubric of a task' },
          description: 'Results that have the item keep it, with its points.',
          response: { 200: Done, ...errors(401, 403, 404) },
        },
        handler: async (request) =>
          await done(
            rubrics.delete(editor(request), placeOf(request.params), request.params.item_id),
            'Rubric item deleted',
          ),
      });

      if (door) continue;
      app.get(`${path}/changes`, {
        config: reads,
        schema: {
          ...{ tags, params, summary: 'The graded results that the rubric would give other points now' },
          description: `Of students about whom the caller decides, at most ${maxChanges}. Nothing is changed.`,
          response: { 200: Type.Array(RubricChangeSchema), ...errors(401, 403, 404) },
        },
        handler: async (request) => await rubrics.changes(callerOf(request), placeOf(request.params), maxChanges),
      });

      app.post(`${path}/changes`, {
        config: changes,
        schema: {
          ...{ tags, params, summary: 'Give graded results the points that the rubric gives now', body: WantedChanges },
          description:
            'Each is a decision of the caller with the reason of the one before. 409 `graded_meanwhile` where one of them would not get these points any more: then none is changed.',
          response: { 200: AppliedChanges, ...errors(401, 403, 404, 409, 415) },
        },
        handler: async (request) =>
          await rubrics.apply(callerOf(request), placeOf(request.params), request.body.changes),
      });
    }
  };
