import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { invalidFile } from '../../../errors.ts';
import { callerOf } from '../../../http/access/access.ts';
import { FileAnswer, sendFile } from '../../../http/protocol/download.ts';
import { errors, Id, IdParams } from '../../../http/protocol/schemas.ts';
import { readFile } from '../../../http/protocol/upload.ts';
import { fileName, maxAnswerBytes } from './files.ts';
import { AnswerBody, AnswerSchema } from './schema.ts';
import type { AnswerService } from './service.ts';

/** Bytes of a multipart body beside its file. */
const maxFormBytes = 64 * 1024;
const TaskParams = Type.Object({ id: Id, task_id: Id });

/** The answers in attempts of one kind, below `/api/exams` or `/api/laboratories`. */
export const answerRoutes =
  (answers: AnswerService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tag = answers.kind === 'exam' ? 'exams' : 'laboratories';
    const path = `/api/${tag}/attempts/:id/answers`;
    const tags = [tag];

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The answers in an attempt, in the order of the tasks',
        description: 'Of all tasks that take an answer and are open, also of those without one.',
        params: IdParams,
        response: { 200: Type.Array(AnswerSchema), ...errors(401, 404) },
      },
      handler: (request) => answers.list(callerOf(request), request.params.id),
    });

    // Only this route takes multipart bodies. Elsewhere they remain an unsupported type.
    await app.register(async (uploads: typeof app) => {
      await uploads.register(multipart);
      uploads.put(`${path}/:task_id`, {
        config: { access: 'user' },
        bodyLimit: maxAnswerBytes + maxFormBytes,
        schema: {
          tags,
          summary: "Save an answer in the caller's attempt, in the place of the one before",
          description:
            'JSON, or a file of at most 8 MiB in a multipart body. Until the attempt is submitted or its time is over; not while its clock stands still. It is graded when the attempt ends, and by a check of a laboratory.',
          consumes: ['application/json', 'multipart/form-data'],
          params: TaskParams,
          body: AnswerBody,
          response: { 200: AnswerSchema, ...errors(400, 401, 404, 409, 413, 415) },
        },
        handler: async (request) => {
          const { id, task_id } = request.params;
          if (!request.isMultipart()) return await answers.save(callerOf(request), id, task_id, request.body);
          return await answers.saveFile(callerOf(request), id, task_id, async () => {
            const { name, content } = await readFile(request, maxAnswerBytes);
            if (content.length === 0) throw invalidFile('the file is empty');
            return { name: fileName(name), content };
          });
        },
      });
    });

    app.get(`${path}/:task_id/file`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The file of an answer',
        description: 'For the student of the attempt, and for staff who see it.',
        params: TaskParams,
        response: { 200: FileAnswer, ...errors(401, 404) },
      },
      handler: async (request, reply) => {
        const { id, task_id } = request.params;
        return sendFile(reply, await answers.file(callerOf(request), id, task_id));
      },
    });
  };
