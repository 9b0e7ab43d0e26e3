import type { Kind } from '../../api/kinds.ts';
import type { TaskKind } from '../../teaching-model/assessments.ts';
import { instantOrNull, localTime } from '../../ui/time/local-time.ts';
import type { Assessment, AssessmentFields, Changes, TaskFields, TaskScripts } from './assessment-calls.ts';
import { drawOf, drawText, parametersOf, parametersText } from './parameters-text.ts';

/** Fields while they are edited: numbers are kept as they are typed, and what is not there is empty. */
type Edited<Fields> = {
  [Name in keyof Fields]-?: NonNullable<Fields[Name]> extends number ? string : NonNullable<Fields[Name]>;
};
type EditedTask = Edited<Omit<TaskFields, 'order_index' | 'parameters' | 'accepted'>> & {
  /** One accepted form a line. */
  accepted: string;
  /** See `parametersText`. */
  parameters: string;
};
type EditedSettings = Edited<Omit<AssessmentFields, 'is_active' | 'draw'>> & {
  /** See `drawText`. */
  draw: string;
};
/** A task without an id is not saved yet. */
export type TaskDraft = EditedTask & { key: string; id: number | undefined };
export type SettingsDraft = EditedSettings & {
  /** The points to pass follow the tasks. Not saved: they do where they are what they would be. */
  follows_tasks: boolean;
};
export type Draft = { settings: SettingsDraft; tasks: TaskDraft[] };

/** The fields of tasks of each kind. A task that becomes one of another kind keeps what was typed until it is saved. */
const kindFields = {
  check: {
    ...{ verification_script: '', verdict: 'pass', solution_script: '', partial_script: '' },
    has_partial_credit: false,
  },
  choice: { choices: [], is_multiple: false, has_partial_credit: false },
  answer: {
    ...{ accepted: '', is_numeric: false, is_expression: false, tolerance: '0', unit: '' },
    ...{ is_case_sensitive: false, is_blank_sensitive: false },
  },
  file: { path: '' },
  essay: {},
} as const satisfies Record<TaskKind, Partial<EditedTask>>;
const commonFields = {
  ...{ kind: 'check', title: '', description: '', points: '1', hint: '' },
  ...{ setup_script: '', solution: '', solution_visible: 'never', parameters: '', pool: '' },
} as const satisfies Partial<EditedTask>;
const newTask: EditedTask = {
  ...commonFields,
  ...{ ...kindFields.check, ...kindFields.answer, ...kindFields.file, ...kindFields.choice, choices: [] },
};
export const emptyTask: TaskDraft = { key: '', id: undefined, ...newTask };

const emptySettings: EditedSettings = {
  title: '',
  description: '',
  introduction: '',
  conclusion: '',
  container_image: '',
  user: 'student',
  passing_score: '',
  time_limit_minutes: '',
  order_index: '',
  /** The id of the course or section, or empty. */
  place: '',
  setup_script: '',
  /** In the time of the browser, or empty. */
  opens_at: '',
  opens_after: [],
  is_sequential: false,
  is_session_only: false,
  draw: '',
  has_certificate: false,
};

/** What is stored, as it is edited. */
const edited = <Fields extends object>(stored: { [Name in keyof Fields]?: unknown }, empty: Fields): Fields =>
  Object.fromEntries(
    Object.entries(empty).map(([name, ifMissing]) => {
      const value = stored[name as keyof Fields] ?? ifMissing;
      return [name, typeof value === 'number' ? `${value}` : value];
    }),
  ) as Fields;

const scriptOrNull = (script: string): string | null => (script.trim() === '' ? null : script);
const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));
/** With a decimal comma or point. */
export const numberOf = (text: string): number => Number(text.replace(',', '.'));
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const trimmed = (text: string): string => text.trim();
/** How what was typed is sent; other fields as they are. */
const readers: Readonly<Record<string, (typed: string) => unknown>> = {
  ...{ title: trimmed, container_image: trimmed, points: numberOf, passing_score: Number, order_index: Number },
  ...{ time_limit_minutes: numberOrNull, place: numberOrNull, opens_at: instantOrNull },
  ...{ tolerance: numberOf, accepted: linesOf, path: scriptOrNull },
  ...{ parameters: parametersOf, pool: scriptOrNull, draw: drawOf },
  ...{ setup_script: scriptOrNull, solution_script: scriptOrNull, partial_script: scriptOrNull },
};
/** The fields with the names of `wanted`, in their order. */
const typedFields = (draft: object, wanted: object): object =>
  Object.fromEntries(
    Object.keys(wanted).map((name) => {
      const value: unknown = draft[name as keyof typeof draft];
      return [name, readers[name] ? readers[name](String(value)) : value];
    }),
  );

const editedTask = (task: Assessment['tasks'][number]): TaskDraft => ({
  ...{ key: `saved-${task.id}`, id: task.id },
  ...edited({ ...task, accepted: task.accepted?.join('\n'), parameters: parametersText(task.parameters) }, newTask),
});

