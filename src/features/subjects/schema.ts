import { Type } from 'typebox';
import type { StudentAccount } from '../../database/tables.ts';
import { omit } from '../../entities/fields.ts';
import { ExamTask, LaboratoryTask, staffTaskFields } from '../../entities/task.ts';
import type { Caller } from '../../http/access/access.ts';
import { Description, Image, Name, OrderIndex } from '../../http/protocol/fields.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { isStaff, startedProperties } from '../attempts/schema.ts';
import type { ShownSubject, Subject } from './store.ts';

const StaffSetup = Type.Optional(
  Nullable(Type.String({ description: 'The set-up script; for instructors and administrators only.' })),
);

const subjectProperties = {
  id: Type.Integer(),
  slug: Nullable(Type.String({ description: 'The name in files and commands.' })),
  title: Type.String(),
  description: Type.String(),
  introduction: Type.String({ description: 'The text at the beginning, in Markdown.' }),
  conclusion: Type.Optional(
    Type.String({
      description: 'The text at the end. For instructors and administrators only; students get it with their results.',
    }),
  ),
  container_image: Type.String(),
  user: Type.Unsafe<StudentAccount>({
    ...OneOf('student', 'root'),
    description: 'The account of students in the container.',
  }),
  passing_score: Type.Integer({ description: 'In points.' }),
  is_active: Type.Boolean(),
  setup_script: StaffSetup,
  created_at: Timestamp,
  task_count: Type.Integer(),
  max_score: Type.Integer(),
};
export const Exam = Type.Object(
  {
    ...subjectProperties,
    time_limit_minutes: Type.Integer(),
    course_id: Nullable(Type.Integer()),
    order_index: Type.Integer(),
    is_session_only: Type.Boolean({ description: 'It starts for nobody outside of exam sessions.' }),
    tasks: Type.Array(ExamTask),
  },
  { title: 'Exam' },
);
export const Laboratory = Type.Object(
  {
    ...subjectProperties,
    time_limit_minutes: Nullable(Type.Integer({ description: 'Null: none.' })),
    section_id: Nullable(Type.Integer()),
    is_sequential: Type.Boolean({ description: 'The tasks open one after another.' }),
    tasks: Type.Array(LaboratoryTask),
  },
  { title: 'Laboratory' },
);

export const StartedExam = Type.Object(
  { exam_id: Type.Integer(), session_id: Nullable(Type.Integer()), ...startedProperties },
  { title: 'StartedExam' },
);
/** The session of an exam that has sessions. */
export const ExamEntry = Type.Object(
  {
    session_id: Type.Optional(Id),
    access_code: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { title: 'ExamEntry', 'x-optional': true },
);
export const StartedLaboratory = Type.Object(
  { laboratory_id: Type.Integer(), ...startedProperties },
  { title: 'StartedLaboratory' },
);
export { ExamResultsSchema as ExamResults, LaboratoryResultsSchema as LaboratoryResults } from '../attempts/schema.ts';

const Script = Type.String({ minLength: 1, maxLength: 262_144 });
const TimeLimit = Type.Integer({ minimum: 1, maximum: 1440 });

const SetupScript = Type.Optional(
  Nullable(
    Type.String({
      ...Script,
      description: 'Bash that prepares a new container as root, before its user can enter it. Null removes it.',
    }),
  ),
);

/** The common fields of an exam and a laboratory, as administrators send them. */
const subjectFields = {
  title: Name,
  description: Type.Optional(Description),
  introduction: Type.Optional(
    Type.String({ ...Description, description: 'Markdown, shown before the start and during an attempt.' }),
  ),
  conclusion: Type.Optional(
    Type.String({ ...Description, description: 'Markdown, shown with the results of an attempt that has ended.' }),
  ),
  container_image: Image,
  user: Type.Optional(
    Type.Enum(['student', 'root'], {
      description: 'The account of students in the container; default `student`. 422: the image does not grant root.',
    }),
  ),
  passing_score: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In points.' }),
  is_active: Type.Optional(Type.Boolean({ description: 'False: a draft, which students do not see.' })),
  setup_script: SetupScript,
};
export const NewExam = Type.Object(
  {
    ...subjectFields,
    time_limit_minutes: TimeLimit,
    course_id: Type.Optional(Nullable(Id)),
    order_index: Type.Optional(OrderIndex),
    is_session_only: Type.Optional(
      Type.Boolean({
        description:
          'It starts for nobody outside of exam sessions, and students see the texts of its tasks from their start on. It becomes true when an administrator plans its first session.',
      }),
    ),
  },
  { title: 'ExamFields' },
);
export const NewLaboratory = Type.Object(
  {
    ...subjectFields,
    time_limit_minutes: Type.Optional(Nullable(TimeLimit)),
    section_id: Type.Optional(Nullable(Id)),
    is_sequential: Type.Optional(
      Type.Boolean({ description: 'The tasks open one after another: each when the one before has passed.' }),
    ),
  },
  { title: 'LaboratoryFields' },
);

export const TaskOrder = Type.Object(
  {
    task_ids: Type.Array(Id, { maxItems: 1000, description: 'The ids of all tasks, each once.' }),
  },
  { title: 'TaskOrder' },
);

/** A state that attempts run on. */
export const RunningStateSchema = Type.Object(
  {
    id: Type.Integer(),
    recorded_at: {
      ...Timestamp,
      description: 'When it was published, or when the first attempt of it started.',
    },
    is_current: Type.Boolean({ description: 'Nothing has changed since.' }),
    container_image: Type.String(),
    attempts: Type.Integer({ description: 'Attempts that have begun and not ended.' }),
  },
  { title: 'RunningState' },
);

/** An exam or a laboratory with attempts is kept, inactive. */
export const SubjectDeleted = Type.Object(
  { detail: Type.String(), outcome: OneOf('deleted', 'retired') },
  { title: 'SubjectDeleted' },
);

const withoutScripts = new WeakMap<object, Subject>();

/**
 * An exam or a laboratory as a caller may see it: scripts are only for staff.
 * @param open the number of tasks whose text a student sees; default: all @param isLocked whether all texts wait for the start
 */
export function toSubject(
  subject: Subject,
  caller: Caller | undefined,
  { open = subject.tasks.length, isLocked = false }: { open?: number; isLocked?: boolean } = {},
): ShownSubject {
  if (isStaff(caller)) return subject;
  const shown = withoutScriptsOf(subject);
  if (isLocked)
    return { ...shown, tasks: shown.tasks.map((task) => ({ ...task, description: null, is_locked: true })) };
  if (open >= shown.tasks.length) return shown;
  const closed = { description: '', hint: '', is_locked: true };
  return { ...shown, tasks: shown.tasks.map((task, index) => (index < open ? task : { ...task, ...closed })) };
}

function withoutScriptsOf(subject: Subject): Subject {
  // They come from a cache and are requested by all users, so the students' view of each is built once.
  const known = withoutScripts.get(subject);
  if (known) return known;
  const { setup_script: _script, conclusion: _conclusion, ...fields } = subject;
  const tasks = subject.tasks.map((task) => omit(task, staffTaskFields));
  const shown = { ...fields, tasks };
  withoutScripts.set(subject, shown);
  return shown;
}
