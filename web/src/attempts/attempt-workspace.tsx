import { onlineManager, useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { Hourglass, MessageSquare, RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { Kind } from '../api/kinds.ts';
import { isRefusal, noContainerCodes, Problem } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';
import { HandNote, useHand } from '../help/hands.tsx';
import { Prose } from '../markdown/prose.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Assessment, Task } from '../teaching-model/assessments.ts';
import type { Notice } from '../terminal/messages.ts';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useTitle } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Loading, Skeleton } from '../ui/states.tsx';
import { useSecondsLeft } from '../ui/time/use-seconds-left.ts';
import { useToasts } from '../ui/toasts.tsx';
import type { Attempt } from './active.ts';
import { isAnsweredHere } from './answers/kinds.ts';
import { forgetAnswers, useAnswers } from './answers/queries.ts';
import { TaskAnswer } from './answers/task-answer.tsx';
import { AttemptBar, AttemptTools, ExamFrame } from './attempt-bar.tsx';
import { BreakCover } from './break-cover.tsx';
import { onClockDoubt } from './clock-doubt.ts';
import { GradingPanel } from './grading-panel.tsx';
import { forgetMarks, useMarks } from './marks.ts';
import { attemptQuery, useAttemptActions } from './queries.ts';
import { SendingPanel } from './sending-panel.tsx';
import { SignalsNote } from './signals.tsx';
import { hasSubmission, isOver, isTimeConfirmed } from './status.ts';
import { TaskList, taskTitleId } from './task-list.tsx';
import { TaskStrip } from './task-strip.tsx';
import { useSubmission } from './use-submission.ts';
import { type Part, WorkView } from './work-view.tsx';

/**
 * Milliseconds between two polls of an attempt: while it is in progress (its deadline may be moved), during a break (others may end it),
 * and while it is graded.
 */
const pace = { work: 20_000, break: 5000, grading: 1000 };

function paceOf({ expires_at, paused_at = null, break_ends_at = null }: Attempt): number {
  const isOver = (moment: string) => serverNow() >= Date.parse(moment);
  if (break_ends_at !== null) return isOver(break_ends_at) ? pace.grading : pace.break;
  return expires_at !== null && paused_at === null && isOver(expires_at) ? pace.grading : pace.work;
}

type Props = {
  kind: Kind;
  /** The attempt as first loaded. */
  attempt: Attempt;
  /** Undefined where it was retired in the meantime. The attempt continues. */
  assessment: Assessment | undefined;
  onFinished: (attemptId: number) => void;
  onAbandoned: () => void;
};

