import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { AttemptSignals } from '../attempts/signals.tsx';
import { isOver } from '../attempts/status.ts';
import { useAddress, useTabAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { PersonLink } from '../teaching-model/person-link.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Email } from '../ui/email.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { PassedBadge, StatusBadge } from './attempt-badges.tsx';
import { AttemptsOfStudent } from './attempts-page.tsx';
import { Decisions, RequestedReview } from './decisions.tsx';
import { lengthOfTime } from './length-of-time.ts';
import { type Attempt, attemptQuery } from './queries.ts';
import { Recordings } from './recordings.tsx';
import { AfterEnd, Endings, RequestedReopen } from './reopening.tsx';
import { AttemptTasks, Integrity } from './task-result.tsx';

// They have most of their parts in common, and one part of a first load less to name.
export { GradingPage } from './grading-page.tsx';
export { RegradePage } from './regrade-page.tsx';
export { RegradesPage } from './regrades-page.tsx';

/** A student's attempt: its state, the output of each check, and the recordings of its terminals. */
export function AttemptPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/teaching/attempts/$attemptId' }).attemptId);
  const attempt = useQuery(attemptQuery(id));
  const { data } = attempt;
  return (
    <Page
      title={data?.title ?? t.teaching.attempt}
      crumbs={
        <Crumbs>
          <Crumb to="/teaching/attempts">{t.teaching.backToAttempts}</Crumb>
          {data && (
            <Crumb to="/teaching/attempts" search={{ user_id: data.user_id }}>
              {data.full_name || data.username}
            </Crumb>
          )}
        </Crumbs>
      }
      lead={
        data && (
          <>
            <PersonLink id={data.user_id}>{data.full_name || data.username}</PersonLink> · <Email of={data.email} />
          </>
        )
      }
      actions={data && <Actions attempt={data} />}
    >
      <Fetched query={attempt}>{(found) => <Content attempt={found} />}</Fetched>
    </Page>
  );
}

function Actions({ attempt }: { attempt: Attempt }) {
  const t = useStrings();
  const { role } = useUser();
  return (
    <>
      {attempt.status === 'in_progress' && attempt.container_id !== null && (
        <ButtonLink
          to="/teaching/live/$containerId"
          params={{ containerId: `${attempt.container_id}` }}
          search={{ from: location.pathname }}
        >
          <Eye size={16} aria-hidden="true" /> {t.teaching.watchNow}
        </ButtonLink>
      )}
      <AttemptActions attempt={attempt} isAdmin={role === 'admin'} />
    </>
  );
}

function Content({ attempt }: { attempt: Attempt }) {
  const t = useStrings();
  const { tab } = useAddress('/teaching/attempts/$attemptId').search;
  return (
    <>
      {attempt.grading_error && (
        <p role="alert" className="rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm">
          <strong className="text-bad">{t.teaching.gradingError}.</strong>{' '}
          {t.teaching.gradingErrors[attempt.grading_error_code ?? ''] ?? attempt.grading_error}
        </p>
      )}
      <Summary attempt={attempt} />
      <Endings attempt={attempt} />
      <RequestedReopen attempt={attempt} />
      <RequestedReview attempt={attempt} />
      <Tabs
        label={attempt.title}
        titles={{ tasks: t.teaching.tasks, recordings: t.teaching.recordings, history: t.teaching.history }}
        shown={tab}
      >
        <TabPanel name="tasks">
          <h2 className="sr-only">{t.teaching.tasks}</h2>
          {attempt.results.length === 0 && <Empty title={t.teaching.noResultsTitle}>{t.teaching.noResultsHelp}</Empty>}
          <AttemptTasks attempt={attempt} />
          <Decisions attempt={attempt} />
          {attempt.kind === 'exam' && isOver(attempt) && <AttemptSignals attemptId={attempt.id} isStaff />}
          {attempt.integrity && (
            <section className="flex flex-col gap-3">
              <h2 className="text-lg font-semibold">{t.teaching.integrityTitle}</h2>
              <Integrity files={attempt.integrity} />
            </section>
          )}
        </TabPanel>
        <TabPanel name="recordings">
          <h2 className="sr-only">{t.teaching.recordings}</h2>
          {attempt.kind === 'exam' ? (
            <>
              {attempt.has_unrecorded_terminals && (
                <p className="pb-3 text-sm text-ink-soft">{t.teaching.notRecorded}</p>
              )}
              <Recordings attemptId={attempt.id} />
            </>
          ) : (
            <p className="text-sm text-ink-soft">{t.teaching.noLaboratoryRecordings}</p>
          )}
        </TabPanel>
        <TabPanel name="history">
          <History attempt={attempt} />
        </TabPanel>
      </Tabs>
    </>
  );
}

