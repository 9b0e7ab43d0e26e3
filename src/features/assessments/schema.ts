import { Type } from 'typebox';
import { staffAssessmentFields } from '../../entities/assessment.ts';
import { omit } from '../../entities/fields.ts';
import { forStudents, withoutKindFields } from '../../entities/task.ts';
import { filledTask } from '../../entities/task-kinds/kinds.ts';
import type { Caller } from '../../http/access/access.ts';
import { Name } from '../../http/protocol/fields.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { commonTasks } from '../../values/variant.ts';
import { type Solutions, seesChecks, startedProperties } from '../attempts/schema.ts';
import type { AssessmentWithTasks, ShownAssessment, TaskRow } from './store.ts';

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

const copyFields = {
  title: Type.Optional({ ...Name, description: 'Of the copy. Default: the same.' }),
};
export const ExamCopy = Type.Object(copyFields, { title: 'ExamCopy' });
export const LaboratoryCopy = Type.Object(
  {
    ...copyFields,
    section_id: Type.Optional({
      ...Id,
      description: 'Of the copy. Default: the same. In another one it waits for nothing.',
    }),
  },
  { title: 'LaboratoryCopy' },
);

export const TaskOrder = Type.Object(
  {
    task_ids: Type.Array(Id, { maxItems: 1000, description: 'The ids of all tasks, each once.' }),
  },
  { title: 'TaskOrder' },
);

export const ListedRevisionSchema = Type.Object(
  {
    revision: Type.Integer(),
    recorded_at: {
      ...Timestamp,
      description: 'When it was published, or when the first attempt of it started.',
    },
    is_current: Type.Boolean({ description: 'Nothing has changed since.' }),
    container_image: Type.String(),
    attempts: Type.Integer({ description: 'Attempts that have begun and not ended.' }),
  },
  { title: 'ListedRevision' },
);

/** An exam or a laboratory with attempts is kept, inactive. */
export const AssessmentDeleted = Type.Object(
  { detail: Type.String(), outcome: OneOf('deleted', 'retired') },
  { title: 'SubjectDeleted' },
);

const withoutScripts = new WeakMap<object, AssessmentWithTasks>();

/**
 * An exam or a laboratory as a caller may see it: scripts are only for staff.
 * @param open the number of tasks whose text a student sees; default: all @param isLocked whether all texts wait for the start
 * @param solutions those that a student sees, of the tasks whose text the student sees
 * @param seed of the attempt that orders choices
 */
export function toAssessment(
  assessment: AssessmentWithTasks,
  caller: Caller | undefined,
  {
    open = assessment.tasks.length,
    isLocked = false,
    solutions = new Map(),
    seed,
  }: { open?: number; isLocked?: boolean; solutions?: Solutions; seed?: string | undefined } = {},
): ShownAssessment {
  if (seesChecks(caller)) return assessment;
  const shown = ordered(withSolutions(withoutScriptsOf(assessment), solutions), seed);
  if (isLocked)
    return {
      ...shown,
      tasks: shown.tasks.map((task) => ({
        ...omit(withoutKindFields(task), ['solution']),
        ...{ description: null, is_locked: true },
      })),
    };
  if (open >= shown.tasks.length) return shown;
  const closed = { description: '', hint: '', is_locked: true };
  const close = (task: TaskRow): TaskRow => ({ ...omit(withoutKindFields(task), ['solution']), ...closed });
  return { ...shown, tasks: shown.tasks.map((task, index) => (index < open ? task : close(task))) };
}

/** With what has no order in that of an attempt. */
const ordered = (assessment: AssessmentWithTasks, seed: string | undefined): AssessmentWithTasks =>
  seed === undefined
    ? assessment
    : { ...assessment, tasks: assessment.tasks.map((task) => (task.choices ? forStudents(task, seed) : task)) };

function withSolutions(assessment: AssessmentWithTasks, solutions: Solutions): AssessmentWithTasks {
  if (solutions.size === 0) return assessment;
  const tasks = assessment.tasks.map((task) => {
    const solution = solutions.get(task.id);
    return solution === undefined || solution === '' ? task : { ...task, solution };
  });
  return { ...assessment, tasks };
}

function withoutScriptsOf(assessment: AssessmentWithTasks): AssessmentWithTasks {
  // They come from a cache and are requested by all users, so the students' view of each is built once.
  const known = withoutScripts.get(assessment);
  if (known) return known;
  const tasks = commonTasks(assessment.tasks, assessment.draw).map((task) => forStudents(undrawn(task)));
  const shown = { ...omit(assessment, staffAssessmentFields), tasks };
  withoutScripts.set(assessment, shown);
  return shown;
}

/** A task with parameters before the start of an attempt, which draws their values. */
function undrawn(task: TaskRow): TaskRow {
  const { parameters } = task;
  if (!parameters || 'values' in task) return task;
  return filledTask(task, Object.fromEntries(Object.keys(parameters).map((name) => [name, '…'])));
}

/** A user of the container, or a user and a group, by name or number. */
export const FileOwner = Type.String({
  pattern: '^[a-z0-9_][a-z0-9_.-]{0,31}(:[a-z0-9_][a-z0-9_.-]{0,31})?$',
  description: 'a user of the machine, or `user:group`',
});
export const FileMode = Type.String({ pattern: '^[0-7]{3,4}$', description: 'three or four octal digits' });

export const SetupFile = Type.Object(
  {
    id: Type.Integer(),
    task_id: Nullable(Type.Integer({ description: 'Null: of the exam or laboratory itself.' })),
    path: Type.String(),
    owner: Type.String(),
    mode: Type.String({ description: 'Four octal digits.' }),
    bytes: Type.Integer(),
    digest: Type.String({ description: 'SHA-256 of its content.' }),
  },
  { title: 'SetupFile' },
);

const fields = {
  path: Type.String({ minLength: 1, maxLength: 1000, description: 'Where it is on the machine: an absolute path.' }),
  owner: Type.Optional(FileOwner),
  mode: Type.Optional(FileMode),
};
export const NewSetupFile = Type.Object({ ...fields, task_id: Type.Optional(Id) });
export const SetupFileFields = Type.Object(fields, { title: 'SetupFileFields' });
