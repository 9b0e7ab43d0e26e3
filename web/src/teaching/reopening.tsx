import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFeedback } from '../attempts/feedback.tsx';
import { feedbackKey, reopenRequestsQuery } from '../attempts/queries.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { RegradeDialog } from '../teaching-model/regrade-dialog.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Attempt } from './queries.ts';

const evidenceQuery = (id: number) =>
  queryOptions({
    queryKey: ['teaching', 'evidence', id],
    queryFn: () => ok(api.GET('/api/instructor/attempts/{id}/evidence/summary', { params: { path: { id } } })),
    // It is collected in the first seconds after the end.
    refetchInterval: ({ state }) => (state.data?.status === 'keeping' ? 2000 : false),
  });

/** What an ended attempt has left: to save it, to give the attempt back, and to grade it again. Nothing once it is deleted. */
export function AfterEnd({ attempt }: { attempt: Attempt }) {
  const { feedback: words, regrades } = useStrings();
  const { data } = useQuery(evidenceQuery(attempt.id));
  const feedback = useFeedback(attempt.kind, attempt.id, true);
  const [open, setOpen] = useState<'reopen' | 'regrade'>();
  const close = (): void => setOpen(undefined);
  if (!data) return null;
  const isRestorable = data.status === 'kept' && data.is_restorable;
  const { id, kind, exam_id, laboratory_id, revision, status, state, needs_machine } = attempt;
  const hasAnswers = state?.tasks.some((task) => task.kind === 'choice' || task.kind === 'answer');
  const mayRegrade = status !== 'abandoned' && (isRestorable || hasAnswers);
  return (
    <>
      {data.status === 'kept' && (
        <>
          <DownloadButton label={words.evidence} path={`/api/instructor/attempts/${id}/evidence`} />
          {/* For a comparison with what `verify-evidence` prints. */}
          <p className="order-last basis-full text-xs wrap-anywhere text-ink-soft">
            {words.evidenceKey} <code>{data.public_key}</code>
          </p>
        </>
      )}
      {feedback?.is_decider && (isRestorable || !needs_machine) && (
        <Button onClick={() => setOpen('reopen')} aria-haspopup="dialog">
          {words.reopen}
        </Button>
      )}
      {feedback?.is_decider && mayRegrade && (
        <Button onClick={() => setOpen('regrade')} aria-haspopup="dialog">
          {regrades.action}
        </Button>
      )}
      <ReopenDialog id={id} isOpen={open === 'reopen'} onClose={close} />
      <RegradeDialog
        scope={{ of: 'attempt', id, kind, assessmentId: exam_id ?? laboratory_id, revision }}
        isOpen={open === 'regrade'}
        onOpenChange={close}
      />
    </>
  );
}

function ReopenDialog({ id, isOpen, onClose }: { id: number; isOpen: boolean; onClose: () => void }) {
  const { feedback: words } = useStrings();
  return (
    <Dialog
      title={words.reopenTitle}
      description={words.reopenHelp}
      isOpen={isOpen}
      onOpenChange={onClose}
      width="max-w-sm"
    >
      <ReopenForm id={id} onDone={onClose} />
    </Dialog>
  );
}

function ReopenForm({ id, onDone }: { id: number; onDone: () => void }) {
  const { feedback: words } = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm({ minutes: '' }, async ({ minutes }) => {
    const body = minutes === '' ? {} : { minutes: Number(minutes) };
    const { expires_at } = await ok(
      api.POST('/api/instructor/attempts/{id}/reopen', { params: { path: { id } }, body }),
    );
    await Promise.all([feedbackKey, ['teaching']].map((queryKey) => queries.invalidateQueries({ queryKey })));
    toasts.done(words.reopened(expires_at === null ? '' : format.clock(expires_at)));
    onDone();
  });
  return (
    <SentForm sent={sent} action={words.reopen}>
      <TextField
        label={words.reopenMinutes}
        help={words.reopenMinutesHelp}
        type="number"
        min={1}
        max={10_080}
        {...sent.field('minutes')}
      />
    </SentForm>
  );
}

