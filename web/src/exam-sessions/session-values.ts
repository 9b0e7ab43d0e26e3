import type { UseFormReturn } from 'react-hook-form';
import type { Exam } from '../teaching-model/assessments.ts';
import type { ExamSession } from '../teaching-model/exam-sessions.ts';
import { instant, localTime } from '../ui/time/local-time.ts';

/** The values of the form for a session, or for a new one. */
export const valuesOf = (given: ExamSession | undefined) => ({
  exam_id: given ? `${given.exam_id}` : '',
  title: given?.title ?? '',
  /** Whether it opens when the form is sent. */
  is_now: false,
  opens_at: localTime(given?.opens_at ?? null),
  closes_at: localTime(given?.closes_at ?? null),
  time_limit_minutes: `${given?.time_limit_minutes ?? ''}`,
  max_attempts: given ? `${given.max_attempts ?? ''}` : '1',
  counted_attempt: given?.counted_attempt ?? 'best',
  access_code: '',
  is_code_removed: false,
  networks: given?.networks.join('\n') ?? '',
  results_visible: given?.results_visible ?? 'after_close',
  is_output_visible: given?.is_output_visible ?? true,
  is_locked_down: given?.is_locked_down ?? false,
  has_hands: given?.has_hands ?? false,
  has_hidden_names: given?.has_hidden_names ?? false,
  has_assistant_graders: given?.has_assistant_graders ?? false,
  grader_tolerance_percent: `${given?.grader_tolerance_percent ?? ''}`,
  has_signals: given?.has_signals ?? false,
  review_days: `${given?.review_days ?? ''}`,
});
export type Values = ReturnType<typeof valuesOf>;
export type SessionFormState = UseFormReturn<Values>;

/** Minutes: the session's, or else the exam's. */
export const timeLimitOf = (
  { exam_id, time_limit_minutes }: Partial<Values>,
  exams: readonly Pick<Exam, 'id' | 'time_limit_minutes'>[],
): number | undefined => Number(time_limit_minutes) || exams.find(({ id }) => `${id}` === exam_id)?.time_limit_minutes;

const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

/** The body of a request that creates a session, without the exam. */
export function bodyOf({ exam_id: _exam, is_code_removed, is_now, ...values }: Values) {
  const { title, access_code } = values;
  return {
    ...{ counted_attempt: values.counted_attempt, results_visible: values.results_visible },
    ...{ opens_at: is_now ? null : instant(values.opens_at), closes_at: instant(values.closes_at) },
    time_limit_minutes: numberOf(values.time_limit_minutes),
    max_attempts: numberOf(values.max_attempts),
    is_output_visible: values.is_output_visible,
    is_locked_down: values.is_locked_down,
    has_hands: values.has_hands,
    has_hidden_names: values.has_hidden_names,
    has_assistant_graders: values.has_assistant_graders,
    grader_tolerance_percent: numberOf(values.grader_tolerance_percent),
    has_signals: values.has_signals,
    review_days: numberOf(values.review_days),
    networks: values.networks.split(/[\s,]+/).filter((network) => network !== ''),
    ...(title.trim() === '' ? {} : { title }),
    ...(is_code_removed ? { access_code: null } : access_code === '' ? {} : { access_code }),
  };
}

/**
 * The body of a request that changes a session: only what was edited. The fields of time lack seconds, which the pauses of a session have,
 * and cannot tell the two hours of the same name apart when the clocks are set back.
 */
export function changesOf(values: Values, given: ExamSession): Partial<ReturnType<typeof bodyOf>> {
  const before: Record<string, unknown> = bodyOf(valuesOf(given));
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(bodyOf(values)).filter(isChanged));
}
