import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { examsQuery } from '../teaching-model/assessments.ts';
import { type ExamSession, type Participants, sessionsKey } from '../teaching-model/exam-sessions.ts';
import { SchoolTime } from '../teaching-model/school-time.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { instant, ownZone } from '../ui/local-time.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { GenerateCode } from './generate-code.tsx';
import { bodyOf, changesOf, type SessionFormState, timeLimitOf, type Values, valuesOf } from './session-values.ts';
import { WindowSuggestions } from './window-suggestions.tsx';

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
  const { form, error, onSubmit } = useSentForm(
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
  const [opens, closes] = form.watch(['opens_at', 'closes_at']);
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
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
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {given ? t.common.save : words.plan}
        </Button>
      </FormButtons>
    </form>
  );
}
