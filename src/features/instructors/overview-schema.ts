import { Type } from 'typebox';
import { Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';

const kind = OneOf('exam', 'laboratory');
const count = (description: string) => Type.Integer({ minimum: 0, description });
const who = { username: Type.String(), full_name: Nullable(Type.String()) };
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
    ...who,
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
    failed_gradings: Type.Array(Type.Object({ attempt_id: Type.Integer(), kind, title: Type.String(), ...who }), {
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
