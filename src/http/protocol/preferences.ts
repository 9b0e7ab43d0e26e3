import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The request header of a route that can answer before its work is done (RFC 7240, section 4.1). */
export const AsyncPreference = Type.Object({
  prefer: Type.Optional(
    Type.String({ description: '`respond-async`: the client accepts 202 and requests the outcome later (RFC 7240).' }),
  ),
});

/** Characters that are read. */
const longestPreference = 500;

/** Whether the client prefers an answer before the work is done. */
export function prefersAsync({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  // Values may be quoted and contain commas. Unfinished quotes take time in proportion to the square of the length.
  const preferences = [headers.prefer ?? []]
    .flat()
    .join(',')
    .slice(0, longestPreference)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  return preferences.split(',').some((preference) => /^\s*respond-async\s*(?:[;=]|$)/i.test(preference));
}

/** Tells the client that its preference was followed. */
export function setAsyncApplied(reply: FastifyReply): void {
  reply.header('Preference-Applied', 'respond-async');
}
