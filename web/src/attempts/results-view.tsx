import { CircleCheck, CircleSlash, CircleX, EyeOff, Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useUser } from '../api/use-session.ts';
import { ReportTask } from '../help/reports.tsx';
import { Prose } from '../markdown/prose.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Card, ProgressBar } from '../ui/card.tsx';
import type { Attempt } from './active.ts';
import { ShownAnswer } from './answers/shown-answer.tsx';
import { AwaitingBadge } from './awaiting.tsx';
import { ExamCertificate } from './certificates.tsx';
import { CheckOutput } from './check-output.tsx';
import { FeedbackAbout, OwnReopening, OwnReview, useFeedback } from './feedback.tsx';
import type { Result } from './queries.ts';
import { AttemptSignals } from './signals.tsx';
import { Solution } from './solution.tsx';
import { VerdictBadge } from './verdict-badge.tsx';

/** The results of a finished attempt: its verdict, its times, and each task with its points and the output of its check. */
export function ResultsView({ kind, attempt, actions }: { kind: Kind; attempt: Attempt; actions?: ReactNode }) {
  const t = useStrings();
  const isOwn = useUser().id === attempt.user_id;
  const { assessment_id: assessmentId } = attempt;
  const feedback = useFeedback(kind, attempt.id, attempt.score !== null);
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[minmax(0,1fr)_18rem]">
        <Verdict
          attempt={attempt}
          actions={
            <>
              {isOwn && kind === 'exam' && attempt.passed !== null && assessmentId !== null && (
                <ExamCertificate examId={assessmentId} isPassed={attempt.passed} />
              )}
              {actions}
            </>
          }
        />
        <Times attempt={attempt} />
      </div>
      {attempt.conclusion?.trim() && (
        <Card className="p-6!">
          <Prose text={attempt.conclusion} />
        </Card>
      )}
      {attempt.results.length > 0 && (
        <section className="flex flex-col gap-3">
          <h2 className="text-lg font-semibold">{t.attempts.resultsByTask}</h2>
          {attempt.is_work_removed && <p className="text-sm text-ink-soft">{t.attempts.workRemoved}</p>}
          <ol className="flex flex-col gap-3">
            {attempt.results.map((result, index) => (
              <li key={result.task_id}>
                <TaskResult kind={kind} attempt={attempt} result={result} number={index + 1}>
                  <FeedbackAbout feedback={feedback} taskId={result.task_id} />
                  {isOwn && assessmentId !== null && (
                    <ReportTask {...{ kind, assessmentId, task: { id: result.task_id, title: result.title } }} />
                  )}
                </TaskResult>
              </li>
            ))}
          </ol>
          <FeedbackAbout feedback={feedback} taskId={null} />
        </section>
      )}
      {isOwn && kind === 'exam' && <OwnReopening attemptId={attempt.id} />}
      <OwnReview attempt={attempt} feedback={feedback} />
      {isOwn && kind === 'exam' && attempt.session_id != null && attempt.score !== null && (
        <AttemptSignals attemptId={attempt.id} />
      )}
    </>
  );
}

