import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { addVary, negotiate } from '../protocol/negotiation.ts';

const csv = { 'text/csv': { schema: Type.String() } };

/** The declaration of an answer that is a CSV. */
export const csvAnswer = (description: string) => ({ description, content: csv });

/** The declaration of an answer that is JSON, or a CSV for clients that prefer it. */
export const jsonOrCsv = <T extends TSchema>(description: string, schema: T) => ({
  description,
  content: { 'application/json': { schema }, ...csv },
});

/** Whether the client prefers a CSV to JSON. */
export function prefersCsv(request: FastifyRequest, reply: FastifyReply): boolean {
  addVary(reply, 'Accept');
  return negotiate(request.headers.accept, ['application/json', 'text/csv']) === 'text/csv';
}

/** Declares what is sent to be a CSV, which browsers store under this name. */
export function setCsvHeaders(reply: FastifyReply, name: string): void {
  reply.header('Content-Disposition', `attachment; filename="${name}.csv"`).type('text/csv; charset=utf-8');
}

/** Sends lines as a CSV while they are read. The declared type of the answer is text, but it is a stream. */
export function sendCsv(reply: FastifyReply, name: string, lines: AsyncIterable<string>): string {
  setCsvHeaders(reply, name);
  return reply.send(Readable.from(lines)) as unknown as string;
}
