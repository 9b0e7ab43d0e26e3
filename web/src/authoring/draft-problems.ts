import type { Kind } from '../api/kinds.ts';
import { Problem } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';
import { itemText } from '../ui/bind-fields.ts';
import type { Draft, SettingsDraft, TaskDraft } from './draft.ts';

type FieldProblems<Fields> = Partial<Record<keyof Fields, string>>;

/** The problems of a draft, by field. */
export type DraftProblems = {
  settings: FieldProblems<SettingsDraft>;
  /** By the key of the task. */
  tasks: Record<string, FieldProblems<TaskDraft>>;
};

export const noProblems: DraftProblems = { settings: {}, tasks: {} };

export const hasProblems = ({ settings, tasks }: DraftProblems): boolean =>
  Object.keys(settings).length > 0 || Object.keys(tasks).length > 0;

/** Checks the service's limits before a request. */
export function problemsOf(kind: Kind, draft: Draft, t: Strings): DraftProblems {
  const words = t.authoring.subject;
  const required = (text: string) => (text.trim() === '' ? words.required : undefined);
  const whole = (text: string, from: number, to: number) =>
    /^-?\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to ? undefined : words.wholeNumber(from, to);
  const { settings, tasks } = draft;
  const image = settings.container_image.trim();
  const hasNoLimit = kind === 'laboratory' && settings.time_limit_minutes.trim() === '';
  const byTask = tasks.map((task): [string, FieldProblems<TaskDraft>] => [
    task.key,
    found({
      title: required(task.title),
      points: whole(task.points, 0, 10_000),
      verification_script: required(task.verification_script),
    }),
  ]);
  return {
    settings: found({
      title: required(settings.title),
      container_image: required(image) ?? (/^[a-z0-9][A-Za-z0-9._/:@-]*$/.test(image) ? undefined : words.imageWrong),
      passing_score: whole(settings.passing_score, 0, 1_000_000),
      time_limit_minutes: hasNoLimit ? undefined : whole(settings.time_limit_minutes, 1, 1440),
      order_index: kind === 'exam' ? whole(settings.order_index, -1_000_000, 1_000_000) : undefined,
    }),
    tasks: Object.fromEntries(byTask.filter(([, problems]) => Object.keys(problems).length > 0)),
  };
}

/** The service's errors by field. `taskKey` is set where the error was about a task. */
export function refusedFields(t: Strings, error: unknown, taskKey: string | undefined): DraftProblems {
  if (!(error instanceof Problem)) return noProblems;
  const fields = Object.fromEntries(error.items.map((item) => [`${item.loc.at(-1)}`, itemText(t, item)]));
  if (Object.keys(fields).length === 0) return noProblems;
  return taskKey === undefined ? { settings: fields, tasks: {} } : { settings: {}, tasks: { [taskKey]: fields } };
}

/** Only the fields with a problem. */
const found = <Fields>(fields: { [Name in keyof Fields]?: string | undefined }): FieldProblems<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined)) as FieldProblems<Fields>;