/** An attempt in progress: its tasks, its terminal and its grading. Calls `onFinished` when there are results. */
export function AttemptWorkspace({ kind, attempt: found, assessment, onFinished, onAbandoned }: Props) {
  const t = useStrings();
  const toasts = useToasts();
  const actions = useAttemptActions(kind);
  const { check, abandon } = actions;
  const tasks = assessment?.tasks ?? [];
  const answered = tasks.filter(isAnsweredHere);
  const answers = useAnswers(kind, found.id, answered.length > 0);
  const submission = useSubmission(kind, found, answers.store.flush);
  const query = useQuery({
    ...attemptQuery(kind, found.id),
    initialData: found,
    refetchInterval: ({ state: { data = found } }) =>
      submission.isPending || data.status === 'grading' ? pace.grading : paceOf(data),
  });
  const attempt = query.data;
  const { id, title, status, expires_at, paused_at = null } = attempt;
  const left = useSecondsLeft(expires_at, paused_at);
  useTimeWarnings(expires_at, left);
  const { refetch } = query;
  // At zero the page asks the service before it hides anything, and again when this computer's time is in doubt.
  useEffect(() => onClockDoubt(() => void refetch()), [refetch]);
  useEffect(() => {
    if (left === 0) void refetch();
  }, [left, refetch]);
  const [ticks, tick] = useMarks('ticks', id);
  const [flags, flag] = useMarks('flags', id);
  const [currentId, setCurrent] = useState<number>();
  const [part, setPart] = useState<Part>('tasks');
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const [wasStopped, setStopped] = useState(false);
  useTitle(title);

  // A closed tab of an exam costs time, and its clock goes on. Within the app the attempt stays at hand.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: kind === 'exam' && !isOver(attempt) });
  const hasEnded = isOver(attempt) && !abandon.isPending && !abandon.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is left once
  useEffect(() => {
    if (!hasEnded) return;
    forgetMarks(id);
    forgetAnswers(kind, id);
    actions.seen(attempt);
    onFinished(id);
  }, [hasEnded]);
  if (isOver(attempt)) return <Loading className="m-4 h-24" rows={3} />;

  // Each answer tells the time, also one in which nothing else is new.
  const isTimeUp = left === 0 && query.dataUpdatedAt > 0 && isTimeConfirmed(attempt);
  const isUnreachable = query.fetchStatus === 'paused' || query.failureCount > 0 || query.isError;
  const isSubmitted = hasSubmission(attempt);
  const isWork = !submission.isPending && !isSubmitted && !isTimeUp;
  const runCheck = async (): Promise<void> => {
    // What cannot be sent is shown beside its task. The check fails as well then.
    await answers.store.flush().catch(() => {});
    check.mutate(attempt.assessment_id ?? 0, {
      onSuccess: ({ results }) => {
        const passed = results.filter((result) => result.passed).length;
        // Where tasks open one after another, there are no results of those that are locked.
        const count = Math.max(tasks.length, results.length);
        if (passed === count) toasts.done(t.laboratories.checkedAll);
        else toasts.inform(t.laboratories.checkedSome(passed, count));
      },
    });
  };

  // A break covers the tasks.
  const isOnBreak = (attempt.break_ends_at ?? null) !== null;
  const isDone = (task: Task): boolean =>
    kind === 'exam' ? ticks.has(task.id) : attempt.results.some(({ task_id, passed }) => task_id === task.id && passed);
  /** Shows a task, also a folded one and behind the terminal of a phone, and goes on from its title. */
  const goTo = (taskId: number): void => {
    flushSync(() => {
      setCurrent(taskId);
      setPart('tasks');
    });
    const title = document.getElementById(taskTitleId(taskId));
    if (title?.ariaExpanded === 'false') title.click();
    title?.closest('li')?.scrollIntoView({ block: 'start' });
    title?.focus({ preventScroll: true });
  };
  const tools = (
    <AttemptTools
      attempt={attempt}
      left={left}
      unanswered={() => (answers.isLoaded ? answered.filter(({ id }) => !answers.store.hasAnswer(id)) : [])}
      unticked={kind === 'exam' ? tasks.filter((task) => !isDone(task)).length : 0}
      flagged={tasks.filter((task) => flags.has(task.id)).length}
      isWork={isWork}
      onSubmit={submission.submit}
      check={
        kind === 'laboratory'
          ? { isBusy: check.isPending || (status === 'grading' && isWork), run: () => void runCheck() }
          : undefined
      }
    />
  );
  return (
    <div className="flex h-full flex-col">
      <AttemptBar attempt={attempt} isScored={kind === 'laboratory'}>
        {isWork && !isOnBreak && tasks.length > 1 && (
          <TaskStrip
            {...{ tasks, currentId, flags, isDone }}
            doneText={kind === 'exam' ? t.attempts.markedDone : t.attempts.taskPassed}
            onGo={goTo}
          />
        )}
        {tools}
        {kind === 'exam' && <ExamFrame isReachable={isOnline && !isUnreachable} />}
      </AttemptBar>
      {isWork ? (
        <BreakCover attempt={attempt}>
          <WorkView
            part={part}
            onPart={setPart}
            // Beside the terminal, so that it keeps its size.
            notes={
              <>
                <AttemptNotes
                  attempt={attempt}
                  submitError={submission.error}
                  checkError={check.error}
                  wasStopped={wasStopped}
                  isOverUnconfirmed={left === 0 && isUnreachable}
                  onSubmit={submission.submit}
                />
                <AttemptMessages messages={attempt.messages ?? []} />
                {attempt.container_id !== null && <HandNote containerId={attempt.container_id} />}
                {attempt.session_id != null && <SignalsNote sessionId={attempt.session_id} />}
              </>
            }
            tasks={
              <div className="flex flex-col gap-6 p-4">
                {assessment && assessment.introduction.trim() !== '' && <Prose text={assessment.introduction} />}
                {assessment ? (
                  <TaskList
                    kind={kind}
                    assessmentId={assessment.id}
                    attemptId={id}
                    tasks={tasks}
                    flags={flags}
                    isDone={isDone}
                    onTick={tick}
                    onFlag={flag}
                    onFocus={setCurrent}
                    results={attempt.results}
                    answerOf={(task) => (
                      <TaskAnswer
                        {...{ kind, task, answers }}
                        attemptId={id}
                        titleId={taskTitleId(task.id)}
                        isReadOnly={paused_at !== null}
                      />
                    )}
                  />
                ) : (
                  <p className="text-sm text-ink-soft">{t.attempts.noTasksShown}</p>
                )}
                <GiveUp
                  help={attempt.needs_machine ? t.attempts.giveUpHelp : t.answers.noMachine.giveUpHelp}
                  onConfirm={async () => {
                    await abandon.mutateAsync(id);
                    forgetMarks(id);
                    forgetAnswers(kind, id);
                    toasts.done(t.attempts.givenUp);
                    onAbandoned();
                  }}
                />
              </div>
            }
            terminal={
              attempt.needs_machine && (
                <AttemptTerminal
                  containerId={attempt.container_id}
                  clock={tools}
                  onStopped={() => setStopped(true)}
                  onChange={() => void query.refetch()}
                />
              )
            }
          />
        </BreakCover>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {isSubmitted || isTimeUp ? (
            <GradingPanel attempt={attempt} tasks={tasks} isTimeOver={isTimeUp} isUnreachable={isUnreachable} />
          ) : (
            <SendingPanel submission={submission} />
          )}
        </div>
      )}
    </div>
  );
}

/** Seconds before the end at which the user is warned. */
const warnings = [600, 300, 60];

