import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Dices } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { examsQuery } from '../teaching-model/assessments.ts';
import type { ExamSession, Participants } from '../teaching-model/exam-sessions.ts';
import { SchoolTime } from '../teaching-model/school-time.tsx';
import { sessionsKey } from '../teaching-model/session-list.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { instant, localTime, ownZone } from '../ui/time/local-time.ts';
import { useToasts } from '../ui/toasts.tsx';
import { bodyOf, changesOf, type SessionFormState, timeLimitOf, type Values, valuesOf } from './session-values.ts';

const visible = ['at_end', 'after_close', 'when_released', 'never'] as const;
const counted = ['best', 'last', 'first'] as const;

/** The fields of a new exam session, or of an existing one. */
export function SessionForm({
  participants,
  given,
  onDone,
  children,
}: {
  /** Of a new session. */
  participants?: Participants;
  given?: ExamSession;
  /** @param code the access code that was entered, which is not read back */
  onDone: (session: ExamSession, code: string) => void | Promise<void>;
  /** Follows the fields of the session, and reads their values. */
  children?: (form: SessionFormState) => ReactNode;
}) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.examSessions;
  const { data: exams = [] } = useQuery({ ...examsQuery, enabled: given === undefined });
  const sent = useSentForm(
    valuesOf(given),
    async (values) => {
      const exam_id = Number(values.exam_id);
      const session = given
        ? await ok(
            api.PUT('/api/exam-sessions/{id}', {
              params: { path: { id: given.id } },
              body: changesOf(values, given),
            }),
          )
        : await ok(api.POST('/api/exam-sessions', { body: { ...bodyOf(values), exam_id, ...participants } }));
      toasts.done(given ? words.saved : words.planned(session.title));
      await onDone(session, values.access_code);
      await queries.invalidateQueries({ queryKey: sessionsKey });
    },
    // A wrong network is named by its place in the list.
    (name) =>
      /^\d+$/.test(name) ? 'networks' : Object.hasOwn(valuesOf(given), name) ? (name as keyof Values) : undefined,
  );
  const { form, field } = sent;
  const [isNow, opens, closes] = form.watch(['is_now', 'opens_at', 'closes_at']);
  const choose = (window: Window): void => {
    for (const name of ['is_now', 'opens_at', 'closes_at'] as const)
      form.setValue(name, window[name], { shouldDirty: true });
  };
  return (
    <SentForm sent={sent} action={given ? t.common.save : words.plan}>
      {!given && (
        <Select
          label={words.exam}
          required
          options={[
            { value: '', label: words.chooseExam },
            ...exams.map(({ id, title }) => ({ value: `${id}`, label: title })),
          ]}
          {...field('exam_id')}
        />
      )}
      <TextField label={words.name} help={words.nameHelp} maxLength={200} {...field('title')} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {isNow ? (
          <OpensNow onOther={() => form.setValue('is_now', false)} />
        ) : (
          <TextField label={words.opens} type="datetime-local" required {...field('opens_at')} />
        )}
        <TextField label={words.closes} type="datetime-local" required {...field('closes_at')} />
      </div>
      {!given && <WindowSuggestions timeLimit={timeLimitOf(form.watch(), exams)} closes={closes} onChoose={choose} />}
      {given?.state === 'upcoming' && !isNow && (
        <div>
          <Button size="small" onClick={() => form.setValue('is_now', true, { shouldDirty: true })}>
            {words.planning.openNow}
          </Button>
        </div>
      )}
      <p className="text-sm text-ink-soft">
        {words.zone(ownZone())}{' '}
        {!isNow && opens !== '' && closes !== '' && <SchoolTime opens={instant(opens)} closes={instant(closes)} />}
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label={words.timeLimit}
          help={words.timeLimitHelp}
          type="number"
          min={1}
          max={1440}
          {...field('time_limit_minutes')}
        />
        <TextField
          label={words.maxAttempts}
          help={words.maxAttemptsHelp}
          type="number"
          min={1}
          max={1000}
          {...field('max_attempts')}
        />
        <Select label={words.counted} options={optionsOf(counted, words.counts)} {...field('counted_attempt')} />
        <Select label={words.results} options={optionsOf(visible, words.visible)} {...field('results_visible')} />
        <TextField
          label={words.reviewDays}
          help={words.reviewDaysHelp}
          type="number"
          min={1}
          max={365}
          {...field('review_days')}
        />
        <TextField
          label={words.tolerance}
          help={words.toleranceHelp}
          type="number"
          min={0}
          max={100}
          {...field('grader_tolerance_percent')}
        />
      </div>
      <Checkbox label={words.output} {...form.register('is_output_visible')} />
      <Checkbox label={words.hands} {...form.register('has_hands')} />
      <Checkbox label={words.assistantGraders} {...form.register('has_assistant_graders')} />
      <Checkbox label={words.hiddenNames} {...form.register('has_hidden_names')} />
      <Checkbox label={words.lockDown} {...form.register('is_locked_down')} />
      <Checkbox label={words.signals} {...form.register('has_signals')} />
      <TextField
        label={words.accessCode}
        help={given?.has_access_code ? words.accessCodeKept : words.accessCodeHelp}
        maxLength={200}
        autoComplete="off"
        {...field('access_code')}
      />
      {!given && <GenerateCode onCode={(code) => form.setValue('access_code', code, { shouldDirty: true })} />}
      {given?.has_access_code && <Checkbox label={words.removeCode} {...form.register('is_code_removed')} />}
      <TextArea label={words.networks} help={words.networksHelp} rows={2} {...field('networks')} />
      {children?.(form)}
    </SentForm>
  );
}