function Verdict({ attempt, actions }: { attempt: Attempt; actions: ReactNode }) {
  const t = useStrings();
  const { status, passed, score, max_score, passing_score, grading_error } = attempt;
  if (status === 'abandoned') {
    const isLost = grading_error !== null;
    const abandonedHelp = attempt.is_ended_by_staff
      ? t.attempts.endedInQueueHelp(attempt.ended_by ?? null)
      : t.attempts.abandonedHelp;
    return (
      <Card className="flex flex-col gap-3 p-6!">
        <p className="flex items-center gap-3 text-2xl font-semibold">
          <CircleSlash size={30} aria-hidden="true" className="shrink-0 text-ink-soft" />
          {isLost ? t.attempts.lostTitle : t.attempts.abandonedTitle}
        </p>
        <p className="text-ink-soft">{isLost ? t.attempts.lostHelp : abandonedHelp}</p>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </Card>
    );
  }
  if (attempt.is_awaiting_grading)
    return (
      <Card className="flex flex-col gap-3 p-6!">
        <p className="flex items-center gap-3 text-2xl font-semibold">
          <Hourglass size={30} aria-hidden="true" className="shrink-0 text-info" />
          {t.answers.awaiting}
        </p>
        <p className="text-ink-soft">{t.answers.awaitingHelp}</p>
        {status === 'expired' && <EarlyEnd attempt={attempt} />}
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </Card>
    );
  if (score === null)
    return (
      <Card className="flex flex-col gap-3 p-6!">
        <p className="flex items-center gap-3 text-2xl font-semibold">
          <EyeOff size={30} aria-hidden="true" className="shrink-0 text-ink-soft" />
          {t.attempts.withheldTitle}
        </p>
        <p className="text-ink-soft">{t.attempts.withheldHelp}</p>
        {status === 'expired' && <EarlyEnd attempt={attempt} />}
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </Card>
    );
  const Sign = passed ? CircleCheck : CircleX;
  const points = t.attempts.score(score, max_score);
  return (
    <Card className="flex flex-col gap-4 p-6!">
      <p className={`flex items-center gap-3 text-2xl font-semibold ${passed ? 'text-good' : 'text-bad'}`}>
        <Sign size={30} aria-hidden="true" className="shrink-0" />
        {passed ? t.attempts.passedTitle : t.attempts.notPassedTitle}
      </p>
      <div className="flex flex-col gap-2">
        <p>
          <strong className="text-lg tabular-nums">{points}</strong>{' '}
          <span className="text-sm text-ink-soft">{t.attempts.needed(passing_score)}</span>
        </p>
        <ProgressBar value={max_score === 0 ? 0 : (score / max_score) * 100} label={points} />
      </div>
      {status === 'expired' && <EarlyEnd attempt={attempt} />}
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </Card>
  );
}

/** Why an attempt was graded that its user had not submitted. */
function EarlyEnd({ attempt: { is_ended_by_staff, ended_by, submitted_at } }: { attempt: Attempt }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <p className="text-sm text-ink-soft">
      {is_ended_by_staff && submitted_at !== null
        ? t.attempts.endedHelp(ended_by ?? null, format.time(submitted_at))
        : t.attempts.expiredHelp}
    </p>
  );
}

function Times({ attempt: { status, started_at, submitted_at, is_ended_by_staff } }: { attempt: Attempt }) {
  const t = useStrings();
  const format = useFormat();
  const unsubmitted = is_ended_by_staff ? t.attempts.endedByStaff : t.attempts.endedAt;
  const endLabel = status === 'expired' ? unsubmitted : t.attempts.submitted;
  const minutes =
    submitted_at === null
      ? undefined
      : Math.max(1, Math.round((Date.parse(submitted_at) - Date.parse(started_at)) / 60_000));
  return (
    <Card>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm [&_dd]:text-right [&_dt]:text-ink-soft">
        <dt>{t.attempts.started}</dt>
        <dd>{format.time(started_at)}</dd>
        {submitted_at !== null && (
          <>
            <dt>{endLabel}</dt>
            <dd>{format.time(submitted_at)}</dd>
          </>
        )}
        {minutes !== undefined && (
          <>
            <dt>{t.attempts.duration}</dt>
            <dd>{t.attempts.minutes(minutes)}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function TaskResult({
  kind,
  attempt,
  result,
  number,
  children,
}: {
  kind: Kind;
  attempt: Attempt;
  result: Result;
  number: number;
  children: ReactNode;
}) {
  const t = useStrings();
  const isAwaited = result.is_awaiting_grading;
  return (
    <Card className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 flex-1 basis-56 font-medium whitespace-pre-line">
          {number}. {result.title}
        </h3>
        <span className="text-sm tabular-nums">
          {isAwaited ? t.common.points(result.points) : t.attempts.pointsOf(result.points_earned, result.points)}
        </span>
        {isAwaited ? <AwaitingBadge /> : <VerdictBadge result={result} />}
      </div>
      {!attempt.is_work_removed && (
        <ShownAnswer kind={kind} attemptId={attempt.id} taskId={result.task_id}>
          <CheckOutput result={result} />
        </ShownAnswer>
      )}
      <Solution text={result.solution} />
      {children}
    </Card>
  );
}
