import { Type } from 'typebox';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { Minutes, SessionSchema } from '../exam-sessions/schema.ts';

/** What supervisors should look at. */
export const roomWarnings = [
  'hand_raised',
  'login_refused',
  'lost',
  'replaced',
  'disk_full',
  'integrity',
  'not_gradable',
] as const;

const ofSession = Type.Pick(SessionSchema, [
  ...(['id', 'exam_id', 'exam_title', 'class_id', 'class_name', 'chosen_students', 'title'] as const),
  ...(['opens_at', 'closes_at', 'state', 'is_paused', 'is_released', 'is_locked_down', 'results_visible'] as const),
]);
const interval_minutes = Type.Integer({
  minimum: 3,
  maximum: 60,
  description: 'The minutes between the begins of two silent checks of an attempt.',
});
export const SilentChecking = Type.Object({ interval_minutes }, { title: 'SilentChecking' });
export const RoomSessionSchema = Type.Object(
  {
    ...ofSession.properties,
    silent_check_minutes: Nullable(
      Type.Integer({
        description:
          'The minutes between two silent checks of an attempt. Null: there are none, or the caller is a student who supervises.',
      }),
    ),
  },
  { title: 'ExamRoomSession' },
);
export const RoomStudentSchema = Type.Object(
  {
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    status: OneOf('not_started', 'queued', 'in_progress', 'grading', 'finished', 'expired', 'abandoned'),
    attempt_id: Nullable(Type.Integer({ description: 'The newest attempt in the session.' })),
    attempts: Type.Integer({ description: 'Attempts that count towards `max_attempts`.' }),
    started_at: NullableTimestamp,
    expires_at: NullableTimestamp,
    submitted_at: NullableTimestamp,
    paused_at: { ...NullableTimestamp, description: 'The clock has been stopped since then.' },
    break_ends_at: {
      ...NullableTimestamp,
      description:
        'When the break ends that began at `paused_at`. While the session is paused, it moves with the time.',
    },
    time_factor: Nullable(Type.Number(), {
      description: 'Null for students who supervise: accommodations are not for them.',
    }),
    is_locked: Type.Boolean({
      description: 'The exam runs in one login of the student, who cannot log in elsewhere until `unlock`.',
    }),
    container_id: Nullable(Type.Integer()),
    is_connected: Type.Boolean({ description: 'Whether a terminal of the student is open.' }),
    last_seen_at: {
      ...NullableTimestamp,
      description: 'When a terminal was last open, or the student last asked for the place in the queue.',
    },
    last_input_at: {
      ...NullableTimestamp,
      description: 'When the student last typed in a terminal of the attempt, to half a minute.',
    },
    warnings: Type.Array(OneOf(...roomWarnings), {
      description:
        '`hand_raised`: the student asks for help. `login_refused`: the student has tried to log in elsewhere, which `unlock` allows. `lost`: the container is lost, another one is being prepared. `replaced`: it replaces a lost one. `disk_full`: it was stopped. `integrity`: files of the system were changed. `not_gradable`: the grading failed.',
    }),
    score: Nullable(Type.Number()),
    max_score: Nullable(Type.Number()),
    passed: Nullable(Type.Boolean()),
    is_awaiting_grading: Type.Boolean({ description: 'It has ended, and tasks of it await a person.' }),
    checked_at: {
      ...NullableTimestamp,
      description:
        'When the checks of the attempt last ran silently. Null as well for students who supervise, and once it is submitted.',
    },
    marks_changed_at: { ...NullableTimestamp, description: 'Since when `task_marks` are as they are.' },
    task_marks: Nullable(
      Type.Array(
        Type.Object({ task_id: Type.Integer(), title: Type.String(), state: OneOf('passed', 'failed', 'none') }),
        {
          description:
            'What they found, in the order of the tasks; it is no result. `none`: the check did not run, or was stopped.',
        },
      ),
    ),
  },
  { title: 'ExamRoomStudent' },
);
export const RoomSchema = Type.Object(
  { session: RoomSessionSchema, students: Type.Array(RoomStudentSchema) },
  { title: 'ExamRoom' },
);
/** The data of an event. The document describes it, but an answer is a stream of events. */
export const RoomChangeSchema = Type.Object(
  {
    session: Type.Optional(RoomSessionSchema),
    students: Type.Array(RoomStudentSchema),
    gone: Type.Array(Type.Integer()),
  },
  { title: 'ExamRoomChange' },
);

const user_id = Type.Optional({ ...Id, description: 'Without it: everybody in the session.' });
export const Extension = Type.Object({ minutes: Minutes, user_id }, { title: 'Extension' });
export const Ending = Type.Object({ user_id }, { title: 'Ending', 'x-optional': true });

export const Unlocking = Type.Object({ user_id: Id }, { title: 'Unlocking' });

export const EndingBreak = Type.Object({ user_id: Id }, { title: 'EndingBreak' });

export const NewMessage = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: 1000 }), user_id },
  { title: 'NewExamMessage' },
);
export const MessageSchema = Type.Object(
  {
    id: Type.Integer(),
    user_id: Nullable(Type.Integer({ description: 'Null: to everybody.' })),
    text: Type.String(),
    created_at: Timestamp,
  },
  { title: 'SentExamMessage' },
);
