import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { BinaryBody, binaryType, bytesOf, readsBytes } from '../../http/protocol/media-types.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import type { SetupFileService } from './file-service.ts';
import { kinds } from './kinds.ts';
import { NewSetupFile, SetupFile, SetupFileFields } from './schema.ts';

const FileParams = Type.Object({ id: Id, file_id: Id });

/** The files that are put into new containers of exams or laboratories, for administrators. */
export const setupFileRoutes =
  (files: SetupFileService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const config = { access: 'admin' } as const;
    const { one, plural } = kinds[files.kind];
    const path = `/api/admin/${plural}/:id/files`;
    const readChange = queryOrBody(Type.Partial(SetupFileFields));

    app.get(path, {
      config,
      schema: {
        tags,
        summary: `The files of ${one} and of its tasks, without their contents`,
        params: IdParams,
        response: { 200: Type.Array(SetupFile), ...errors(401, 403, 404) },
      },
      handler: (request) => files.list(request.params.id),
    });

    app.get(`${path}/:file_id`, {
      config,
      schema: {
        tags,
        summary: `The content of one file of ${one}`,
        params: FileParams,
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
      config: { ...config, fields: SetupFileFields },
      schema: {
        tags,
        summary: `Change the path, owner or mode of a file of ${one}; omitted fields are unchanged`,
        params: FileParams,
        response: { 200: SetupFile, ...errors(401, 403, 404, 409, 415) },
      },
      handler: (request) => {
        const { id, file_id } = request.params;
        return files.update(callerOf(request).id, id, file_id, readChange(request));
      },
    });

    app.delete(`${path}/:file_id`, {
      config,
      schema: {
        tags,
        summary: `Delete a file of ${one}`,
        params: FileParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(files.delete(callerOf(request).id, request.params.id, request.params.file_id), 'File deleted'),
    });

    // Only this route reads bytes.
    await app.register(async (uploads: typeof app) => {
      const options = readsBytes(uploads, files.maxBytes);
      uploads.put(path, {
        config,
        ...options,
        schema: {
          tags,
          summary: `Upload a file of ${one}`,
          description:
            'It is put into each new container before the set-up scripts run. A file with the same path is replaced. `task_id` names the task that needs it. Owner by default: `student` below /home/student, otherwise `root`. Mode by default: 0644. 409: `files_full` beyond 10 MiB or 500 for all files together, `path_conflict` where the folder of one file would be another file. 413: one file alone is too large.',
          consumes: [binaryType],
          params: IdParams,
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
