import { Writable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { loadConfig } from '../src/config.ts';
import { UnauthorizedError } from '../src/errors.ts';
import type { Caller } from '../src/http/access/access.ts';
import { buildServer } from '../src/server.ts';
import { argumentsOf, type TestSettings } from './settings.ts';

export type SmallServer = AsyncDisposable & {
  app: FastifyInstance;
  /** The lines that it has logged so far. */
  lines: () => string[];
};

const callers = new Map<string, Caller>(
  (['student', 'instructor', 'admin'] as const).map((role, index) => [
    role,
    { id: index + 1, username: role, role, scope: 'all' },
  ]),
);

/** The HTTP server as the service builds it, with a test's own routes and without a database. A role's name is its user's token. */
export async function smallServer(
  routes: FastifyPluginAsyncTypebox,
  settings: TestSettings = {},
): Promise<SmallServer> {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await buildServer({
    // A machine that is busy with other tests does not count as overloaded.
    config: loadConfig(...argumentsOf({ maxEventLoopDelayMs: 0, ...settings })),
    log: pino({ level: 'trace', base: null }, stream),
    authenticate: (token) => {
      const caller = callers.get(token);
      if (!caller) throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
      return caller;
    },
    routes: [routes],
  });
  await app.ready();
  return { app, lines: () => lines, [Symbol.asyncDispose]: async () => await app.close() };
}
