import type { OutgoingHttpHeaders } from 'node:http';
import { parse as parseQueryString } from 'node:querystring';
import cors from '@fastify/cors';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import underPressure from '@fastify/under-pressure';
import websocket from '@fastify/websocket';
import Fastify, {
  errorCodes,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { asClient } from '../packages/limits/request-client.ts';
import type { Config } from './config.ts';
import { InvalidError, ServiceError, UnavailableError } from './errors.ts';
import { type Authenticate, type Doorkeeper, installAccess } from './http/access/access.ts';
import { installClientAddress } from './http/access/client-address.ts';
import { installOpenApi } from './http/document/open-api.ts';
import { bodiesInTurn, limitBodies, limitBodySizes, maxReadAtOnce } from './http/limits/body-limits.ts';
import { limitConnectionsPerAddress } from './http/limits/connections-per-address.ts';
import { clientOf, countRequest, RequestCounts } from './http/limits/request-counts.ts';
import { endUnfinishedRequests } from './http/limits/unfinished-requests.ts';
import { jsonProblem, parametersProblem } from './http/limits/value-limits.ts';
import { limitWholeLists } from './http/lists/whole-lists.ts';
import { type DocumentLook, plainLook } from './http/pages/document-look.ts';
import { installPages } from './http/pages/pages.ts';
import { installEntityTags } from './http/protocol/entity-tag.ts';
import { answerBadHandshake, answerMalformed, installErrors, sendError } from './http/protocol/errors.ts';
import { readUntypedJson } from './http/protocol/media-types.ts';
import { refuseReadOnlyFields } from './http/protocol/read-only-fields.ts';
import { installRequestLog } from './http/protocol/request-log.ts';
import { compileSerializer } from './http/protocol/serialization.ts';
import { compileValidator } from './http/protocol/validation.ts';

export type ServerParts = {
  config: Config;
  log: FastifyBaseLogger;
  authenticate: Authenticate;
  /** Needed by routes behind the doors of courses. */
  doorkeeper?: Doorkeeper;
  /** Counts requests across processes. */
  requestCounts?: RequestCounts;
  /** Called where requests without a user are refused because their network has sent too many. */
  onNetworkLimit?: (limit: 'requests', network: string) => void;
  /** Resolves when every process knows the changes of this one; undefined when they do. */
  agreement?: () => Promise<void> | undefined;
  /** The folder of the built pages; undefined: no pages are served. */
  pages?: string;
  /** What the document of the pages says of this installation. */
  documentLook?: () => Promise<DocumentLook>;
  /** Adds what every route needs to the server. */
  prepare?: (app: FastifyInstance) => void;
  /** The features' routes, in the order of the API document. */
  routes: readonly FastifyPluginAsyncTypebox[];
};

/** Given to the constructor, because Fastify would load its own compilers first. Its types expect those. */
const compilersFactory = {
  buildValidator: () => compileValidator,
  buildSerializer: () => compileSerializer,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** Builds the HTTP server without listening. @throws Error when a route does not declare its access */
export async function buildServer({
  config,
  log,
  authenticate,
  doorkeeper,
  requestCounts = new RequestCounts({ ...config.rateLimit, broadcast: () => undefined }),
  onNetworkLimit,
  agreement,
  pages,
  documentLook = async () => plainLook,
  prepare,
  routes,
}: ServerParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    // Our own log line per request omits the query string, which can contain a password or a token.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimit,
    requestTimeout: config.requestTimeout,
    // By default Node checks for slow requests every 30 s. It then allows a slow body as long as the headers timeout, whatever the
    // request timeout.
    http: {
      headersTimeout: config.requestTimeout,
      requestTimeout: config.requestTimeout,
      connectionsCheckingInterval: Math.min(5000, config.requestTimeout / 2),
    },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // Trust only the nearest proxy: an X-Forwarded-For header set by the client is ignored.
    trustProxy: config.isBehindProxy && ((_address: string, hop: number) => hop === 0),
    forceCloseConnections: 'idle',
    // Fastify's own answer has no `detail` and no `Retry-After`: see refuseWhileStopping().
    return503OnClosing: false,
    // `refuseLongQueries` refuses the others.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 1000,
      querystringParser: (text) => (parametersProblem(text, 'query') ? {} : parseQueryString(text)),
    },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: answerMalformed,
    schemaController: { compilersFactory },
    schemaErrorFormatter: (_errors, part) =>
      new InvalidError([{ loc: [part], msg: 'Value error, the value is not valid', type: 'value_error' }]),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.server.maxConnections = config.maxConnections;
  if (!config.isBehindProxy) limitConnectionsPerAddress(app.server, config.maxConnectionsPerAddress);
  app.removeContentTypeParser('text/plain');
  parseJsonBodies(app);
  readUntypedJson(app);
  refuseReadOnlyFields(app);
  installClientAddress(app);
  refuseSeveralHosts(app);
  refuseWhileStopping(app);
  endUnfinishedRequests(app, Math.min(config.requestTimeout, config.stopTimeout / 2));
  installRequestLog(app);
  prepare?.(app);

  await installSecurityHeaders(app, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-site' },
    strictTransportSecurity: config.isBehindProxy,
  });
  refusePlainOptions(app);
  await app.register(cors, {
    origin: config.corsOrigins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'X-Total-Count',
      'Error-Code',
      'Error-Items',
      'Error-Reason',
      'Error-Total',
      'X-Total-Is-Minimum',
      'Link',
      'Retry-After',
      'ETag',
      'Preference-Applied',
      'Service-Time',
    ],
    maxAge: 600,
    strictPreflight: false,
  });
  parseForms(app);
  await app.register(websocket, {
    options: {
      maxPayload: 1024 * 1024,
      perMessageDeflate: false,
      // Selects the subprotocol that we support from those offered; otherwise none.
      handleProtocols: (offered) => (offered.has('terminal.v1') ? 'terminal.v1' : false),
    },
    errorHandler: (error, socket, request) => {
      request.log.warn({ err: error }, 'a socket failed');
      socket.terminate();
    },
  });
  app.websocketServer.on('wsClientError', answerBadHandshake);
  await app.register(underPressure, { maxEventLoopDelay: config.maxEventLoopDelay, retryAfter: 5 });
  if (agreement) {
    app.addHook('onSend', (request, _reply, payload, done) => {
      const waiting = request.method === 'GET' ? undefined : agreement();
      if (waiting) waiting.then(() => done(null, payload), done);
      else done(null, payload);
    });
  }
  installEntityTags(app);
  await installOpenApi(app);

  let page: Awaited<ReturnType<typeof installPages>> = () => undefined;
  installErrors(app, (request, reply) => page(request, reply));
  installAccess(app, authenticate, config.isCatalogueAnonymous, {
    count: (request) => countRequest(request, requestCounts, onNetworkLimit),
    doorkeeper,
  });
  refuseLongQueries(app);
  limitWholeLists(app);
  limitBodySizes(app, config.bodyLimit);
  limitBodies(app, config.bodies);
  // The last hook before those of the route: reading a body leaves the context of the hooks before it.
  app.addHook('preHandler', (request, _reply, done) => asClient(clientOf(request), done));
  if (pages !== undefined) page = await installPages(app, pages, documentLook);
  for (const plugin of routes) await app.register(Object.assign(plugin, { [pluginName]: plugin.name || 'routes' }));
  return app;
}

