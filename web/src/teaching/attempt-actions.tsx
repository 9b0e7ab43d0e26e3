import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { fieldOf, useSentForm } from '../ui/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Attempt } from './queries.ts';

/** Administrators' actions on an attempt: extend the time while it runs, grade again after a failure. */
export function AttemptActions({ attempt }: { attempt: Attempt }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isExtending, setExtending] = useState(false);
  const [isGrading, setGrading] = useState(false);
  if (attempt.status !== 'in_progress') return null;
  const { id } = attempt;
  return (
    <>
      {attempt.expires_at !== null && (
        <Button onClick={() => setExtending(true)} aria-haspopup="dialog">
          {t.teaching.extend}
        </Button>
      )}
      {attempt.grading_error !== null && (
        <Button onClick={() => setGrading(true)} aria-haspopup="dialog">
          {t.teaching.regrade}
        </Button>
      )}
      <Dialog
        title={t.teaching.extendTitle}
        description={t.teaching.extendHelp}
        isOpen={isExtending}
        onOpenChange={setExtending}
        width="max-w-sm"
      >
        <ExtendForm attempt={attempt} onDone={() => setExtending(false)} />
      </Dialog>
      <Confirm
        title={t.teaching.regradeTitle}
        action={t.teaching.regrade}
        look="primary"
        isOpen={isGrading}
        onOpenChange={setGrading}
        onConfirm={async () => {
          await ok(api.POST('/api/admin/attempts/{id}/grade', { params: { path: { id } } }));
          await queries.invalidateQueries({ queryKey: ['teaching'] });
          toasts.done(t.teaching.regraded);
        }}
      >
        {t.teaching.regradeHelp}
      </Confirm>
    </>
  );
}

function ExtendForm({ attempt, onDone }: { attempt: Attempt; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { id, started_at, expires_at } = attempt;
  const given = Math.round((Date.parse(expires_at ?? started_at) - Date.parse(started_at)) / 60_000);
  const values = { time_limit_minutes: `${given + 15}` };
  const { form, error, onSubmit } = useSentForm(values, async ({ time_limit_minutes }) => {
    const body = { time_limit_minutes: Number(time_limit_minutes) };
    await ok(api.PUT('/api/admin/attempts/{id}', { params: { path: { id } }, body }));
    await queries.invalidateQueries({ queryKey: ['teaching'] });
    toasts.done(t.teaching.extended);
    onDone();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={t.teaching.wholeTime}
        type="number"
        required
        min={given + 1}
        max={10_080}
        {...fieldOf(form, 'time_limit_minutes')}
      />
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.teaching.extend}
        </Button>
      </div>
    </form>
  );
}