/** Without characters that look alike on a blackboard. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 6;

/** Easy to read aloud. Guessing is slowed down, so it need not be long. */
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => characters[byte % characters.length]).join('');

/** Creates a random access code. */
function GenerateCode({ onCode }: { onCode: (code: string) => void }) {
  const t = useStrings();
  return (
    <div>
      <Button size="small" onClick={() => onCode(newCode())}>
        <Dices size={16} aria-hidden="true" /> {t.examSessions.planning.generateCode}
      </Button>
    </div>
  );
}

/** In the place of a time: the session opens when the form is sent. */
function OpensNow({ onOther }: { onOther: () => void }) {
  const t = useStrings();
  const words = t.examSessions.planning;
  return (
    <fieldset className="flex flex-col items-start gap-1">
      <legend className="text-sm font-medium">{t.examSessions.opens}</legend>
      <p className="flex min-h-10 items-center text-sm">{words.whenSaved}</p>
      <Button size="small" onClick={onOther}>
        {words.setTime}
      </Button>
    </fieldset>
  );
}

const suggestions = ['now', 'inAnHour', 'tomorrow', 'monday'] as const;
type Suggestion = (typeof suggestions)[number];
/** The hour at which lessons begin, in the user's zone. */
const morning = 9;
/** Minutes in which the students arrive. */
const arrival = 15;
const usualMinutes = 60;

type Window = Pick<Values, 'is_now' | 'opens_at' | 'closes_at'>;

/** Suggests windows in local time: the time of the exam, and some minutes for those who come late. */
function WindowSuggestions({
  timeLimit = usualMinutes,
  closes,
  onChoose,
}: {
  /** Minutes, where they are known. */
  timeLimit: number | undefined;
  /** What the field has. */
  closes: string;
  onChoose: (window: Window) => void;
}) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const [chosen, setChosen] = useState<{ name: Suggestion; opens: Date; timeLimit: number; closes: string }>();
  const choose = (name: Suggestion, opens: Date): void => {
    const moment = new Date(opens.getTime() + (arrival + timeLimit) * 60_000);
    const window = { opens_at: localTime(opens.toISOString()), closes_at: localTime(moment.toISOString()) };
    setChosen({ name, opens, timeLimit, closes: window.closes_at });
    onChoose({ is_now: name === 'now', ...window });
  };
  // A suggestion follows the time limit, as long as the user has not changed its end: the exam can be chosen after it.
  useEffect(() => {
    if (chosen && chosen.closes === closes && chosen.timeLimit !== timeLimit) choose(chosen.name, chosen.opens);
  });
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{words.suggestions}</legend>
      {suggestions.map((name) => (
        <Button key={name} size="small" onClick={() => choose(name, momentOf(name, new Date(serverNow())))}>
          {words[name]}
        </Button>
      ))}
    </fieldset>
  );
}

function momentOf(name: Suggestion, now: Date): Date {
  const moment = new Date(now);
  if (name === 'now') return moment;
  if (name === 'inAnHour') {
    // The next full five minutes.
    moment.setMinutes(Math.ceil((moment.getMinutes() + 60) / 5) * 5, 0, 0);
    return moment;
  }
  const days = name === 'tomorrow' ? 1 : (8 - moment.getDay()) % 7 || 7;
  moment.setDate(moment.getDate() + days);
  moment.setHours(morning, 0, 0, 0);
  return moment;
}
