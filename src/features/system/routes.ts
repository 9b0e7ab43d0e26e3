import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ForbiddenError, UnavailableError } from '../../errors.ts';
import { bearerToken } from '../../http/access/access.ts';
import { errors } from '../../http/protocol/schemas.ts';

export type SystemParts = {
  /** The metrics of all processes at this address, in the format of Prometheus. */
  metrics: { contentType: string; read: () => Promise<string> };
  metricsToken: string | undefined;
  /** Resolves while the database answers. */
  checkDatabase: () => Promise<void>;
  /** Why no containers are available, or undefined while they are. */
  engineProblem: () => string | undefined;
  /** Whether the process has received a signal to stop. */
  isStopping: () => boolean;
};

/** Compares in constant time. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest());

const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** The endpoints for operators' tools: liveness, readiness and metrics. */
export const systemRoutes =
  ({ metrics, metricsToken, checkDatabase, engineProblem, isStopping }: SystemParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['system'];

    app.get('/healthz', {
      config: { access: 'public', isUncounted: true },
      schema: { tags, summary: 'The process is alive', response: { 200: Type.Object({ status: Type.Literal('ok') }) } },
      handler: async () => ({ status: 'ok' as const }),
    });

    // Access is public and unlimited, so concurrent requests share one database check.
    let asking: Promise<boolean> | undefined;
    const hasDatabase = (): Promise<boolean> => {
      asking ??= checkDatabase()
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          asking = undefined;
        });
      return asking;
    };

    const Readiness = Type.Object({
      status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable')]),
      has_database: Type.Boolean(),
      has_containers: Type.Boolean(),
    });
    app.get('/readyz', {
      config: { access: 'public', isUncounted: true },
      schema: {
        tags,
        summary: 'The service is ready: the database answers, and the process was not told to stop',
        description:
          'Also ready without a container engine: only containers are unavailable. A process that has received a signal to stop still serves requests for `STOP_DELAY_SECONDS`, so that load balancers can notice it first.',
        response: { 200: Readiness, 503: Type.Union([Readiness, errors(503)[503]]) },
      },
      handler: async (_request, reply) => {
        if (isStopping()) throw new UnavailableError('stopping', 'The service is stopping', { retryAfter: 5 });
        const has_database = await hasDatabase();
        const status = has_database ? ('ok' as const) : ('unavailable' as const);
        const has_containers = engineProblem() === undefined;
        return reply.code(has_database ? 200 : 503).send({ status, has_database, has_containers });
      },
    });

    const mayReadMetrics = (request: FastifyRequest): boolean =>
      metricsToken === undefined
        ? isLoopback(request.clientAddress)
        : isSame(bearerToken(request.headers.authorization) ?? '', metricsToken);
    app.get('/metrics', {
      config: { access: 'own', isUncounted: true },
      schema: {
        tags,
        summary: 'Prometheus metrics',
        description: 'For clients on the same machine, or with METRICS_TOKEN as a bearer token.',
      },
      handler: async (request, reply) => {
        if (!mayReadMetrics(request)) throw new ForbiddenError('forbidden', 'Access to the metrics is not allowed');
        return reply.type(metrics.contentType).send(await metrics.read());
      },
    });
  };
