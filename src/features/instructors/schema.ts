import { Type } from 'typebox';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { AssessmentRevision, ExamAttemptSchema, ExamResultsSchema } from '../attempts/schema.ts';
import { ContainerFields } from '../containers/schema.ts';

const kind = OneOf('exam', 'laboratory');
const who = { username: Type.String(), full_name: Nullable(Type.String()), email: Type.String() };
const either = { kind, laboratory_id: Nullable(Type.Integer()), ...who };
const { status } = ExamAttemptSchema.properties;
const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?(Z|[+-]\\d\\d:\\d\\d))?$',
  description: 'A date, or a moment with its offset, as `2026-11-20T20:16:05Z`; of `started_at`.',
});

const search = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A part of username, full name or address.',
});

export const ResultFilterQuery = Type.Partial(
  Type.Object({
    kind,
    exam_id: Id,
    laboratory_id: Id,
    course_id: Id,
    user_id: Id,
    status,
    passed: Type.Boolean(),
    search,
    from: Moment,
    to: Moment,
  }),
);
export const WatchableQuery = Type.Partial(
  Type.Object({ container_id: Id, kind: ContainerFields.kind, user_id: Id, exam_id: Id, laboratory_id: Id }),
);
export const CountedQuery = Type.Object({
  attempt: Type.Optional({
    ...OneOf('best', 'latest'),
    description: "Which of a student's attempts counts: the one with the highest score (the default), or the newest.",
  }),
});

export const GradeBookQuery = Type.Object({ ...CountedQuery.properties, search: Type.Optional(search) });

export const StudentAttemptSchema = Type.Object(
  { ...either, ...ExamAttemptSchema.properties },
  { title: 'StudentAttempt' },
);
export const StudentResultsSchema = Type.Object(
  {
    ...either,
    ...ExamResultsSchema.properties,
    image_id: Nullable(
      Type.String({
        description: 'The identifier of the image that its container was created from, if the engine reports one.',
      }),
    ),
    state: Nullable(AssessmentRevision),
  },
  { title: 'StudentResults' },
);

export const AddedTime = Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 1440 }) }, { title: 'AddedTime' });

export const WatchableSchema = Type.Object(
  {
    ...ContainerFields,
    ...who,
    attempt_id: Nullable(Type.Integer()),
    title: Nullable(Type.String({ description: 'The title of its exam or laboratory.' })),
    has_terminal: Type.Boolean({ description: 'Whether its student has a terminal open, which can be watched.' }),
  },
  { title: 'WatchableContainer' },
);

export const AssessmentSchema = Type.Object(
  {
    kind,
    id: Type.Integer(),
    title: Type.String(),
    is_active: Type.Boolean(),
    students: Type.Integer({ description: 'The number of students with attempts.' }),
  },
  { title: 'Subject' },
);

const assessment = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    max_score: Type.Number(),
    passing_score: Type.Integer(),
    is_active: Type.Boolean(),
  },
  { title: 'GradedSubject' },
);
const tasks = Type.Array(
  Type.Object(
    {
      task_id: Type.Integer(),
      title: Type.String(),
      points: Type.Number(),
      is_deleted: Type.Boolean({ description: 'The task was deleted and has results.' }),
    },
    { title: 'GradedTask' },
  ),
);
const students = Type.Array(
  Type.Object(
    {
      user_id: Type.Integer(),
      ...who,
      attempts: Type.Integer({ description: 'The number of attempts.' }),
      attempt_id: Type.Integer({
        description: 'The attempt that counts. The following fields are those of this attempt.',
      }),
      status,
      started_at: Timestamp,
      submitted_at: NullableTimestamp,
      score: Nullable(Type.Number()),
      max_score: Type.Number(),
      passed: Nullable(Type.Boolean()),
      results: Type.Array(
        Nullable(
          Type.Object({
            passed: Type.Boolean(),
            points_earned: Type.Number(),
            is_awaiting_grading: Type.Boolean({ description: 'Whether a person has to give its points.' }),
          }),
        ),
        { description: 'One for each of `tasks`, in their order; null where the task was not graded.' },
      ),
    },
    { title: 'GradedStudent' },
  ),
);
export const ExamGradeBookSchema = Type.Object({ exam: assessment, tasks, students }, { title: 'ExamGradeBook' });
export const LaboratoryGradeBookSchema = Type.Object(
  { laboratory: assessment, tasks, students },
  { title: 'LaboratoryGradeBook' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const student = { username: Type.String(), full_name: Nullable(Type.String()) };
const session = {
  id: Type.Integer(),
  title: Type.String(),
  exam_title: Type.String(),
  class_id: Nullable(Type.Integer({ description: 'Null: for chosen students.' })),
  class_name: Nullable(Type.String()),
};

const StuckStudent = Type.Object(
  {
    user_id: Type.Integer(),
    ...student,
    kind: OneOf('lesson', 'exam', 'laboratory'),
    id: Type.Integer({ description: 'Of the exam or the laboratory, or of the theme that is next.' }),
    title: Type.String(),
    class_id: Nullable(Type.Integer()),
    class_name: Nullable(Type.String()),
    attempts: count('The attempts that did not pass; 0 for a lesson.'),
    attempt_id: Nullable(Type.Integer({ description: 'The last of them.' })),
    last_at: { ...Timestamp, description: 'When the last lesson was completed, or the last attempt ended.' },
  },
  { title: 'StuckStudent' },
);

export const OverviewSchema = Type.Object(
  {
    has_classes: Type.Boolean({ description: 'Whether the caller is instructor or assistant of a class.' }),
    stuck: Type.Array(StuckStudent, { description: 'The latest first.' }),
    stuck_count: Type.Integer({ description: 'Of all, also of those who are not in the list.' }),
    results_to_release: Type.Array(Type.Object({ ...session, closes_at: Timestamp, attempts: count('That ended.') }), {
      description: 'Closed exam sessions whose results students see when they are released.',
    }),
    failed_gradings: Type.Array(Type.Object({ attempt_id: Type.Integer(), kind, title: Type.String(), ...student }), {
      description: 'Running attempts that could not be graded.',
    }),
    failed_trials: Type.Array(Type.Object({ kind, id: Type.Integer(), title: Type.String(), tried_at: Timestamp }), {
      description: 'Exams and laboratories whose last trial found problems; for administrators.',
    }),
    open_sessions: Type.Array(
      Type.Object({
        ...session,
        closes_at: Timestamp,
        is_paused: Type.Boolean(),
        students: count('Of the class, or chosen ones.'),
        working: count('Students with an attempt that runs or is queued.'),
        done: count('Students with an attempt that ended.'),
      }),
    ),
    upcoming_sessions: Type.Array(Type.Object({ ...session, opens_at: Timestamp }), {
      description: 'Of the next 14 days.',
    }),
    running: Type.Object({
      exams: count('Running exam attempts.'),
      laboratories: count('Running laboratory attempts.'),
      queued: count('Attempts that wait for a container.'),
      on_break: count('Students whose clock is stopped during a break.'),
      containers: count('Running containers of students.'),
      terminals: count('Those of them with an open terminal.'),
    }),
  },
  { title: 'InstructorOverview' },
);
