import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Attempt } from './queries.ts';

/** The actions on an attempt: more time while it runs, and for administrators to grade it again after a failure. */
export function AttemptActions({ attempt, isAdmin }: { attempt: Attempt; isAdmin: boolean }) {
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
      {isAdmin && attempt.grading_error !== null && (
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
  const format = useFormat();
  const { form, error, onSubmit } = useSentForm({ minutes: '15' }, async ({ minutes }) => {
    const params = { path: { id: attempt.id } };
    const body = { minutes: Number(minutes) };
    const { expires_at } = await ok(api.POST('/api/instructor/attempts/{id}/extend', { params, body }));
    await queries.invalidateQueries({ queryKey: ['teaching'] });
    toasts.done(t.teaching.extended(body.minutes, expires_at === null ? '' : format.clock(expires_at)));
    onDone();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={t.teaching.addedMinutes}
        type="number"
        required
        min={1}
        max={1440}
        {...fieldOf(form, 'minutes')}
      />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.teaching.extend}
        </Button>
      </FormButtons>
    </form>
  );
}
