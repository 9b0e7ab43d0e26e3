import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers with a stream, which ends with its connection. A proxy must not collect the events. */
export function sendEvents(request: FastifyRequest, reply: FastifyReply, stream: Readable): FastifyReply {
  request.raw.once('close', () => stream.destroy());
  reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
  return reply.type('text/event-stream; charset=utf-8').send(stream);
}
