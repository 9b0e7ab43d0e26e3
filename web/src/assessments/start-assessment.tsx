import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { isRefusal, noContainerCodes } from '../api/problem.ts';
import { type Attempt, activeQuery } from '../attempts/active.ts';
import { type Entry, useAttemptActions } from '../attempts/queries.ts';
import { ConsentChoice, useConsent, useDecision } from '../attempts/recording-consent.tsx';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Assessment } from '../teaching-model/assessments.ts';
import { type ExamSession, minutesIn, sessionToStart } from '../teaching-model/exam-sessions.ts';
import { SessionFacts, SessionState, UntilChange } from '../teaching-model/session-facts.tsx';
import { sessionsQuery } from '../teaching-model/session-list.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched, Skeleton } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** The button that starts an exam after a confirmation, or the reason why it cannot be started now. */
export function StartExam({ exam, other }: { exam: Assessment; other: Attempt | undefined }) {
  const t = useStrings();
  const sessions = useQuery(sessionsQuery({ exam_id: exam.id }));
  if (other)
    return (
      <div className="flex flex-col gap-3 rounded-md bg-warn-soft p-3 text-sm">
        <p>{t.exams.otherActive(other.title)}</p>
        {other.assessment_id !== null && (
          <ButtonLink to="/exams/$assessmentId" params={{ assessmentId: `${other.assessment_id}` }}>
            {t.attempts.goOn}
          </ButtonLink>
        )}
      </div>
    );
  return (
    <Fetched query={sessions} skeleton={<Skeleton className="h-10" />}>
      {(all) => {
        const session = sessionToStart(all);
        return (
          <>
            {exam.task_count === 0 && <p className="text-sm text-warn">{t.exams.noTasks}</p>}
            {session ? (
              <StartInSession exam={exam} session={session} />
            ) : exam.is_session_only ? (
              <p className="text-sm">{t.exams.onlyInSessions}</p>
            ) : (
              <StartButton exam={exam} />
            )}
          </>
        );
      }}
    </Fetched>
  );
}

/** The session, and the button while it is open. */
function StartInSession({ exam, session }: { exam: Assessment; session: ExamSession }) {
  const t = useStrings();
  const format = useFormat();
  const { title, state, is_paused, attempts_left, opens_at } = session;
  const words = t.examSessions;
  const obstacle =
    state === 'closed'
      ? words.isClosed
      : state === 'upcoming'
        ? words.notOpen(format.time(opens_at))
        : is_paused
          ? words.isPaused
          : attempts_left === 0
            ? words.noneLeft
            : undefined;
  return (
    <section aria-label={words.session} className="flex flex-col gap-3 border-t pt-4">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        {title} <SessionState session={session} />
      </h3>
      <SessionFacts session={session} />
      <UntilChange session={session} />
      {obstacle === undefined ? <StartButton exam={exam} session={session} /> : <p className="text-sm">{obstacle}</p>}
    </section>
  );
}

function StartButton({ exam, session }: { exam: Assessment; session?: ExamSession }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const [code, setCode] = useState('');
  const start = useStart(exam, session && { session_id: session.id, ...(code === '' ? {} : { access_code: code }) });
  const consent = useConsent(exam.needs_machine);
  const decide = useDecision();
  const [chosen, setChosen] = useState<boolean>();
  const isGiven = chosen ?? consent?.is_given ?? false;
  const begin = async (): Promise<void> => {
    // Before the start, whose first terminal is recorded or not.
    if (consent && consent.is_given !== isGiven) await decide(isGiven);
    await start();
  };
  const minutes = minutesIn(session, exam.time_limit_minutes) ?? 0;
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Play size={16} aria-hidden="true" /> {t.exams.start}
      </Button>
      <Confirm
        title={t.exams.startTitle(exam.title)}
        action={t.attempts.begin}
        look="primary"
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={begin}
      >
        <p>{(exam.needs_machine ? t.exams : t.answers.noMachine).startHelp(t.attempts.minutes(minutes))}</p>
        {exam.needs_machine && !consent && <p>{t.exams.recorded}</p>}
        {consent && <ConsentChoice consent={consent} isGiven={isGiven} onChange={setChosen} />}
        {exam.needs_machine && session?.has_signals && <p>{t.signals.notice}</p>}
        {session?.is_locked_down && <p>{t.examSessions.oneLoginHelp}</p>}
        {session && <p>{t.examSessions.resultsLater[session.is_released ? 'at_end' : session.results_visible]}</p>}
        {session?.has_access_code && (
          <TextField
            label={t.examSessions.accessCode}
            required
            autoComplete="off"
            maxLength={200}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
      </Confirm>
    </>
  );
}

/** Starts an attempt. Where one is already active, of this exam or another, opens it. */
function useStart(exam: Assessment, entry?: Entry): () => Promise<void> {
  const t = useStrings();
  const toasts = useToasts();
  const client = useQueryClient();
  const { start } = useAttemptActions('exam');
  return async () => {
    try {
      await start.mutateAsync({ id: exam.id, ...(entry ? { entry } : {}) });
    } catch (error) {
      if (isRefusal(error, ...noContainerCodes)) throw error.withText(t.attempts.noContainer);
      if (isRefusal(error, 'not_found')) throw error.withText(t.examSessions.foreign);
      const [active] = isRefusal(error, 'attempt_active')
        ? await client.fetchQuery({ ...activeQuery('exam'), staleTime: 0 })
        : [];
      if (!active) throw error;
      toasts.inform(active.assessment_id === exam.id ? t.exams.led : t.exams.otherActive(active.title));
      if (active.assessment_id !== null)
        navigate({ to: '/exams/$assessmentId', params: { assessmentId: `${active.assessment_id}` } });
    }
  };
}

/** The button that starts or resumes a laboratory. */
export function StartLaboratory({ laboratory: { id, task_count, needs_machine } }: { laboratory: Assessment }) {
  const t = useStrings();
  const { start } = useAttemptActions('laboratory');
  const { error } = start;
  const shown = isRefusal(error, ...noContainerCodes) ? error.withText(t.attempts.noContainer) : error;
  return (
    <>
      {task_count === 0 && <p className="text-sm text-warn">{t.laboratories.noTasks}</p>}
      <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate({ id })}>
        <Play size={16} aria-hidden="true" />{' '}
        {!start.isPending ? t.laboratories.start : needs_machine ? t.attempts.starting : t.answers.noMachine.starting}
      </Button>
      {shown && <ProblemNote error={shown} />}
    </>
  );
}
