import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type TObject, Type } from 'typebox';
import type { AttemptKind } from '../../database/tables.ts';
import { InvalidError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { administeredRoutes } from '../../http/lists/administered-routes.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { BinaryBody, binaryType, bytesOf, readsBytes } from '../../http/protocol/media-types.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import type { AssessmentAdminService } from './admin-service.ts';
import type { SetupFileService } from './file-service.ts';
import { kinds } from './kinds.ts';
import { AssessmentDeleted, NewSetupFile, SetupFile, SetupFileFields, TaskOrder } from './schema.ts';

/** Exams or laboratories, behind both doors. Fields are in the query string or in a JSON body. */
export const adminAssessmentRoutes =
  (assessments: AssessmentAdminService, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { one, plural, AssessmentWithTasks, NewAssessment, Copy, about } = kinds[assessments.kind];
    const readCopy = queryOrBody<TObject>(Copy);
    const path = `${door.root}/${plural}`;
    await app.register(
      administeredRoutes({
        ...{ door, part: plural, path, idName: 'id', one, plural },
        ...{ Row: AssessmentWithTasks, New: NewAssessment, rows: assessments },
        intoCourse: (fields, courseId) => intoCourse(assessments.kind, fields, courseId),
        Deleted: AssessmentDeleted,
        sorts: [
          'position',
          'title',
          'is_active',
          'place',
          'task_count',
          'max_score',
          'time_limit_minutes',
          'container_image',
        ],
        hasReference: true,
        about: {
          create: about.create,
          update:
            'Omitted fields are unchanged. Attempts that have begun are shown and graded by what they began with. `is_active` false retires it. 409: drafts and retired assessments become active only by publishing.',
          delete:
            'If it has attempts, it is retired instead: it disappears from lists, and its attempts and results are kept.',
        },
      }),
    );
    await app.register(taskRoutes(assessments, door, `${path}/:id/tasks`));

    app.post(`${path}/:id/copy`, {
      config: { ...door.allows(plural, 'change'), fields: Copy },
      schema: {
        tags: [door.tag],
        summary: `Copy ${one} with its tasks, scripts and files`,
        description:
          'The copy is a draft at the same place, without attempts. 409: `catalogue_full`, `image_not_usable`.',
        params: door.params({ id: Id }),
        response: { 201: AssessmentWithTasks, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { id } = callerOf(request);
        return reply.code(201).send(await assessments.copy(id, request.params.id, readCopy(request)));
      },
    });
  };

/** A new exam or laboratory of a course belongs to it: a laboratory to one of its sections. @throws InvalidError */
function intoCourse<Fields extends object>(kind: AttemptKind, fields: Fields, courseId: number): Fields {
  if (kind === 'exam') return { ...fields, course_id: courseId };
  if ('section_id' in fields) return fields;
  throw new InvalidError([{ loc: ['body', 'section_id'], msg: 'Field required', type: 'missing' }]);
}

const taskRoutes =
  (assessments: AssessmentAdminService, door: Door, path: string): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = [door.tag];
    const { one, plural, Task, NewTask } = kinds[assessments.kind];
    const [reads, changes] = [door.allows(plural, 'read'), door.allows(plural, 'change')];
    const params = door.params({ id: Id });
    const taskParams = door.params({ id: Id, task_id: Id });
    const readTask = queryOrBody(NewTask);
    const readChange = queryOrBody(Type.Partial(NewTask));

    app.get(path, {
      config: reads,
      schema: {
        tags,
        summary: `The tasks of ${one} in their order`,
        params,
        response: { 200: Type.Array(Task), ...errors(401, 403, 404) },
      },
      handler: (request) => assessments.tasks(request.params.id),
    });

    app.post(path, {
      config: { ...changes, fields: NewTask },
      schema: {
        tags,
        summary: `Add a task to ${one}, at the position \`order_index\` or at the end`,
        params,
        response: { 201: Task, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { id } = callerOf(request);
        return reply.code(201).send(await assessments.addTask(id, request.params.id, readTask(request)));
      },
    });

    app.put(`${path}/order`, {
      config: changes,
      schema: {
        tags,
        summary: `Reorder the tasks of ${one}`,
        params,
        body: TaskOrder,
        response: { 200: Type.Array(Task), ...errors(401, 403, 404, 415) },
      },
      handler: (request) => assessments.reorderTasks(callerOf(request).id, request.params.id, request.body.task_ids),
    });

    app.get(`${path}/:task_id`, {
      config: reads,
      schema: {
        tags,
        summary: `One task of ${one}`,
        params: taskParams,
        response: { 200: Task, ...errors(401, 403, 404) },
      },
      handler: (request) => assessments.task(request.params.id, request.params.task_id),
    });

    app.put(`${path}/:task_id`, {
      config: { ...changes, fields: NewTask },
      schema: {
        tags,
        summary: 'Change a task, or its position by `order_index`; omitted fields are unchanged',
        params: taskParams,
        response: { 200: Task, ...errors(401, 403, 404, 415) },
      },
      handler: (request) => {
        const { id, task_id } = request.params;
        return assessments.updateTask(callerOf(request).id, id, task_id, readChange(request));
      },
    });

    app.delete(`${path}/:task_id`, {
      config: changes,
      schema: {
        tags,
        summary: 'Delete a task; its results are kept',
        params: taskParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(
          assessments.deleteTask(callerOf(request).id, request.params.id, request.params.task_id),
          'Task deleted',
        ),
    });
  };

/** The files that are put into new containers of exams or laboratories, behind both doors. */
export const setupFileRoutes =
  (files: SetupFileService, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = [door.tag];
    const { one, plural } = kinds[files.kind];
    const [reads, changes] = [door.allows(plural, 'read'), door.allows(plural, 'change')];
    const params = door.params({ id: Id });
    const fileParams = door.params({ id: Id, file_id: Id });
    const path = `${door.root}/${plural}/:id/files`;
    const readChange = queryOrBody(Type.Partial(SetupFileFields));

    app.get(path, {
      config: reads,
      schema: {
        tags,
        summary: `The files of ${one} and of its tasks, without their contents`,
        params,
        response: { 200: Type.Array(SetupFile), ...errors(401, 403, 404) },
      },
      handler: (request) => files.list(request.params.id),
    });

    app.get(`${path}/:file_id`, {
      config: reads,
      schema: {
        tags,
        summary: `The content of one file of ${one}`,
        params: fileParams,
        response: {
          200: {
            description: 'The content.',
            content: { [binaryType]: { schema: Type.String({ format: 'binary' }) } },
          },
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const file = await files.one(request.params.id, request.params.file_id);
        const name = encodeURIComponent(file.path.slice(file.path.lastIndexOf('/') + 1));
        reply.header('Content-Disposition', `attachment; filename*=UTF-8''${name}`).type(binaryType);
        // The types declare the answer as text, but it is streamed.
        return reply.send(Readable.from(file.read(), { objectMode: false }) as unknown as string);
      },
    });

    app.put(`${path}/:file_id`, {
      config: { ...changes, fields: SetupFileFields },
      schema: {
        tags,
        summary: `Change the path, owner or mode of a file of ${one}; omitted fields are unchanged`,
        params: fileParams,
        response: { 200: SetupFile, ...errors(401, 403, 404, 409, 415) },
      },
      handler: (request) => {
        const { id, file_id } = request.params;
        return files.update(callerOf(request).id, id, file_id, readChange(request));
      },
    });

    app.delete(`${path}/:file_id`, {
      config: changes,
      schema: {
        tags,
        summary: `Delete a file of ${one}`,
        params: fileParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(files.delete(callerOf(request).id, request.params.id, request.params.file_id), 'File deleted'),
    });

    // Only this route reads bytes.
    await app.register(async (uploads: typeof app) => {
      const options = readsBytes(uploads, files.maxBytes);
      uploads.put(path, {
        config: changes,
        ...options,
        schema: {
          tags,
          summary: `Upload a file of ${one}`,
          description:
            'It is put into each new container before the set-up scripts run. A file with the same path is replaced. `task_id` names the task that needs it. Owner by default: `student` below /home/student, otherwise `root`. Mode by default: 0644. 409: `files_full` beyond 10 MiB or 500 for all files together, `path_conflict` where the folder of one file would be another file. 413: one file alone is too large.',
          consumes: [binaryType],
          params,
          querystring: NewSetupFile,
          body: BinaryBody,
          response: { 200: SetupFile, 201: SetupFile, ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
        },
        handler: async (request, reply) => {
          const content = bytesOf(request);
          const { file, isNew } = await files.put(callerOf(request).id, request.params.id, request.query, content);
          return reply.code(isNew ? 201 : 200).send(file);
        },
      });
    });
  };
