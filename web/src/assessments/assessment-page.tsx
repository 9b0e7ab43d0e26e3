import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Kind } from '../api/kinds.ts';
import type { Attempt } from '../attempts/active.ts';
import { AssessmentIntro } from '../attempts/assessment-intro.tsx';
import { AttemptWorkspace } from '../attempts/attempt-workspace.tsx';
import { attemptQuery, useActive, useAttemptActions } from '../attempts/queries.ts';
import { useConsent } from '../attempts/recording-consent.tsx';
import { navigate } from '../routing/router.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Assessment, assessmentQuery, pages } from '../teaching-model/assessments.ts';
import { type ExamSession, minutesIn, sessionToStart } from '../teaching-model/exam-sessions.ts';
import { OpensLater, useClosed } from '../teaching-model/openings.tsx';
import { sessionsQuery } from '../teaching-model/session-list.ts';
import { useCourseOfAssessment } from '../teaching-model/way-on.tsx';
import { Button } from '../ui/button.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { StartExam, StartLaboratory } from './start-assessment.tsx';

export function ExamPage() {
  const { assessmentId } = useParams({ from: '/exams/$assessmentId' });
  return <AssessmentPage key={assessmentId} kind="exam" id={Number(assessmentId)} />;
}

export function LaboratoryPage() {
  const { assessmentId } = useParams({ from: '/laboratories/$assessmentId' });
  return <AssessmentPage key={assessmentId} kind="laboratory" id={Number(assessmentId)} />;
}

/** One exam or laboratory: its introduction, or the user's active attempt. */
function AssessmentPage({ kind, id }: { kind: Kind; id: number }) {
  const t = useStrings();
  const toasts = useToasts();
  const assessment = useQuery(assessmentQuery(kind, id));
  const active = useActive(kind);
  const [followed, setFollowed] = useState<Attempt>();
  const found = active.data?.find(({ assessment_id }) => assessment_id === id);
  const [queuedId, setQueuedId] = useState<number>();
  /** The attempt whose user has left the queue. */
  const [leftId, setLeftId] = useState<number>();
  const closed = useClosed()(kind, id);
  const isQueued = found?.status === 'queued';
  if (isQueued && found.id !== queuedId) setQueuedId(found.id);
  // It is shown to its end, even when it is no longer active.
  if (found && !isQueued && found.id !== followed?.id) setFollowed(found);
  const hasBegun = followed !== undefined && followed.id === queuedId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is announced once
  useEffect(() => {
    if (hasBegun) toasts.done(t.attempts.queue.begun);
  }, [hasBegun]);
  const client = useQueryClient();
  const hasIntro = useRef(false);
  const begunId = followed?.id;
  // An attempt shows the assessment as it was at its start. The introduction may be older.
  useEffect(() => {
    if (begunId === undefined) hasIntro.current = active.data !== undefined;
    else if (hasIntro.current) void client.invalidateQueries({ queryKey: assessmentQuery(kind, id).queryKey });
  }, [active.data, begunId, client, kind, id]);
  if (followed) {
    if (assessment.isPending) return <Loading className="m-4 h-24" rows={3} />;
    return (
      <AttemptWorkspace
        key={followed.id}
        kind={kind}
        attempt={followed}
        assessment={assessment.data}
        onFinished={(attemptId) =>
          navigate({ to: pages[kind].results, params: { attemptId: `${attemptId}` }, replace: true })
        }
        onAbandoned={() => setFollowed(undefined)}
      />
    );
  }
  const error = assessment.error ?? active.error;
  if (assessment.data && active.data) {
    const start = isQueued ? (
      <QueuePanel kind={kind} attempt={found} onLeave={() => setLeftId(found.id)} />
    ) : (
      <>
        {queuedId !== undefined && queuedId !== leftId && <QueueEnded kind={kind} attemptId={queuedId} />}
        {closed ? (
          <OpensLater closed={closed} />
        ) : kind === 'exam' ? (
          <StartExam exam={assessment.data} other={active.data[0]} />
        ) : (
          <StartLaboratory laboratory={assessment.data} />
        )}
      </>
    );
    return <Intro kind={kind} assessment={assessment.data} start={start} />;
  }
  return (
    <Page title={t[pages[kind].words].title} crumbs={<Above kind={kind} />}>
      {error ? (
        <ProblemNote
          error={error}
          retry={() => {
            void assessment.refetch();
            void active.refetch();
          }}
        />
      ) : (
        <Loading rows={4} className="h-20" />
      )}
    </Page>
  );
}

