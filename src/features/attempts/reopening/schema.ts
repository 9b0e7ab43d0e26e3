import { Type } from 'typebox';
import { Nullable, NullableTimestamp, OneOf, Timestamp } from '../../../http/protocol/schemas.ts';
import { ExamAttemptSchema } from '../schema.ts';

export const Reopen = Type.Object(
  {
    minutes: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 10_080 },
        description:
          'From now on. Without it: the time that was left when the attempt ended; 422 where that is less than a minute.',
      }),
    ),
  },
  { title: 'Reopen', 'x-optional': true },
);

export const ReopenedAttemptSchema = Type.Object(
  {
    kind: OneOf('exam', 'laboratory'),
    laboratory_id: Nullable(Type.Integer({ description: 'Null for an exam.' })),
    ...ExamAttemptSchema.properties,
  },
  { title: 'ReopenedAttempt' },
);

const status = OneOf('finished', 'expired', 'abandoned');
export const AttemptEndingSchema = Type.Object(
  {
    id: Type.Integer(),
    status: { ...status, description: 'How it had ended.' },
    submitted_at: { ...NullableTimestamp, description: 'When it was submitted, in UTC. Null: it was abandoned.' },
    score: Nullable(Type.Number({ description: 'In points. Null: it was abandoned.' })),
    max_score: Type.Number(),
    passed: Nullable(Type.Boolean({ description: 'Null: it was abandoned.' })),
    results: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'The results of its tasks as they were.',
    }),
    decisions: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'What people had decided about them.',
    }),
    grades: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'What each of two graders had given.',
    }),
    reopened_at: { ...Timestamp, description: 'When it was given back, in UTC.' },
    reopened_by: Nullable(Type.String({ description: 'The name of who did. Null once that account is deleted.' })),
    minutes: Nullable(Type.Integer({ description: 'That were given. Null: the time that was left.' })),
  },
  { title: 'AttemptEnding' },
);

export const ReopenRequestSchema = Type.Object(
  {
    can_ask: Type.Boolean({ description: 'Whether the student can ask for it now.' }),
    requested_at: { ...NullableTimestamp, description: 'When the student asked, in UTC. Null: not yet.' },
    is_declined: Type.Boolean({ description: 'Whether the instructors have declined.' }),
  },
  { title: 'ReopenRequest' },
);

export const OpenReopenRequestSchema = Type.Object(
  {
    attempt_id: Type.Integer(),
    requested_at: { ...Timestamp, description: 'When the student asked, in UTC.' },
    title: Type.String({ description: 'Of the exam, as it was at the start of the attempt.' }),
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    session_id: Nullable(Type.Integer()),
    class_name: Nullable(Type.String()),
  },
  { title: 'OpenReopenRequest' },
);
