import { type Static, Type } from 'typebox';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

const maxReason = 2000;
const maxText = 5000;
/** Items of one rubric: more than a person tells apart. */
export const maxRubricItems = 50;
/** Not of blanks alone. */
const text = { minLength: 1, pattern: '\\S' };
const Text = Type.String({ ...text, maxLength: maxText });
const name = (description: string) => Nullable(Type.String({ description }));

const RubricPoints = Type.Number({
  ...{ minimum: -10_000, maximum: 10_000 },
  description: 'Negative: they are taken. With two decimal places: more are rounded.',
});
export const RubricItemSchema = Type.Object(
  {
    id: Type.Integer(),
    text: Type.String({ description: 'Why the points are given or taken.' }),
    points: RubricPoints,
  },
  { title: 'RubricItem' },
);
const rubricFields = {
  text: Type.String({ ...text, maxLength: 500, description: 'Students read it with their results.' }),
  points: RubricPoints,
};
export const NewRubricItem = Type.Object(rubricFields, { title: 'NewRubricItem' });
export const RubricItemChange = Type.Partial(NewRubricItem, { title: 'RubricItemChange' });
const ChosenItems = Nullable(Type.Array(RubricItemSchema), {
  description: 'The items of the rubric that were chosen, as they were then. Null: none was asked for.',
});

export const DecisionSchema = Type.Object(
  {
    task_id: Type.Integer(),
    revision: Type.Integer({ description: 'The number of the decision about this result, from 1.' }),
    points_before: Type.Number({ description: 'Those of the check, or of the decision before.' }),
    points_earned: Type.Number(),
    reason: Type.String({ description: 'Why, for the student. It can be empty where `is_by_rubric`.' }),
    rubric_items: ChosenItems,
    is_by_rubric: Type.Boolean({
      description: 'Whether the points are the sum of those of the items, from 0 to those of the task.',
    }),
    is_mean: Type.Boolean({
      description:
        'Whether the points are the mean of those of two graders, and the reason both of theirs. `rubric_items` are those that both chose.',
    }),
    decided_by: name('The name of who decided; of a mean, the second grader. Null once that account is deleted.'),
    decided_at: { ...Timestamp, description: 'When it was decided, in UTC.' },
  },
  { title: 'Decision', description: 'Points that somebody gave in the place of those of the check.' },
);

export const GradeSchema = Type.Object(
  {
    task_id: Type.Integer(),
    points_earned: Type.Number(),
    reason: Type.String({ description: 'Why. It can be empty where `is_by_rubric`.' }),
    rubric_items: ChosenItems,
    is_by_rubric: Type.Boolean({ description: 'Whether the points are those of the items.' }),
    graded_by: name('The name of the grader. Null once that account is deleted.'),
    is_own: Type.Boolean({ description: 'Whether it is of the caller.' }),
    graded_at: { ...Timestamp, description: 'When it was graded last, in UTC.' },
  },
  { title: 'GradeOfTwo', description: 'What one of two graders gives for a result. It is no decision.' },
);

export const CommentSchema = Type.Object(
  {
    id: Type.Integer(),
    task_id: Nullable(Type.Integer({ description: 'Null: about the whole attempt, or a recording.' })),
    line: Nullable(Type.Integer({ description: 'A line of the output of the task, from 1.' })),
    recording_id: Nullable(Type.Integer({ description: 'Null as well once the recording is deleted.' })),
    seconds: Nullable(Type.Number({ description: 'The moment of the recording, from its start.' })),
    text: Type.String(),
    author_id: Nullable(Type.Integer({ description: 'Null once that account is deleted.' })),
    author: name('The name of the author. Null once that account is deleted.'),
    created_at: Timestamp,
  },
  { title: 'AttemptComment' },
);

const request = {
  id: Type.Integer(),
  text: Type.String({ description: 'What the student asks for.' }),
  requested_at: { ...Timestamp, description: 'When the student asked, in UTC.' },
};
export const ReviewSchema = Type.Object(
  {
    ...request,
    outcome: Nullable(OneOf('granted', 'rejected'), { description: 'Null until it is answered.' }),
    answer: Nullable(Type.String({ description: 'What the staff say about it. Null until it is answered.' })),
    answered_by: name('The name of who answered. Null until then, and once that account is deleted.'),
    answered_at: { ...NullableTimestamp, description: 'When it was answered, in UTC. Null until then.' },
  },
  { title: 'ReviewRequest' },
);

