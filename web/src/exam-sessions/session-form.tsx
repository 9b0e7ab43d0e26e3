import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Dices } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { examsQuery } from '../teaching-model/assessments.ts';
import { type ExamSession, type Participants, sessionsKey } from '../teaching-model/exam-sessions.ts';
import { SchoolTime } from '../teaching-model/school-time.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
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
  const { form } = sent;
  const [opens, closes] = form.watch(['opens_at', 'closes_at']);
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
          {...fieldOf(form, 'exam_id')}
        />
      )}
      <TextField label={words.name} help={words.nameHelp} maxLength={200} {...fieldOf(form, 'title')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={words.opens} type="datetime-local" required {...fieldOf(form, 'opens_at')} />
        <TextField label={words.closes} type="datetime-local" required {...fieldOf(form, 'closes_at')} />
      </div>
      {!given && (
        <WindowSuggestions
          timeLimit={() => timeLimitOf(form.getValues(), exams)}
          onChoose={(window) => {
            form.setValue('opens_at', window.opens_at, { shouldDirty: true });
            form.setValue('closes_at', window.closes_at, { shouldDirty: true });
          }}
        />
      )}
      <p className="text-sm text-ink-soft">
        {words.zone(ownZone())}{' '}
        {opens !== '' && closes !== '' && <SchoolTime opens={instant(opens)} closes={instant(closes)} />}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.timeLimit}
          help={words.timeLimitHelp}
          type="number"
          min={1}
          max={1440}
          {...fieldOf(form, 'time_limit_minutes')}
        />
        <TextField
          label={words.maxAttempts}
          help={words.maxAttemptsHelp}
          type="number"
          min={1}
          max={1000}
          {...fieldOf(form, 'max_attempts')}
        />
        <Select
          label={words.counted}
          options={optionsOf(counted, words.counts)}
          {...fieldOf(form, 'counted_attempt')}
        />
        <Select
          label={words.results}
          options={optionsOf(visible, words.visible)}
          {...fieldOf(form, 'results_visible')}
        />
      </div>
      <Checkbox label={words.output} {...form.register('is_output_visible')} />
      <Checkbox label={words.lockDown} {...form.register('is_locked_down')} />
      <TextField
        label={words.accessCode}
        help={given?.has_access_code ? words.accessCodeKept : words.accessCodeHelp}
        maxLength={200}
        autoComplete="off"
        {...fieldOf(form, 'access_code')}
      />
      {!given && <GenerateCode onCode={(code) => form.setValue('access_code', code, { shouldDirty: true })} />}
      {given?.has_access_code && <Checkbox label={words.removeCode} {...form.register('is_code_removed')} />}
      <TextArea label={words.networks} help={words.networksHelp} rows={2} {...fieldOf(form, 'networks')} />
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

const suggestions = ['inAnHour', 'tomorrow', 'monday'] as const;
/** The hour at which lessons begin, in the user's zone. */
const morning = 9;
/** Minutes in which the students arrive. */
const arrival = 15;
const usualMinutes = 60;

type Window = { opens_at: string; closes_at: string };

/** Suggests windows in local time: the time of the exam, and some minutes for those who come late. */
function WindowSuggestions({
  timeLimit,
  onChoose,
}: {
  /** Minutes, where they are known. */
  timeLimit: () => number | undefined;
  onChoose: (window: Window) => void;
}) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const choose = (opens: Date): void => {
    const closes = new Date(opens.getTime() + (arrival + (timeLimit() ?? usualMinutes)) * 60_000);
    onChoose({ opens_at: localTime(opens.toISOString()), closes_at: localTime(closes.toISOString()) });
  };
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{words.suggestions}</legend>
      {suggestions.map((name) => (
        <Button key={name} size="small" onClick={() => choose(momentOf(name, new Date(serverNow())))}>
          {words[name]}
        </Button>
      ))}
    </fieldset>
  );
}

function momentOf(name: (typeof suggestions)[number], now: Date): Date {
  const moment = new Date(now);
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
