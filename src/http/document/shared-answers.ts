import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { ErrorCodeSchema, ErrorItem, errors } from '../protocol/schemas.ts';

type Header = {
  description: string;
  required: boolean;
  schema?: object;
  content?: Record<string, { schema: object }>;
};
type Answer = { description: string; content?: Record<string, { schema?: object }>; headers?: Record<string, Header> };
/** The part of an OpenAPI operation that is used here. */
export type DocumentedOperation = {
  operationId?: string;
  description?: string;
  'x-optional-body'?: boolean;
  parameters?: { in: string; name: string }[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: object }> };
  responses?: Record<string, Answer>;
};

const header = (description: string, type = 'string', required = true): Header => ({
  description,
  required,
  schema: { type },
});

const errorCode = {
  'Error-Code': {
    description: 'What is wrong, as a stable word to decide by.',
    required: true,
    schema: ErrorCodeSchema,
  },
};
/** Of 422. */
const errorItems = {
  'Error-Items': {
    description:
      'The items of `detail` whose problem has a code of its own, as JSON in ASCII. Those beyond 1500 bytes are left out: their `msg` says the same in English.',
    required: false,
    content: { 'application/json': { schema: Type.Array(ErrorItem) } },
  },
  'Error-Total': header(
    'The number of problems of an imported file, where `detail` has only the first of them.',
    'integer',
    false,
  ),
};
/** Of 403. */
const opening = {
  'Retry-After': header(
    'With `not_open_yet`: the time from which the caller can start, as an HTTP date.',
    'string',
    false,
  ),
};
/** Of 503. */
const reason = {
  'Error-Reason': header(
    'With `lessons_unavailable`, where the cause is known: a problem of lesson repositories, as /api/docs/errors lists them.',
    'string',
    false,
  ),
};

const retryAfter = { 'Retry-After': header('Seconds after which the request can be retried.', 'integer') };
const challenge = { 'WWW-Authenticate': header('`Bearer`.') };
const pages = {
  'X-Total-Count': header('Number of rows in the whole list.', 'integer'),
  Link: header('The pages `first`, `prev`, `next` and `last`, where they exist (RFC 8288).'),
  'X-Total-Is-Minimum': header(
    '`true` if there are more rows than `X-Total-Count`, which is exact up to 10,000 and never larger.',
    'string',
    false,
  ),
};

/** Of a list that a cursor leads through. */
const longPages = {
  ...pages,
  Link: header(
    'The pages `first`, `prev`, `next` and `last`, where they exist (RFC 8288). `prev` and `next` have a cursor: rows that are added meanwhile do not move them.',
  ),
};
const entityTag = {
  ETag: header('Names this content. A client that sends it in `If-None-Match` gets 304 while the content is the same.'),
  'Cache-Control': header('`private, no-cache`: only the client keeps it, and asks every time.'),
};

const errorBody = (description: string, headers?: Record<string, Header>): Answer => ({
  description,
  content: { 'application/json': { schema: errors()[500] } },
  ...(headers ? { headers } : {}),
});

/** Headers of a status on every route. */
const headersOf: Record<string, Record<string, Header>> = {
  401: challenge,
  403: opening,
  422: errorItems,
  429: retryAfter,
  503: { ...retryAfter, ...reason },
};

/**
 * Adds the answers that the server can give on every route to an operation of the API document: too many requests, overload, an
 * invalid request, a body that is too large or of an unknown type. Also adds the headers of lists and errors.
 * @param method in lower case
 */
export function addSharedAnswers(method: string, operation: DocumentedOperation): void {
  const { responses = {}, parameters = [] } = operation;
  const shared: Record<string, Answer> = {
    429: errorBody('Too many requests of this user, or of this address.', retryAfter),
    503: errorBody('The service is overloaded, or the database cannot be reached.', retryAfter),
    400: errorBody(
      'The request is not valid HTTP, its path is not well encoded, or its body does not have the announced length.',
    ),
    ...(method === 'get'
      ? {}
      : {
          413: errorBody('The body is too large.'),
          415: errorBody('The content type of the body is not supported.'),
        }),
  };
  for (const [status, answer] of Object.entries(shared)) responses[status] ??= answer;
  for (const [status, headers] of Object.entries(headersOf)) {
    const answer = responses[status];
    if (answer) answer.headers = { ...answer.headers, ...headers };
  }
  for (const [status, answer] of Object.entries(responses))
    if (answer.description === 'Default Response') answer.description = STATUS_CODES[status] ?? status;
  const takes = (parameter: string) =>
    parameters.some(({ in: place, name }) => place === 'query' && name === parameter);
  if (takes('page_size') && responses['200'])
    responses['200'].headers = { ...responses['200'].headers, ...(takes('cursor') ? longPages : pages) };
  const isTagged = responses['304'] !== undefined;
  for (const answer of isTagged ? [responses['200'], responses['304']] : [])
    if (answer) answer.headers = { ...answer.headers, ...entityTag };
  operation.responses = responses;
}

/** Adds the header of every error to the answers of an operation. */
export function addErrorCodes({ responses = {} }: DocumentedOperation): void {
  for (const [status, answer] of Object.entries(responses))
    if (Number(status) >= 400) answer.headers = { ...errorCode, ...answer.headers };
}
