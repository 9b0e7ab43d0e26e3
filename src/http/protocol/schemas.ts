import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import { allErrorCodes, type ErrorCode, errorCodes } from '../../errors.ts';

/** An id in a path: a positive 32-bit integer. Text is 422, a number out of range 404. */
export const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647, 'x-id': true });

export const IdParams = Type.Object({ id: Id });

export const Nullable = <T extends TSchema>(schema: T, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** An e-mail address, which is put into its canonical form. */
export const Email = Type.String({ format: 'email', maxLength: 254, 'x-email': true });

/** The name of a person, in one line. An empty one is null. */
export const FullName = Nullable(Type.String({ maxLength: 200, 'x-full-name': true }));

/** A UTC timestamp such as `2026-11-20T20:16:05.123Z`; the serialised form of a Date. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });

/** A string from a fixed set. */
export const OneOf = <const T extends string>(...words: T[]) => Type.Unsafe<T>({ type: 'string', enum: words });

/** The serializer cannot handle a Date in `anyOf` with null, so a nullable timestamp lists both types. */
export const NullableTimestamp = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });

const codeTable = Object.entries(errorCodes)
  .flatMap(([status, codes]) => Object.entries(codes).map(([code, meaning]) => `- \`${code}\` (${status}): ${meaning}`))
  .join('\n');

/** The header `Error-Code` of every error. */
export const ErrorCodeSchema = Type.Unsafe<ErrorCode>({
  type: 'string',
  enum: allErrorCodes,
  title: 'ErrorCode',
  description: codeTable,
});

const ErrorBody = Type.Object(
  { detail: Type.String({ description: 'In English. It can change at any time: decide by `Error-Code`.' }) },
  { title: 'Error', description: 'The error in one sentence. Its stable code is in the header `Error-Code`.' },
);

/** The values in the text of a problem. */
export const ProblemParams = Type.Unsafe<Record<string, string | number>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number'] },
});

const ValidationBody = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
        msg: Type.String(),
        type: Type.String(),
      }),
    ),
  },
  {
    title: 'ValidationError',
    description: 'The request does not match its schema, or breaks a rule that no schema expresses.',
  },
);

/** An element of the header `Error-Items`, which is a JSON array in ASCII. */
export const ErrorItem = Type.Object(
  {
    index: Type.Integer({ description: 'The index of the item in `detail`.' }),
    code: Type.String({ description: 'The stable code of the problem; /api/docs/errors lists these codes.' }),
    params: Type.Optional(ProblemParams),
  },
  { title: 'ErrorItem' },
);

type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

/** The error answers of a route, for its response schema. Every route has 422 and 500, and each for users 403 for the token of a view. */
export function errors<const S extends ErrorStatus>(...statuses: S[]) {
  const ofViews = statuses.some((status) => status === 401) ? [403] : [];
  const all = [...new Set<number>([...statuses, ...ofViews, 422, 500])];
  return Object.fromEntries(all.map((status) => [status, status === 422 ? ValidationBody : ErrorBody])) as Record<
    Exclude<S, 422> | 500,
    typeof ErrorBody
  > &
    Record<422, typeof ValidationBody>;
}
