import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Kind } from '../../api/kinds.ts';
import type { Strings } from '../../strings/en/index.ts';
import type { Draft } from './draft.ts';

/** Checks a draft by the limits of the service, before it is sent. */
export const draftResolver =
  (kind: Kind, t: Strings): Resolver<Draft> =>
  (draft) => {
    const errors = problemsOf(kind, draft, t);
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: draft, errors: {} };
  };

function problemsOf(kind: Kind, { settings, tasks }: Draft, t: Strings): FieldErrors<Draft> {
  const words = t.authoring.assessment;
  const required = (text: string) => (text.trim() === '' ? words.required : undefined);
  const whole = (text: string, from: number, to: number) =>
    /^-?\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to ? undefined : words.wholeNumber(from, to);
  const image = settings.container_image.trim();
  const hasNoLimit = kind === 'laboratory' && settings.time_limit_minutes.trim() === '';
  const ofSettings = found({
    title: required(settings.title),
    container_image: required(image) ?? (/^[a-z0-9][A-Za-z0-9._/:@-]*$/.test(image) ? undefined : words.imageWrong),
    passing_score: whole(settings.passing_score, 0, 1_000_000),
    time_limit_minutes: hasNoLimit ? undefined : whole(settings.time_limit_minutes, 1, 1440),
    order_index: kind === 'exam' ? whole(settings.order_index, -1_000_000, 1_000_000) : undefined,
  });
  const ofTasks = tasks.map((task) =>
    found({
      title: required(task.title),
      points: whole(task.points, 0, 10_000),
      verification_script: required(task.verification_script),
    }),
  );
  return {
    ...(ofSettings ? { settings: ofSettings } : {}),
    ...(ofTasks.some(Boolean) ? { tasks: ofTasks } : {}),
  };
}

/** Only the fields with a problem; undefined if there are none. */
function found<Name extends string>(fields: Record<Name, string | undefined>) {
  const problems = Object.entries<string | undefined>(fields).flatMap(([name, message]) =>
    message === undefined ? [] : [[name, { type: 'invalid', message }] as const],
  );
  return problems.length === 0
    ? undefined
    : (Object.fromEntries(problems) as Partial<Record<Name, { type: string; message: string }>>);
}
