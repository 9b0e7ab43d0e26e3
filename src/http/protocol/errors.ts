import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseUnavailable, deletedMeanwhile } from '../../database/connection/connect.ts';
import { type ErrorCode, InvalidError, ServiceError, UnauthorizedError, type ValidationItem } from '../../errors.ts';
import { unsupportedMediaType } from './media-types.ts';

/** Refusals of the framework, with one sentence each. Any other unexpected error is a 500 without details. */
const frameworkErrors: Record<string, [status: number, code: ErrorCode, detail: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The request body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'bad_request', 'The request body does not have the announced length'],
  FST_ERR_BAD_URL: [400, 'bad_request', 'The path is not valid'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not_found', 'Not Found'],
};

const jsonInvalid = new InvalidError([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
const bodyMissing = new InvalidError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);

/** Answers an error that has no more than a code and a sentence. */
export const refuse = (reply: FastifyReply, code: ErrorCode, detail: string): FastifyReply =>
  reply.header('Error-Code', code).type('application/json; charset=utf-8').serializer(JSON.stringify).send({ detail });

/** Converts a thrown value to an error that may be shown, or undefined if it is a bug. */
function shown(error: FastifyError, request: FastifyRequest): ServiceError | InvalidError | undefined {
  if (error instanceof ServiceError || error instanceof InvalidError) return error;
  if (error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return bodyMissing;
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError) return jsonInvalid;
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType(request);
  const known = frameworkErrors[error.code];
  if (known) return new ServiceError(...known);
  const unavailable = databaseUnavailable(error);
  if (unavailable) return unavailable;
  const deleted = deletedMeanwhile(error);
  if (deleted) return deleted;
  const status = error.statusCode ?? 500;
  if (status === 429) return new ServiceError(429, 'too_many_requests', 'Too many requests');
  if (status === 503) return new ServiceError(503, 'overloaded', 'The service is overloaded', { retryAfter: 5 });
  return status >= 400 && status < 500
    ? new ServiceError(status, 'bad_request', 'The request is not valid')
    : undefined;
}

export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = shown(error, request);
  if (known instanceof InvalidError) {
    const { detail, headers } = invalidAnswer(known);
    return reply.code(422).headers(headers).send({ detail });
  }
  if (known === undefined) {
    request.log.error({ err: error }, 'unexpected error');
    return refuse(reply.code(500), 'internal', 'Internal Server Error');
  }
  if (known.status === 503) request.log.warn({ err: known.cause ?? known }, known.message);
  if (known instanceof UnauthorizedError) reply.header('WWW-Authenticate', 'Bearer');
  if (known.retryAfter !== undefined) reply.header('Retry-After', String(Math.ceil(known.retryAfter)));
  if (known.retryAt !== undefined) reply.header('Retry-After', httpDate(known.retryAt));
  if (known.reason !== undefined) reply.header('Error-Reason', known.reason);
  return refuse(reply.code(known.status), known.code, known.message);
}

/** An HTTP date has whole seconds. Rounded up, the request succeeds from then on. */
const httpDate = (time: Date): string => new Date(Math.ceil(time.getTime() / 1000) * 1000).toUTCString();

const malformed: Record<string, [status: string, code: ErrorCode, detail: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'The request headers are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request took too long'],
};

const notValid = ['400 Bad Request', 'bad_request', 'The request is not valid'] as const;

/** Milliseconds for a client to read such an answer. */
const lingerMs = 1000;

/** Answers invalid HTTP. Nothing is logged: the error contains the raw bytes, which can include a password. */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, detail] = malformed[error.code ?? ''] ?? notValid;
  endWith(socket, { status, code, detail });
  // A client that keeps sending, for example a slow body, would otherwise hold the connection for another minute.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Answers an invalid handshake. The library's own answer would be a line of text. */
export function answerBadHandshake(error: Error, socket: Duplex): void {
  const [status, code] = notValid;
  endWith(socket, { status, code, detail: error.message }, 'Sec-WebSocket-Version: 13, 8\r\n');
  socket.once('finish', () => socket.destroy());
}

type RawError = { status: string; code: ErrorCode; detail: string };

function endWith(socket: Duplex, { status, code, detail }: RawError, headers = ''): void {
  const text = JSON.stringify({ detail });
  const own = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${text.length}\r\nError-Code: ${code}\r\nConnection: close\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${own}${headers}\r\n${text}`);
}

/** Converts a route's pattern to an expression over whole paths: `:id` is one segment, a final `*` is the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z_]+/g, '[^/]+')
    .replace(/\*$/, '.*');
  return new RegExp(`^${source}/?$`);
}

/**
 * Answers 404 for an unknown path, and 405 with `Allow` for a known path with another method. Applies to routes registered
 * afterwards.
 * @param page answers requests for the pages' own router only
 */
export function installErrors(
  app: FastifyInstance,
  page: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined,
): void {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    const known = patterns.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set() };
    for (const method of [route.method].flat()) known.methods.add(method);
    patterns.set(route.url, known);
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const matching = [...patterns.values()].filter((known) => known.pattern.test(path));
    const allowed = new Set(matching.flatMap((known) => [...known.methods]));
    // Missing files of the pages also arrive here, from the wildcard route.
    if (allowed.size === 0 || allowed.has(request.method))
      return page(request, reply) ?? refuse(reply.code(404), 'not_found', 'Not Found');
    const answer = reply.code(405).header('Allow', [...allowed].sort().join(', '));
    return refuse(answer, 'method_not_allowed', 'Method Not Allowed');
  });
}

/** Bytes of `Error-Items`. Proxies take 4 KiB of headers as a rule, and the other headers of an answer have about half of it. */
const maxItemsBytes = 1500;

/** An item whose problem has a code of its own: its index in `detail`, the code, and the values in its text. */
type CodedItem = { index: number } & Pick<ValidationItem, 'code' | 'params'>;

/**
 * The body of a 422 has what clients of FastAPI expect and nothing else. The rest is in headers: `Error-Items` has the codes of as many
 * items as it has room for, and `Error-Total` the number of problems where the items are only the first.
 */
export function invalidAnswer({ items, total }: InvalidError): {
  detail: Pick<ValidationItem, 'loc' | 'msg' | 'type'>[];
  headers: Record<string, string>;
} {
  const coded = codedItems(items);
  return {
    detail: items.map(({ loc, msg, type }) => ({ loc, msg, type })),
    headers: {
      'Error-Code': 'validation',
      ...(coded !== '[]' && { 'Error-Items': coded }),
      ...(total !== undefined && { 'Error-Total': String(total) }),
    },
  };
}

/** A JSON array in ASCII, because other characters of a header arrive as they were decoded by each proxy on the way. */
function codedItems(items: readonly ValidationItem[]): string {
  const parts: string[] = [];
  let length = 2;
  for (const [index, { code, params }] of items.entries()) {
    if (code === undefined) continue;
    const item: CodedItem = { index, code, ...(params !== undefined && { params }) };
    const part = JSON.stringify(item).replaceAll(/[\u007f-\uffff]/g, escaped);
    length += part.length + 1;
    if (length > maxItemsBytes) break;
    parts.push(part);
  }
  return `[${parts.join(',')}]`;
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