function Intro({ kind, assessment, start }: { kind: Kind; assessment: Assessment; start: ReactNode }) {
  const t = useStrings();
  const sessions = useQuery({ ...sessionsQuery({ exam_id: assessment.id }), enabled: kind === 'exam' });
  const session = sessionToStart(sessions.data ?? []);
  const isAsked = useConsent(kind === 'exam' && assessment.needs_machine) !== undefined;
  const own = { ...assessment, time_limit_minutes: minutesIn(session, assessment.time_limit_minutes) };
  return (
    <AssessmentIntro
      kind={kind}
      assessment={own}
      crumbs={<Above kind={kind} assessment={assessment} />}
      rules={rulesOf[kind](t, own, session, isAsked)}
      start={start}
      noAttempts={t[pages[kind].words].noAttempts}
    />
  );
}

/** The rules for an attempt of each kind. */
const rulesOf: Record<
  Kind,
  (t: Strings, assessment: Assessment, session: ExamSession | undefined, isAsked: boolean) => string[]
> = {
  exam: (
    { attempts, answers: { noMachine }, exams: { rules, recorded }, signals },
    { time_limit_minutes, needs_machine },
    session,
    isAsked,
  ) => [
    ...(time_limit_minutes === null ? [] : [rules.time(attempts.minutes(time_limit_minutes))]),
    needs_machine ? rules.container : noMachine.rule,
    // A session may limit the number of attempts.
    session === undefined || session.attempts_left === null ? `${rules.one} ${rules.again}` : rules.one,
    ...(needs_machine ? [rules.grading, isAsked ? attempts.recordingConsent.rule : recorded] : [noMachine.ruleGrading]),
    ...(needs_machine && session?.has_signals ? [signals.notice] : []),
  ],
  laboratory: (
    { attempts, answers: { noMachine }, laboratories: { rules } },
    { time_limit_minutes, tasks, needs_machine },
  ) => [
    ...[needs_machine ? rules.container : noMachine.rule, rules.check],
    ...(tasks.some(({ hint = '' }) => hint !== '') ? [rules.hints] : []),
    time_limit_minutes === null ? rules.noLimit : rules.limit(attempts.minutes(time_limit_minutes)),
    rules.submit,
  ],
};

/** Links to the list of exams, or to the courses and that of a laboratory. @param children further crumbs */
export function Above({
  kind,
  assessment,
  children,
}: {
  kind: Kind;
  assessment?: Pick<Assessment, 'section_id'> | undefined;
  children?: ReactNode;
}) {
  const t = useStrings();
  const { all, words } = pages[kind];
  const course = useCourseOfAssessment({ section_id: assessment?.section_id })?.course;
  return (
    <Crumbs>
      <Crumb to={all}>{t[words].back}</Crumb>
      {course && (
        <Crumb to="/courses/$courseId" params={{ courseId: `${course.id}` }}>
          {course.name}
        </Crumb>
      )}
      {children}
    </Crumbs>
  );
}

/** The place of a queued attempt, and the button that leaves the queue. */
function QueuePanel({ kind, attempt, onLeave }: { kind: Kind; attempt: Attempt; onLeave: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const { abandon } = useAttemptActions(kind);
  const { id, position = 1, estimated_seconds = 1 } = attempt;
  const leave = async (): Promise<void> => {
    onLeave();
    // Its error is shown below.
    const left = await abandon.mutateAsync(id).catch(() => undefined);
    if (left) toasts.done(t.attempts.queue.left);
  };
  return (
    <section className="flex flex-col gap-3 rounded-md bg-info-soft p-3 text-sm">
      <h3 className="flex items-center gap-2 font-medium text-info">
        <Hourglass size={16} aria-hidden="true" /> {t.attempts.queue.title}
      </h3>
      <p role="status">
        <strong>{t.attempts.queue.place(position)}</strong> {t.attempts.queue.wait(estimated_seconds)}
      </p>
      <p>{t.attempts.queue.help}</p>
      <Button size="small" isBusy={abandon.isPending} onClick={() => void leave()}>
        {t.attempts.queue.leave}
      </Button>
      {abandon.error && <ProblemNote error={abandon.error} />}
    </section>
  );
}

/** Why an attempt left the queue without its user. */
function QueueEnded({ kind, attemptId }: { kind: Kind; attemptId: number }) {
  const t = useStrings();
  const { data } = useQuery(attemptQuery(kind, attemptId));
  if (data?.status !== 'abandoned') return null;
  return (
    <p role="alert" className="rounded-md border border-warn bg-warn-soft p-3 text-sm">
      {data.grading_error === null ? t.attempts.queue.ended : t.attempts.queue.failed}
    </p>
  );
}
