import type { Kind } from '../../api/kinds.ts';
import type { Assessment, AssessmentFields, Changes, Task, TaskFields } from './assessment-calls.ts';

/** A task while it is edited. Numbers are kept as they are typed. A task without an id is not saved yet. */
export type TaskDraft = {
  key: string;
  id: number | undefined;
  title: string;
  description: string;
  points: string;
  hint: string;
  verification_script: string;
  verdict: 'pass' | 'exit-status' | 'ok';
  solution_script: string;
  setup_script: string;
};
export const emptyTask: TaskDraft = {
  key: '',
  id: undefined,
  title: '',
  description: '',
  points: '1',
  hint: '',
  verification_script: '',
  verdict: 'pass',
  solution_script: '',
  setup_script: '',
};
export type SettingsDraft = {
  title: string;
  description: string;
  introduction: string;
  conclusion: string;
  container_image: string;
  user: 'student' | 'root';
  passing_score: string;
  /** The points to pass follow the tasks. Not saved: they do where they are what they would be. */
  follows_tasks: boolean;
  time_limit_minutes: string;
  order_index: string;
  /** The id of the course or section, or empty. */
  place: string;
  setup_script: string;
  is_sequential: boolean;
  is_session_only: boolean;
};
export type Draft = { settings: SettingsDraft; tasks: TaskDraft[] };

const typed = (value: number | null): string => (value === null ? '' : `${value}`);

export const draftOf = (assessment: Assessment): Draft => ({
  settings: {
    title: assessment.title,
    description: assessment.description,
    introduction: assessment.introduction,
    conclusion: assessment.conclusion ?? '',
    container_image: assessment.container_image,
    user: assessment.user,
    passing_score: typed(assessment.passing_score),
    follows_tasks: assessment.passing_score === pointsToPass(assessment.tasks.map(draftOfTask)),
    time_limit_minutes: typed(assessment.time_limit_minutes),
    order_index: typed(assessment.order_index),
    place: typed(assessment.place),
    setup_script: assessment.setup_script ?? '',
    is_sequential: assessment.is_sequential ?? false,
    is_session_only: assessment.is_session_only ?? false,
  },
  tasks: assessment.tasks.map(draftOfTask),
});

const draftOfTask = (task: Task): TaskDraft => ({
  key: `saved-${task.id}`,
  id: task.id,
  title: task.title,
  description: task.description ?? '',
  points: typed(task.points),
  hint: task.hint ?? '',
  verification_script: task.verification_script ?? '',
  verdict: task.verdict ?? 'pass',
  solution_script: task.solution_script ?? '',
  setup_script: task.setup_script ?? '',
});

const scriptOrNull = (script: string): string | null => (script.trim() === '' ? null : script);

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** The fields that are sent to save the settings. */
export function settingsFields(kind: Kind, settings: SettingsDraft): AssessmentFields {
  const { title, description, container_image, passing_score, time_limit_minutes, order_index, place } = settings;
  return {
    title: title.trim(),
    description,
    introduction: settings.introduction,
    conclusion: settings.conclusion,
    container_image: container_image.trim(),
    user: settings.user,
    passing_score: Number(passing_score),
    time_limit_minutes: numberOrNull(time_limit_minutes),
    place: numberOrNull(place),
    setup_script: scriptOrNull(settings.setup_script),
    ...(kind === 'exam'
      ? { order_index: Number(order_index), is_session_only: settings.is_session_only }
      : { is_sequential: settings.is_sequential }),
  };
}

export const scriptsOf = ({ verification_script, verdict, solution_script, setup_script }: TaskDraft) => ({
  verification_script,
  verdict,
  solution_script: scriptOrNull(solution_script),
  setup_script: scriptOrNull(setup_script),
});

export const taskFields = (task: TaskDraft): TaskFields => ({
  title: task.title.trim(),
  description: task.description,
  points: Number(task.points),
  ...scriptsOf(task),
  hint: task.hint,
});

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

/** The sum of the tasks' points. Points that are no number count as 0. */
export const sumOfPoints = (tasks: readonly TaskDraft[]): number =>
  tasks.reduce((sum, { points }) => sum + (Number.isFinite(Number(points)) ? Number(points) : 0), 0);

/** The percentage of the tasks' points that passes, unless the author says otherwise: that of the shipped exams. */
const passingPercent = 70;

/** The points to pass that follow from the tasks, at least 1. */
export const pointsToPass = (tasks: readonly TaskDraft[]): number =>
  Math.max(1, Math.ceil((sumOfPoints(tasks) * passingPercent) / 100));

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
