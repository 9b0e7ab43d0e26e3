import { type Static, Type } from 'typebox';
import { Nullable, OneOf, ProblemParams } from '../../http/protocol/schemas.ts';
import { usernameSources } from './proposed-usernames.ts';
import { leftOutReasons } from './rosters.ts';
import type { SheetChoice } from './sheet.ts';
import { encodings, separators } from './table.ts';

const Encoding = OneOf(...encodings);

/** How a file is read. */
export const TableQuery = Type.Object({
  columns: Type.Optional(
    Type.String({
      maxLength: 5000,
      description:
        'The field of each column of the file, in their order, separated by commas; a column without one is ignored: `username,,email`. Default: by the names in the first line.',
    }),
  ),
  header: Type.Optional(Type.Boolean({ description: 'Whether the first line has the names of the columns.' })),
  encoding: Type.Optional(Encoding),
});

/** Of a file with accounts. */
export const RosterQuery = Type.Object({
  ...TableQuery.properties,
  usernames: Type.Optional({
    ...OneOf(...usernameSources),
    description:
      'Where all usernames of new accounts come from: the `file`, the part of the address before the at sign (`local_part`; a number is added where the name is taken), or the whole `address`. Default: the file, or `local_part` where it has the names of people and no usernames.',
  }),
});

/** How a client wants a file to be read. */
export const choiceOf = ({ columns, header, encoding, usernames }: Static<typeof RosterQuery>): SheetChoice => ({
  ...(usernames !== undefined && { usernames }),
  ...(columns !== undefined && { columns: columns.split(',').map((key) => key.trim() || null) }),
  ...(header !== undefined && { hasHeader: header }),
  ...(encoding !== undefined && { encoding }),
});

export const ProblemSchema = Type.Object(
  {
    line: Type.Integer({ description: 'Of the file, from 1.' }),
    column: Nullable(Type.String()),
    code: Type.String({ description: '/api/docs/errors lists them.' }),
    params: ProblemParams,
    detail: Type.String({ description: 'In English.' }),
  },
  { title: 'ImportProblem' },
);

const PersonSchema = Type.Object(
  {
    line: Type.Integer({ description: 'Of the file, from 1.' }),
    outcome: OneOf('created', 'invited', 'known'),
    username: Type.String({
      description: 'Of the account, or the proposed one. Empty where the line has a problem with it.',
    }),
    email: Nullable(Type.String({ description: 'As the file has it.' })),
    full_name: Nullable(Type.String({ description: 'First name first.' })),
    role: Type.String({ description: 'As the file has it where it is unknown.' }),
  },
  { title: 'ImportedPerson' },
);

export const ImportCheckSchema = Type.Object(
  {
    encoding: Encoding,
    separator: OneOf(...(Object.keys(separators) as (keyof typeof separators)[])),
    has_header: Type.Boolean(),
    columns: Type.Array(
      Type.Object({
        name: Nullable(Type.String({ description: 'Null in a file without a header.' })),
        example: Nullable(Type.String({ description: 'A value, shortened. Null for passwords.' })),
        field: Nullable(Type.String({ description: 'What the column is taken for. Null: it is ignored.' })),
      }),
    ),
    fields: Type.Array(
      Type.Object({
        key: Type.String(),
        title: Nullable(Type.String({ description: 'Of a column of a grade book.' })),
        is_repeatable: Type.Boolean({ description: 'Whether several columns can be this field.' }),
      }),
      { description: 'What a column can be taken for.' },
    ),
    lines: Type.Integer({ description: 'Below the header.' }),
    outcomes: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description:
        'What the import would do: `created` (users), `invited` (users without a password), `known` (users who exist), `values`, `extended` (deadlines).',
    }),
    problems: Type.Array(ProblemSchema, { description: 'The first 500 problems of all lines.' }),
    problem_count: Type.Integer(),
    left_out: Type.Array(
      Type.Object(
        { line: Type.Integer(), name: Type.String(), reason: OneOf(...leftOutReasons) },
        { title: 'LeftOutLine' },
      ),
      {
        description:
          'Lines of a roster that are no people: the `points` of a Canvas export, its `test_student`, and lines without a name or an id (`no_person`).',
      },
    ),
    usernames: Nullable(
      Type.Object(
        {
          source: OneOf(...usernameSources),
          examples: Type.Array(Type.String(), { description: 'The user names of the first new accounts.' }),
        },
        { title: 'ImportedUsernames', description: 'Where the usernames of new accounts come from.' },
      ),
    ),
    people: Nullable(
      Type.Array(PersonSchema, {
        description: 'The first 500 lines as they would be imported. Null where the import makes no accounts.',
      }),
    ),
  },
  { title: 'ImportCheck' },
);