export const FeedbackSchema = Type.Object(
  {
    attempt_id: Type.Integer(),
    decisions: Type.Array(DecisionSchema, { description: 'The oldest first. The last of a task holds.' }),
    grades: Type.Array(GradeSchema, {
      description:
        'Of two graders, for the staff alone. Those of a result are left out while the caller can still become one of its graders.',
    }),
    comments: Type.Array(CommentSchema, { description: 'The oldest first.' }),
    review: Nullable(ReviewSchema, {
      description: 'What the student last asked for, and the answer. Null: nothing was asked.',
    }),
    review_until: {
      ...NullableTimestamp,
      description: 'Until then the student can ask for a review. Null: the session allows none, or not yet.',
    },
    is_decider: Type.Boolean({ description: 'Whether the caller may decide and comment.' }),
  },
  {
    title: 'Feedback',
    description: 'What people said about an attempt. For its student everything is empty until the results are shown.',
  },
);

export const NewDecision = Type.Object(
  {
    points_earned: Type.Optional(
      Type.Number({
        ...{ minimum: 0, maximum: 10_000 },
        description:
          'At most the points of the task, with two decimal places: more are rounded. Without it they are those of the items.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        ...{ ...text, maxLength: maxReason },
        description: 'The student reads it. Required with `points_earned`.',
      }),
    ),
    rubric_item_ids: Type.Optional(
      Type.Array(Id, {
        ...{ maxItems: maxRubricItems, uniqueItems: true },
        description:
          'Of the rubric of the task. Without `points_earned` their sum counts, from 0 to the points of the task.',
      }),
    ),
    revision: Type.Integer({
      ...{ minimum: 0, maximum: 1_000_000 },
      description: 'That of the last decision which the caller has seen; 0: none. 409 if there is a later one.',
    }),
    submitted_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          '`submitted_at` of the attempt as the caller has seen it. 409 if it was reopened and submitted again since.',
      }),
    ),
  },
  { title: 'NewDecision' },
);
export const NewComment = Type.Object(
  {
    text: Text,
    task_id: Type.Optional(Id),
    line: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Needs `task_id`.' })),
    recording_id: Type.Optional({ ...Id, description: 'Of this attempt. Needs `seconds`.' }),
    seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Needs `recording_id`.' })),
  },
  { title: 'NewAttemptComment' },
);
export type NewComment = Static<typeof NewComment>;
export const NewReview = Type.Object({ text: Text }, { title: 'NewReviewRequest' });
export const ReviewAnswer = Type.Object(
  { outcome: OneOf('granted', 'rejected'), text: Type.String({ ...Text, description: 'The student reads it.' }) },
  { title: 'ReviewAnswer' },
);
export const OpenReviewSchema = Type.Object(
  {
    ...request,
    attempt_id: Type.Integer(),
    title: Type.String({ description: 'Of the exam, as it was at the start of the attempt.' }),
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    session_id: Nullable(Type.Integer()),
    class_name: Nullable(Type.String()),
  },
  { title: 'OpenReviewRequest' },
);

export const WorkKey = Type.String({
  ...{ minLength: 1, maxLength: 40 },
  description: 'Names the result. It does not tell whose it is.',
});
export const GradedStudentSchema = Type.Object(
  {
    attempt_id: Type.Integer(),
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
  },
  { title: 'StudentOfResult' },
);
export const RubricChangeSchema = Type.Object(
  {
    key: WorkKey,
    student: Nullable(GradedStudentSchema, { description: 'Whose it is. Null where the exam session hides names.' }),
    revision: Type.Integer({ description: 'The number of the decision that holds.' }),
    points_before: Type.Number({ description: 'Those of that decision.' }),
    points_earned: Type.Number({ description: 'What the items give now.' }),
    rubric_items: Type.Array(RubricItemSchema, { description: 'Those of the decision, as they are now.' }),
  },
  { title: 'RubricChange', description: 'A result that was graded by items of the rubric that have other points now.' },
);
/** Of one request. */
export const maxChanges = 500;
export const WantedChanges = Type.Object(
  {
    changes: Type.Array(Type.Pick(RubricChangeSchema, ['key', 'revision', 'points_earned']), {
      ...{ minItems: 1, maxItems: maxChanges },
      description: 'Those that were looked at.',
    }),
  },
  { title: 'WantedRubricChanges' },
);
export const AppliedChanges = Type.Object(
  { changed_count: Type.Integer({ description: 'The results that have other points now.' }) },
  { title: 'AppliedRubricChanges' },
);

export const ResultParams = Type.Object({ id: Id, task_id: Id });
const comment_id = { ...Id, description: 'Identifies the comment.' };
export const CommentParams = Type.Object({ id: Id, comment_id });
export const GradingCommentParams = Type.Object({ key: WorkKey, comment_id });
