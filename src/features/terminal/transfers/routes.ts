import { basename } from 'node:path/posix';
import type { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../../http/access/access.ts';
import { attachment } from '../../../http/protocol/download.ts';
import { errors, IdParams } from '../../../http/protocol/schemas.ts';
import { compileValidator } from '../../../http/protocol/validation.ts';
import type { TerminalService } from '../service.ts';
import { DownloadQuery, ShellSchema, UploadBody, UploadedSchema, UploadQuery } from './schema.ts';
import type { FileTransfers } from './service.ts';

const tags = ['containers'];
const octets = 'application/octet-stream';

/** The shells of a container, and files between its user and its account there. */
export const transferRoutes =
  (terminals: TerminalService, transfers: FileTransfers): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/containers/:id/terminals', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The open shells of a container, oldest first',
        description: 'Of an own container, and of those whose terminals the caller may watch.',
        params: IdParams,
        response: { 200: Type.Array(ShellSchema), ...errors(401, 404) },
      },
      handler: async (request) => {
        const shells = await terminals.shellsOf(callerOf(request), request.params.id);
        return shells.map(({ id, begunAt, isDetached }) => ({
          ...{ id, begun_at: new Date(begunAt), is_connected: !isDetached },
        }));
      },
    });

    app.get('/api/containers/:id/files', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Download a file of a container',
        description:
          'Only of an own container that runs, with the rights of its account there. At most 10 MiB, within 120 seconds. An answer that breaks off is incomplete.',
        params: IdParams,
        querystring: DownloadQuery,
        response: {
          200: { description: 'The file.', content: { [octets]: { schema: Type.String({ format: 'binary' }) } } },
          ...errors(401, 403, 404, 409, 429, 503),
        },
      },
      handler: async (request, reply) => {
        const { path, content } = await transfers.download(callerOf(request), request.params.id, request.query);
        return (
          reply
            .header('Content-Disposition', attachment(basename(path)))
            .header('Cache-Control', 'no-store')
            .type(octets)
            // The types declare the answer as text, but it is streamed.
            .send(content as unknown as string)
        );
      },
    });

    // Only this route reads bodies as a stream.
    await app.register(async (uploads: typeof app) => {
      uploads.removeAllContentTypeParsers();
      uploads.addContentTypeParser(octets, (_request, payload, done) => done(null, payload));
      uploads.put('/api/containers/:id/files', {
        config: { access: 'user' },
        bodyLimit: transfers.maxBytes,
        schema: {
          tags,
          summary: 'Upload a file to a container',
          description:
            'Only to an own container that runs, with the rights of its account there. At most 10 MiB (413), within 120 seconds. The file appears when all of it has arrived. 409 `file_exists` without `is_replacing`. Not during an exam that locks its user down.',
          consumes: [octets],
          params: IdParams,
          querystring: UploadQuery,
          body: UploadBody,
          response: { 200: UploadedSchema, ...errors(400, 401, 403, 404, 409, 413, 415, 429, 503) },
        },
        validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : compileValidator(part)),
        handler: async (request) =>
          transfers.upload(
            callerOf(request),
            request.params.id,
            request.query,
            lengthOf(request),
            request.body as unknown as Readable,
          ),
      });
    });
  };

const lengthOf = ({ headers }: FastifyRequest): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
