import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidError } from '../../errors.ts';
import { refusedField } from '../../values/coded-problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Fields that the answer has and the route does not write. A client may send them back as they are, as with the whole of what it has
     * read; another value is 422 `read_only`.
     */
    readOnly?: {
      fields: readonly string[];
      /** What a caller reads now, in the form of the answer. @throws as the route does */
      read: (request: FastifyRequest) => Promise<object>;
    };
  }
}

type Given = { part: 'body' | 'query'; name: string; value: unknown };

/** Applies to routes with `readOnly`. The fields are taken before the validation, which removes what a schema does not name. */
export function refuseReadOnlyFields(app: FastifyInstance): void {
  const sent = new WeakMap<FastifyRequest, Given[]>();
  app.addHook('preValidation', (request, _reply, done) => {
    const names = request.routeOptions.config.readOnly?.fields;
    if (names !== undefined) sent.set(request, [...among(names, request, 'body'), ...among(names, request, 'query')]);
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const given = sent.get(request) ?? [];
    if (given.length === 0) return done();
    refuseChanged(given, request, reply).then(() => done(), done);
  });
}

async function refuseChanged(given: readonly Given[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const now = await shownOf(request, reply);
  const changed = given.filter(({ part, name, value }) => !isSame(now[name], value, part));
  if (changed.length > 0) throw new InvalidError(changed.map(({ part, name }) => refusal(part, name)));
}

function among(names: readonly string[], request: FastifyRequest, part: 'body' | 'query'): Given[] {
  const fields = request[part];
  if (typeof fields !== 'object' || fields === null) return [];
  return names.flatMap((name) =>
    Object.hasOwn(fields, name) ? [{ part, name, value: (fields as Record<string, unknown>)[name] }] : [],
  );
}

/** As the answer would have it on the wire. */
async function shownOf(request: FastifyRequest, reply: FastifyReply): Promise<Record<string, unknown>> {
  const shown = await request.routeOptions.config.readOnly?.read(request);
  return JSON.parse(reply.serializeInput(shown as never, '200') as string);
}

/** A query string has texts only. */
const isSame = (now: unknown, given: unknown, part: Given['part']): boolean =>
  isDeepStrictEqual(part === 'query' ? String((now ?? '') as string | number | boolean) : now, given);

const refusal = (part: string, name: string) => ({
  ...refusedField([part, name], 'read_only'),
  type: 'read_only',
});
