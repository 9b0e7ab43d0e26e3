import { type Static, Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { RemarkProperties } from '../grading/schema.ts';

export const NewRegrade = Type.Object(
  {
    revision: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 1_000_000 },
        description: 'The number of the revision whose checks are used. Without it: each attempt by its own.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 2000, pattern: '\\S' },
        description: 'Why, for the history. Default: `Graded again`.',
      }),
    ),
  },
  { title: 'NewRegrade', 'x-optional': true },
);

const Graded = Type.Object(
  {
    passed: Type.Boolean(),
    points_earned: Type.Number(),
    output: Type.String({ description: 'What the check printed: the last 4,000 characters.' }),
    ...RemarkProperties,
  },
  { title: 'RegradedResult', description: 'A result, as it is or as it would be.' },
);

const listed = {
  id: Type.Integer(),
  kind: OneOf('exam', 'laboratory'),
  assessment_id: Nullable(Type.Integer({ description: 'Null once it is deleted.' })),
  title: Type.String({ description: 'Of the exam or the laboratory, as an attempt has it.' }),
  session_id: Nullable(Type.Integer({ description: 'Null where it is not of an exam session.' })),
  revision: Nullable(Type.Integer({ description: 'Null: each attempt is graded by its own.' })),
  reason: Type.String({ description: 'Why, in the words of who requested it.' }),
  status: {
    ...OneOf('running', 'ready', 'applied', 'dropped'),
    description: '`ready`: all attempts are graded, and nothing has changed yet.',
  },
  requested_at: { ...Timestamp, description: 'When it was requested, in UTC.' },
  requested_by: Nullable(
    Type.String({ description: 'The name of who requested it. Null once that account is deleted.' }),
  ),
  decided_at: { ...NullableTimestamp, description: 'When it was applied or dropped, in UTC. Null until then.' },
  decided_by: Nullable(Type.String({ description: 'The name of who did.' })),
  is_decider: Type.Boolean({ description: 'Whether the caller may apply or drop it.' }),
  total: Type.Integer({ description: 'Attempts in it.' }),
  done: Type.Integer({ description: 'Those of them that are graded or left out.' }),
  skipped_count: Type.Integer({ description: 'Those that are left out.' }),
  gain_count: Type.Integer({ description: 'Attempts that would have more points.' }),
  lose_count: Type.Integer({ description: 'Attempts that would have fewer points.' }),
};

export const ListedRegradeSchema = Type.Object(listed, {
  title: 'ListedRegrade',
  description: 'A regrade without its comparison.',
});

export const RegradeQuery = Type.Object({
  exam_id: Type.Optional({ ...Id, description: 'Only those of attempts at this exam.' }),
  laboratory_id: Type.Optional({ ...Id, description: 'Only those of attempts at this laboratory.' }),
  session_id: Type.Optional({ ...Id, description: 'Only those of this exam session.' }),
  ...PageQuery.properties,
});

const ofTask = {
  attempt_id: Type.Integer(),
  task_id: Type.Integer(),
  title: Type.String({ description: 'Of the task.' }),
  points: Type.Number({ description: 'Of the task in the attempt.' }),
  username: Type.String(),
  full_name: Nullable(Type.String()),
  before: Graded,
  after: Graded,
};

export const RegradeSchema = Type.Object(
  {
    ...listed,
    skipped: Type.Array(
      Type.Object(
        {
          attempt_id: Type.Integer(),
          reason: { ...OneOf('evidence_gone', 'failed'), description: 'Why it is left out.' },
        },
        { title: 'SkippedAttempt' },
      ),
      {
        description:
          'Attempts that keep their results. `evidence_gone`: their files are not kept, so only answers are graded again. `failed`: the machine or a check failed three times, or the attempt was reopened meanwhile. At most 1,000.',
      },
    ),
    differences: Type.Array(
      Type.Object(
        {
          ...ofTask,
          is_deterministic: Type.Boolean({
            description: 'False: the same check has given another verdict on the same machine.',
          }),
          is_applied: Type.Boolean({
            description: 'False as well where somebody decided about the result before it was applied.',
          }),
        },
        { title: 'RegradeDifference' },
      ),
      { description: 'Results that would change, by attempt. At most 1,000.' },
    ),
    kept: Type.Array(Type.Object(ofTask, { title: 'KeptResult' }), {
      description:
        'Results that stay although the check gives other points now: processes that ran at the end of the attempt are not restored as they were, and the check that has graded it gives other points as well. With `differences` at most 1,000.',
    }),
  },
  { title: 'Regrade', description: 'What comes of grading attempts again. What people have decided stays.' },
);
export type Regrade = Static<typeof RegradeSchema>;