/** What the attempt was each time before it was given back. */
export function Endings({ attempt: { id } }: { attempt: Attempt }) {
  const { regrades: words } = useStrings();
  const format = useFormat();
  const { data = [] } = useQuery({
    queryKey: ['teaching', 'endings', id],
    queryFn: ({ signal }) => ok(api.GET('/api/instructor/attempts/{id}/endings', { params: { path: { id } }, signal })),
  });
  if (data.length === 0) return null;
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold">{words.endings}</h2>
      <ul className="flex flex-col gap-2 text-sm">
        {data.map(({ id: ending, submitted_at, score, max_score, reopened_at, reopened_by }) => (
          <li key={ending}>
            {submitted_at === null ? words.givenUp : words.submitted(format.time(submitted_at))}
            {score !== null && `, ${words.score(format.decimal(score), format.decimal(max_score))}`}
            <span className="block text-ink-soft">{words.reopened(format.time(reopened_at), reopened_by)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The attempts that students ask to have back, the oldest request first. */
export function ReopenQueue() {
  const { feedback, regrades: words } = useStrings();
  const { data = [] } = useQuery(reopenRequestsQuery);
  const [open, setOpen] = useState<{ action: 'reopen' | 'decline'; id: number }>();
  const close = (): void => setOpen(undefined);
  const id = open?.id ?? 0;
  return (
    <>
      {data.length > 0 && (
        <section aria-label={words.queue}>
          <Card>
            <h2 className="font-semibold">{words.queue}</h2>
            <ul className="divide-y">
              {data.map(({ attempt_id, username, full_name, class_name, title, requested_at }) => (
                <li key={attempt_id} className="flex flex-wrap items-center justify-between gap-2 py-2.5 text-sm">
                  <p className="wrap-anywhere">
                    <AttemptLink id={attempt_id} className="font-medium text-accent hover:underline">
                      {full_name || username}
                    </AttemptLink>{' '}
                    · {[class_name, title].filter(Boolean).join(' · ')} · <Ago time={requested_at} />
                  </p>
                  <div className="flex flex-wrap gap-2">
                    {(['reopen', 'decline'] as const).map((action) => (
                      <Button
                        key={action}
                        size="small"
                        onClick={() => setOpen({ action, id: attempt_id })}
                        aria-haspopup="dialog"
                      >
                        {action === 'reopen' ? feedback.reopen : words.decline}
                        <span className="sr-only">: {full_name || username}</span>
                      </Button>
                    ))}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        </section>
      )}
      {/* Outside of the list: the last request leaves it before a dialog has closed. */}
      <ReopenDialog id={id} isOpen={open?.action === 'reopen'} onClose={close} />
      <DeclineConfirm id={id} isOpen={open?.action === 'decline'} onClose={close} />
    </>
  );
}

/** That the student asks to have the attempt back. *Reopen* is among the actions of the page. */
export function RequestedReopen({ attempt: { id } }: { attempt: Attempt }) {
  const { regrades: words } = useStrings();
  const { data } = useQuery(reopenRequestsQuery);
  const [isDeclining, setDeclining] = useState(false);
  const request = data?.find(({ attempt_id }) => attempt_id === id);
  return (
    <>
      {request && (
        <Card className="flex flex-wrap items-center justify-between gap-3">
          <p>
            {words.asked} · <Ago time={request.requested_at} />
          </p>
          <Button onClick={() => setDeclining(true)} aria-haspopup="dialog">
            {words.decline}
          </Button>
        </Card>
      )}
      <DeclineConfirm id={id} isOpen={isDeclining} onClose={() => setDeclining(false)} />
    </>
  );
}

function DeclineConfirm({ id, isOpen, onClose }: { id: number; isOpen: boolean; onClose: () => void }) {
  const { regrades: words } = useStrings();
  const queries = useQueryClient();
  const toasts = useToasts();
  const decline = async (): Promise<void> => {
    await ok(api.DELETE('/api/instructor/attempts/{id}/reopen-request', { params: { path: { id } } }));
    toasts.done(words.declined);
    await queries.invalidateQueries({ queryKey: feedbackKey });
  };
  return (
    <Confirm
      title={words.declineTitle}
      action={words.decline}
      isOpen={isOpen}
      onOpenChange={onClose}
      onConfirm={decline}
    >
      {words.declineHelp}
    </Confirm>
  );
}
