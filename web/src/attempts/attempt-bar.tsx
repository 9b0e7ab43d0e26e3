import { ListChecks, LogOut, Send, Wifi, WifiOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { Task } from '../teaching-model/assessments.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Countdown } from '../ui/time/countdown.tsx';
import type { Attempt } from './active.ts';

/** The bar above the work: the assessment, and what the bar of a terminal that covers the page has as well. */
export function AttemptBar({
  attempt: { title, score, max_score, results },
  isScored,
  children,
}: {
  attempt: Attempt;
  /** Whether the score of the last check is shown. */
  isScored: boolean;
  children: ReactNode;
}) {
  const t = useStrings();
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-2 border-b bg-surface px-3 py-2 sm:gap-x-4 sm:px-4">
      <div className="min-w-0 flex-1 basis-16">
        <h1 className="truncate font-semibold" title={title}>
          {title}
        </h1>
        {isScored && results.length > 0 && (
          <p className="text-xs text-ink-soft">{t.laboratories.score(score ?? 0, max_score)}</p>
        )}
      </div>
      {children}
    </header>
  );
}

/** The time left, and the buttons that check and submit the work. */
export function AttemptTools({
  attempt: { results, paused_at, needs_machine },
  left,
  unanswered,
  unticked,
  flagged,
  isWork,
  onSubmit,
  check,
}: {
  attempt: Attempt;
  left: number | undefined;
  /** The tasks whose answer is missing now. */
  unanswered: () => readonly Task[];
  /** Tasks that the user has not marked as done. */
  unticked: number;
  /** Tasks that the user wants to look at again. */
  flagged: number;
  isWork: boolean;
  onSubmit: () => void;
  /** The practice check, for kinds that support it. */
  check: { isBusy: boolean; run: () => void } | undefined;
}) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const checkText = check?.isBusy
    ? t.laboratories.checking
    : results.length > 0
      ? t.laboratories.checkAgain
      : t.laboratories.check;
  return (
    <>
      {paused_at && <Badge tone="warn">{t.attempts.paused}</Badge>}
      <Countdown left={left} />
      {isWork && (
        <div className="flex gap-2">
          {check && (
            <Button size="small" isBusy={check.isBusy} onClick={check.run}>
              <ListChecks size={16} aria-hidden="true" /> <span className="@max-lg:sr-only">{checkText}</span>
            </Button>
          )}
          <Button size="small" look="primary" disabled={check?.isBusy} onClick={() => setAsking(true)}>
            <Send size={15} aria-hidden="true" /> {t.attempts.submit}
          </Button>
        </div>
      )}
      <Confirm
        title={t.attempts.submitTitle}
        action={t.attempts.submit}
        look="primary"
        isOpen={isAsking && isWork}
        onOpenChange={setAsking}
        onConfirm={async () => onSubmit()}
      >
        <p>{needs_machine ? t.attempts.submitHelp : t.answers.noMachine.submitHelp}</p>
        <Unanswered tasks={unanswered()} />
        {unticked > 0 && <p>{t.attempts.submitUnticked(unticked)}</p>}
        {flagged > 0 && <p>{t.attempts.submitFlagged(flagged)}</p>}
      </Confirm>
    </>
  );
}

function Unanswered({ tasks }: { tasks: readonly Task[] }) {
  const t = useStrings();
  if (tasks.length === 0) return null;
  return (
    <div>
      <p className="font-medium text-warn">{t.answers.submitWithout}</p>
      <ul className="max-h-40 list-disc overflow-y-auto pl-5">
        {tasks.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </div>
  );
}

/** Whether the service answers, and the way out: what the frame of the pages has elsewhere. */
export function ExamFrame({ isReachable }: { isReachable: boolean }) {
  const { attempts: words } = useStrings();
  const Sign = isReachable ? Wifi : WifiOff;
  const text = isReachable ? words.online : words.offline;
  return (
    <>
      <p
        role="status"
        title={text}
        className={classes('flex items-center gap-1.5 text-sm', isReachable ? 'text-ink-soft' : 'font-medium text-bad')}
      >
        <Sign size={16} aria-hidden="true" />
        <span className={isReachable ? 'max-xl:sr-only' : 'max-sm:sr-only'}>{text}</span>
      </p>
      <ButtonLink look="quiet" size="small" to="/" aria-label={words.leave} title={words.leave} className="px-1!">
        <LogOut size={18} aria-hidden="true" />
      </ButtonLink>
    </>
  );
}