/** Fastify searches all loaded modules for the name of a plugin that does not state it, which would take a tenth of the start. */
const pluginName = Symbol.for('fastify.display-name');

/** Requests on open connections get an error that clients and load balancers understand. */
function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    done(isStopping ? new UnavailableError('stopping', 'The service is stopping', { retryAfter: 5 }) : undefined);
  });
}

/** RFC 9112, 3.2: a request with several Host headers is refused, because a proxy could have used a different one. */
function refuseSeveralHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders } = request.raw;
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2)
      if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
    if (hosts <= 1) return done();
    reply.header('Connection', 'close');
    done(new ServiceError(400, 'bad_request', 'The request is not valid'));
  });
}

/** OPTIONS without a CORS preflight is a method that no route has. The CORS plugin would accept it on any path. */
function refusePlainOptions(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    if (request.method === 'OPTIONS' && !isPreflight) reply.callNotFound();
    else done();
  });
}

/**
 * Parses JSON like Fastify (no prototype poisoning), but treats an empty body as absent: some clients send the header with every
 * POST.
 */
function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const inTurn = bodiesInTurn();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    const read = (next: typeof done): void => {
      const problem = jsonProblem(body);
      if (body === '') next(null, undefined);
      else if (problem) next(problem);
      else void parse(request, body, next);
    };
    if (body.length <= maxReadAtOnce) read(done);
    // Others may run before the body is validated.
    else inTurn(request, body, () => read((...result) => void setImmediate(done, ...result))).catch(done);
  });
}

/** Only where a form is documented: see the login. It is short, and its fields are checked like those of JSON. */
function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length > maxReadAtOnce) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    const problem = parametersProblem(body as string, 'body');
    if (problem) done(problem);
    else done(null, parseQueryString(body as string));
  });
}

function refuseLongQueries(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url } = request;
    const query = url.indexOf('?');
    done(query === -1 ? undefined : parametersProblem(url.slice(query + 1), 'query'));
  });
}

/**
 * Adds the security headers of Helmet to every answer. They are the same for all requests, so Helmet composes them once, not for each
 * request. A route can replace one of them.
 */
async function installSecurityHeaders(app: FastifyInstance, options: FastifyHelmetOptions): Promise<void> {
  await app.register(helmet, { ...options, global: false });
  let headers: OutgoingHttpHeaders | undefined;
  app.addHook('onRequest', (_request, reply, done) => {
    headers ??= headersOf(() => reply.helmet(), reply.raw);
    reply.headers(headers);
    done();
  });
}

/** The headers that a function sets. */
function headersOf(
  set: () => unknown,
  response: { getHeaders: () => OutgoingHttpHeaders; removeHeader: (name: string) => void },
): OutgoingHttpHeaders {
  const before = new Set(Object.keys(response.getHeaders()));
  set();
  const headers = Object.entries(response.getHeaders()).filter(([name]) => !before.has(name));
  for (const [name] of headers) response.removeHeader(name);
  return Object.fromEntries(headers);
}