export const draftOf = (assessment: Assessment): Draft => {
  const tasks = assessment.tasks.map((task) => ({ ...editedTask(task) }));
  const opens_at = localTime(assessment.opens_at);
  const settings = edited({ ...assessment, opens_at, draw: drawText(assessment.draw) }, emptySettings);
  const follows_tasks = assessment.passing_score === pointsToPass({ settings, tasks });
  return { settings: { ...settings, follows_tasks }, tasks };
};

/** The fields that are sent to save the settings. */
export function settingsFields(kind: Kind, settings: SettingsDraft): AssessmentFields {
  const { order_index, is_session_only, has_certificate, is_sequential, ...common } = emptySettings;
  const own = kind === 'exam' ? { order_index, is_session_only, has_certificate } : { is_sequential };
  return typedFields(settings, { ...common, ...own });
}

export const taskFields = (task: TaskDraft): TaskFields =>
  typedFields(task, { ...commonFields, ...kindFields[task.kind] }) as TaskFields;

export const scriptsOf = (task: TaskDraft): TaskScripts => {
  const { kind, setup_script, parameters } = commonFields;
  return typedFields(task, { kind, setup_script, parameters, ...kindFields[task.kind] });
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether a draft differs from the saved one in anything that verdicts depend on: tasks, their scripts, the machine. */
export function hasChangedChecks(draft: Draft, saved: Assessment): boolean {
  const machineOf = ({ container_image, user, setup_script, is_sequential }: SettingsDraft) => [
    container_image.trim(),
    user,
    scriptOrNull(setup_script),
    is_sequential,
  ];
  const before = new Map(draftOf(saved).tasks.map((task) => [task.id, scriptsOf(task)]));
  return (
    !isSame(machineOf(draft.settings), machineOf(draftOf(saved).settings)) ||
    draft.tasks.some((task) => !isSame(scriptsOf(task), before.get(task.id)))
  );
}

/** The differences between a draft and the saved exam or laboratory. */
export function changesOf(kind: Kind, draft: Draft, saved: Assessment) {
  const baseline = draftOf(saved);
  const savedTasks = new Map(baseline.tasks.map((task) => [task.id, task]));
  const order = draft.tasks.map(({ id }) => id);
  const changed = draft.tasks.filter((task) => {
    const before = savedTasks.get(task.id);
    return task.id === undefined || !before || !isSame(taskFields(task), taskFields(before));
  });
  return {
    hasSettings: !isSame(settingsFields(kind, draft.settings), settingsFields(kind, baseline.settings)),
    tasks: changed,
    hasOrder: !isSame(
      order,
      baseline.tasks.map(({ id }) => id),
    ),
  };
}

/** The changes of a draft as a trial or a publication takes them. The order of the tasks is not one of them. */
export function publicationOf(kind: Kind, draft: Draft, saved: Assessment): Changes {
  const { hasSettings, tasks } = changesOf(kind, draft, saved);
  return {
    ...(hasSettings ? { fields: settingsFields(kind, draft.settings) } : {}),
    tasks: tasks.flatMap((task) => (task.id === undefined ? [] : [{ ...taskFields(task), id: task.id }])),
    newTasks: tasks.filter(({ id }) => id === undefined).map(taskFields),
  };
}

/** Whether a task is done on a machine, or takes a file of it. */
export const needsMachine = ({ kind, path }: TaskDraft): boolean =>
  kind === 'check' || (kind === 'file' && path !== '');

type Drawn = { tasks: readonly TaskDraft[]; settings: Pick<SettingsDraft, 'draw'> };

/** The points of an attempt: of a pool those that are drawn, which have the same. Points that are no number count as 0. */
export function sumOfPoints({ tasks, settings }: Drawn): number {
  const left = new Map(Object.entries(drawOf(settings.draw) ?? {}));
  let hundredths = 0;
  for (const { points, pool } of tasks) {
    const drawn = left.get(pool.trim());
    if (drawn !== undefined) left.set(pool.trim(), drawn - 1);
    if (drawn === undefined || drawn > 0) hundredths += Math.round(100 * (numberOf(points) || 0));
  }
  return hundredths / 100;
}

/** The percentage of the tasks' points that passes, unless the author says otherwise: that of the shipped exams. */
const passingPercent = 70;

/** The points to pass that follow from the tasks, at least 1. */
export const pointsToPass = (draft: Drawn): number =>
  Math.max(1, Math.ceil((sumOfPoints(draft) * passingPercent) / 100));

let lastKey = 0;

/** A key of a task that is not saved yet. */
export function newKey(): string {
  lastKey += 1;
  return `new-${lastKey}`;
}

/** A kept draft on what is saved now: tasks that were deleted since are new ones, and tasks that were added since are added. */
export function rebased({ settings, tasks }: Draft, saved: Assessment): Draft {
  const present = draftOf(saved).tasks;
  const kept = tasks.map((task) => {
    const isSaved = present.some(({ id }) => id === task.id);
    return isSaved ? { ...task, key: `saved-${task.id}` } : { ...task, id: undefined, key: newKey() };
  });
  return { settings, tasks: [...kept, ...present.filter(({ id }) => !kept.some((task) => task.id === id))] };
}