/** Warns before the end, and reports a moved end. Screen readers announce toasts. */
function useTimeWarnings(expiresAt: string | null, left: number | undefined): void {
  const t = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const told = useRef<{ expiresAt: string | null; warned: number }>(null);
  useEffect(() => {
    const warned = left === undefined ? 0 : warnings.filter((seconds) => left <= seconds).length;
    const before = told.current;
    told.current = { expiresAt, warned };
    if (before === null || left === 0) return;
    if (before.expiresAt !== expiresAt)
      toasts.warn(expiresAt === null ? t.attempts.noLimit : t.attempts.moved(format.clock(expiresAt)));
    if (warned > before.warned) toasts.warn(t.attempts.warning((warnings[warned - 1] ?? 0) / 60));
  }, [expiresAt, left, t, format, toasts]);
}

/** The messages of the instructor, the newest last. Screen readers announce new ones. */
function AttemptMessages({ messages }: { messages: NonNullable<Attempt['messages']> }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <div role="status" aria-label={t.attempts.messages}>
      {messages.length > 0 && (
        <ul className="flex max-h-32 flex-col gap-1 overflow-y-auto border-b bg-warn-soft px-4 py-2 text-sm">
          {messages.map(({ id, text, created_at }) => (
            <li key={id} className="flex items-start gap-2">
              <MessageSquare size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-line">{text}</span>
              <time dateTime={created_at} className="shrink-0 text-ink-soft tabular-nums">
                {format.clock(created_at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Problems during the attempt, and what to do about them. */
function AttemptNotes({
  attempt,
  submitError,
  checkError,
  wasStopped,
  isOverUnconfirmed,
  onSubmit,
}: {
  attempt: Attempt;
  submitError: unknown;
  checkError: unknown;
  wasStopped: boolean;
  /** The time is over by the clock of this page, and the service cannot be asked. */
  isOverUnconfirmed: boolean;
  onSubmit: () => void;
}) {
  const t = useStrings();
  // Shown after a reload as well, because the attempt itself records that its grading failed.
  const hasFailed = submitError !== null || (attempt.grading_error !== null && attempt.status === 'in_progress');
  if (!hasFailed && checkError === null && !wasStopped && !isOverUnconfirmed) return null;
  return (
    <div className="flex flex-col gap-2 border-b bg-surface p-3">
      {isOverUnconfirmed && (
        <p
          role="status"
          className="flex items-start gap-2 rounded-md border border-warn bg-warn-soft px-4 py-2 text-sm"
        >
          <Hourglass size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" /> {t.attempts.overUnconfirmed}
        </p>
      )}
      {hasFailed && <ProblemNote error={inWords(submitError, t.attempts.submitFailed)} retry={onSubmit} />}
      {checkError !== null && <ProblemNote error={inWords(checkError, t.laboratories.checkFailed)} />}
      {wasStopped && (
        <p
          role="status"
          className="flex items-start gap-2 rounded-md border border-warn bg-warn-soft px-4 py-2 text-sm"
        >
          <RotateCcw size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" /> {t.attempts.restarted}
        </p>
      )}
    </div>
  );
}

/** The message for a grading that failed part-way, in the user's language. Other errors are unchanged. */
function inWords(error: unknown, text: string): unknown {
  if (error === null) return new Problem(503, { words: text });
  return isRefusal(error, 'grading_failed', ...noContainerCodes) ? error.withText(text) : error;
}

/** Notices about the time of the attempt, or of a message. */
const changing: readonly Notice['reason'][] = ['time', 'replaced', 'message', 'held', 'released'];

/** The terminal of an attempt's container. */
function AttemptTerminal({
  containerId,
  clock,
  onStopped,
  onChange,
}: {
  containerId: number | null;
  /** What the full screen keeps of the attempt's bar. */
  clock: ReactNode;
  /** The container was killed. The next connection starts it again. */
  onStopped: () => void;
  /** The terminal was notified about the attempt's time or end, or of a message. */
  onChange: () => void;
}) {
  const hand = useHand(containerId === null ? null : { container_id: containerId });
  if (containerId === null) return <Skeleton className="m-4 h-64" />;
  return (
    <>
      <TerminalPane
        containerId={containerId}
        clock={clock}
        actions={hand.actions}
        onState={(state) => {
          if (state === 'waiting') onStopped();
          if (state === 'gone' || state === 'notFound') onChange();
        }}
        onNotice={({ reason }) => {
          // A machine that is replaced gives the attempt its time back.
          if (changing.includes(reason)) onChange();
        }}
      />
      {hand.question}
    </>
  );
}

/** Ends an attempt without a result, after a confirmation. */
function GiveUp({ help, onConfirm }: { help: string; onConfirm: () => Promise<void> }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  return (
    <p>
      <Button size="small" look="danger" onClick={() => setAsking(true)}>
        {t.attempts.giveUp}
      </Button>
      <Confirm
        title={t.attempts.giveUpTitle}
        action={t.attempts.giveUp}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={onConfirm}
      >
        <p>{help}</p>
      </Confirm>
    </p>
  );
}
