import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { RecordingSchema, toRecording } from './schema.ts';
import type { RecordingService } from './service.ts';

/** Recordings of exam attempts, for instructors. */
export const recordingRoutes =
  (recordings: RecordingService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['instructors'];

    app.get('/api/instructor/attempts/:id/recordings', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: "The recordings of an exam attempt's terminals, oldest first",
        description:
          'One per shell. Empty if no terminal was opened, or after `RECORDING_DAYS`. Laboratories are not recorded: their attempts are 404.',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(RecordingSchema), ...errors(401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await recordings.list(callerOf(request), request.params.id, page);
        setPageHeaders(request, reply, page, total);
        return rows.map(toRecording);
      },
    });

    app.get('/api/instructor/recordings/:id', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Download a recording',
        description:
          'An [asciicast v2](https://docs.asciinema.org/manual/asciicast/v2/) file with the output and changes of size. An unfinished recording contains the output until now. Input is included only as far as the terminal displayed it.',
        params: IdParams,
        response: {
          200: {
            description: 'The recording.',
            content: { 'application/x-asciicast': { schema: Type.String() } },
          },
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const { stream, bytes, name } = await recordings.open(callerOf(request), request.params.id);
        return (
          reply
            .header('Content-Disposition', `attachment; filename="${name}"`)
            .header('Content-Length', bytes)
            .type('application/x-asciicast')
            // The types declare the answer as text, but it is streamed.
            .send(stream as unknown as string)
        );
      },
    });
  };
