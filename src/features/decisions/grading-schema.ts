import { Type } from 'typebox';
import { PageQuery } from '../../http/lists/paging.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { AnswerSchema } from '../attempts/answers/schema.ts';
import { RemarkProperties } from '../grading/schema.ts';
import {
  CommentSchema,
  DecisionSchema,
  GradedStudentSchema,
  GradeSchema,
  NewComment,
  NewDecision,
  WorkKey,
} from './schema.ts';

export const KeyParams = Type.Object({ key: WorkKey });

const what = {
  exam_id: Type.Optional({ ...Id, description: 'Only results of this exam.' }),
  laboratory_id: Type.Optional({ ...Id, description: 'Only results of this laboratory.' }),
  session_id: Type.Optional({ ...Id, description: 'Only results of attempts in this exam session.' }),
  class_id: Type.Optional({
    ...Id,
    description:
      'Only results of the students of this class: in its exam sessions, and of attempts without a session. None for those who do not instruct the class.',
  }),
};
export const TasksQuery = Type.Object(what);
export const GradingQuery = Type.Object({
  ...what,
  task_id: Type.Optional({ ...Id, description: 'Only results of this task.' }),
  is_graded: Type.Optional(
    Type.Boolean({ description: 'False: those about which nobody has decided; true: the others.' }),
  ),
  ...PageQuery.properties,
});

export const ClaimSchema = Type.Object(
  {
    by: Type.String({ description: 'The name of who works on it.' }),
    is_own: Type.Boolean({ description: 'Whether it is the caller.' }),
    expires_at: { ...Timestamp, description: 'When it ends unless it is renewed, in UTC.' },
  },
  { title: 'GradingClaim' },
);
const shown = {
  key: WorkKey,
  kind: OneOf('exam', 'laboratory'),
  assessment_id: Nullable(Type.Integer({ description: 'The exam or laboratory. Null once it is deleted.' })),
  assessment_title: Type.String({ description: 'Of the exam or laboratory, as it was at the start of the attempt.' }),
  session_id: Nullable(Type.Integer()),
  task_id: Type.Integer(),
  title: Type.String({ description: 'Of the task.' }),
  points: Type.Number({ description: 'Those of the task.' }),
  points_earned: Type.Number(),
  revision: Type.Integer({ description: 'How often somebody has decided about it. 0: nobody yet.' }),
  is_awaiting_grading: Type.Boolean({ description: 'Whether a person has to give its points, and nobody has yet.' }),
  is_decider: Type.Boolean({
    description:
      'Whether the caller decides about it, and does not only grade: may decide again, settle, change the rubric.',
  }),
  has_two_graders: Type.Boolean({
    description: 'Whether it awaits two grades, or somebody who settles their difference.',
  }),
  grade_count: Type.Integer({
    description: 'How many of two graders have graded it. 2: they differ, and it awaits who settles that.',
  }),
  has_own_grade: Type.Boolean({ description: 'Whether the caller is one of them.' }),
  student: Nullable(GradedStudentSchema, { description: 'Whose it is. Null where the exam session hides names.' }),
  claim: Nullable(ClaimSchema, { description: 'Who works on it now. Null: nobody.' }),
};
export const GradingSchema = Type.Object(shown, { title: 'GradedResult' });
export const OpenedSchema = Type.Object(
  {
    ...shown,
    description: Type.String({ description: 'Of the task, in Markdown, as the attempt has it.' }),
    answer: Nullable(AnswerSchema, {
      description: 'What was answered, with the right answer. Null: a check, which looks at the machine.',
    }),
    output: Type.String({ description: 'What the check printed.' }),
    ...RemarkProperties,
    recordings: Type.Array(
      Type.Object({
        id: Type.Integer(),
        duration_seconds: Nullable(Type.Number({ description: 'Null while it is being written.' })),
      }),
      { description: 'Of the terminals, in their order; at most 100.' },
    ),
    max_difference: Nullable(
      Type.Number({ description: 'The points by which two graders may differ. Null unless it awaits them.' }),
    ),
    decisions: Type.Array(DecisionSchema, { description: 'About the result, the oldest first.' }),
    grades: Type.Array(GradeSchema, {
      description: 'Of two graders, the first one first. None while the caller can still become one of them.',
    }),
    comments: Type.Array(CommentSchema, {
      description: 'About the result, the whole attempt and its recordings, the oldest first.',
    }),
  },
  { title: 'OpenedResult' },
);
export const GradingTaskSchema = Type.Object(
  {
    kind: OneOf('exam', 'laboratory'),
    assessment_id: Type.Integer({ description: 'The exam or laboratory.' }),
    assessment_title: Type.String({ description: 'Of the exam or laboratory, as in one of the attempts.' }),
    task_id: Type.Integer(),
    title: Type.String({ description: 'Of the task, with its parameters as they are written.' }),
    points: Type.Number(),
    total_count: Type.Integer({ description: 'The results, of at most the latest 10,000 attempts.' }),
    graded_count: Type.Integer({ description: 'Those of them about which somebody has decided.' }),
    awaiting_count: Type.Integer({ description: 'Those of them that await a person.' }),
    once_graded_count: Type.Integer({ description: 'Those of these that one of two graders has graded.' }),
    unsettled_count: Type.Integer({ description: 'Those of these whose two graders differ.' }),
  },
  { title: 'GradingTask' },
);
export const AwaitingSchema = Type.Object(
  {
    kind: OneOf('exam', 'laboratory'),
    assessment_id: Type.Integer({ description: 'The exam or laboratory.' }),
    assessment_title: Type.String({ description: 'Of the exam or laboratory, as in one of the attempts.' }),
    awaiting_count: Type.Integer({ description: 'The results that await a person, at least 1.' }),
  },
  { title: 'AwaitingAssessment' },
);
export const NewGrade = Type.Object(
  {
    ...NewDecision.properties,
    is_settlement: Type.Optional(
      Type.Boolean({ description: 'Settles the difference of two graders. By those who decide, with a `reason`.' }),
    ),
  },
  { title: 'NewGrade' },
);
export const NewGradingComment = Type.Omit(NewComment, ['task_id'], { title: 'NewGradingComment' });