/** All attempts of the student at the same exam or laboratory. */
function History({ attempt: { user_id, exam_id, laboratory_id } }: { attempt: Attempt }) {
  const t = useStrings();
  const address = useTabAddress('/teaching/attempts/$attemptId', 'history');
  const of = exam_id === null ? { user_id, laboratory_id: laboratory_id ?? undefined } : { user_id, exam_id };
  return (
    <>
      <p className="text-sm text-ink-soft">{t.teaching.historyLead}</p>
      <AttemptsOfStudent of={of} {...address} />
    </>
  );
}

type Fact = [name: string, value: ReactNode];

const Container = ({ container_name }: Pick<Attempt, 'container_name'>) => (
  <code className="text-xs break-all">{container_name}</code>
);

/** The image of the container, with the beginning of its identifier. */
function Image({ state, image_id }: Pick<Attempt, 'state' | 'image_id'>) {
  return (
    <code className="text-xs wrap-anywhere" title={image_id ?? undefined}>
      {state?.container_image}
      {image_id && ` (${image_id.replace('sha256:', '').slice(0, 12)})`}
    </code>
  );
}

function Summary({ attempt }: { attempt: Attempt }) {
  const t = useStrings();
  const format = useFormat();
  const { status, score, max_score, passing_score, started_at, submitted_at, expires_at } = attempt;
  const seconds = submitted_at && (Date.parse(submitted_at) - Date.parse(started_at)) / 1000;
  const facts: Fact[] = [
    [t.teaching.status, <StatusBadge key="status" status={status} />],
    [
      t.teaching.score,
      <span key="score" className="flex flex-wrap items-center gap-2">
        <strong className="text-lg">{score === null ? '–' : t.teaching.scoreOf(score, max_score)}</strong>
        <PassedBadge attempt={attempt} />
      </span>,
    ],
    [t.teaching.started, format.time(started_at)],
    submitted_at
      ? [t.teaching.submitted, format.time(submitted_at)]
      : [t.teaching.deadline, expires_at ? format.time(expires_at) : t.teaching.noLimit],
    ...(seconds ? [[t.teaching.duration, lengthOfTime(seconds)] satisfies [string, string]] : []),
    ...(attempt.needs_machine
      ? [[t.teaching.container, <Container key="container" {...attempt} />] satisfies Fact]
      : []),
    ...(attempt.revision === null ? [] : [[t.teaching.revision, `${attempt.revision}`] satisfies [string, string]]),
    ...(attempt.state && attempt.needs_machine
      ? [[t.teaching.image, <Image key="image" {...attempt} />] satisfies Fact]
      : []),
  ];
  return (
    <Card>
      <h2 className="sr-only">{t.teaching.summary}</h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="mt-0.5">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 border-t pt-3 text-sm text-ink-soft">{t.teaching.needed(passing_score, max_score)}</p>
    </Card>
  );
}

/** The actions on an attempt: more time while it runs, and for administrators to grade it again after a failure. */
function AttemptActions({ attempt, isAdmin }: { attempt: Attempt; isAdmin: boolean }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isExtending, setExtending] = useState(false);
  const [isGrading, setGrading] = useState(false);
  if (attempt.status === 'finished' || attempt.status === 'expired' || attempt.status === 'abandoned')
    return <AfterEnd attempt={attempt} />;
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
  const sent = useSentForm({ minutes: '15' }, async ({ minutes }) => {
    const params = { path: { id: attempt.id } };
    const body = { minutes: Number(minutes) };
    const { expires_at } = await ok(api.POST('/api/instructor/attempts/{id}/extend', { params, body }));
    await queries.invalidateQueries({ queryKey: ['teaching'] });
    toasts.done(t.teaching.extended(body.minutes, expires_at === null ? '' : format.clock(expires_at)));
    onDone();
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.teaching.extend}>
      <TextField label={t.teaching.addedMinutes} type="number" required min={1} max={1440} {...field('minutes')} />
    </SentForm>
  );
}
