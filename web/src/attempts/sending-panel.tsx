import { useBlocker } from '@tanstack/react-router';
import { Send, WifiOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { leavesPage } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import type { Submission } from './use-submission.ts';

/** Replaces the work until the service has confirmed the submission. Asks for a confirmation before the page is left. */
export function SendingPanel({ submission: { nextAt, sendNow, cancel } }: { submission: Submission }) {
  const t = useStrings();
  const words = t.attempts.sending;
  const heading = useRef<HTMLHeadingElement>(null);
  const blocker = useBlocker({ shouldBlockFn: leavesPage, withResolver: true });
  const seconds = useSecondsUntil(nextAt);
  const [wasUnsent, setWasUnsent] = useState(false);
  if (nextAt !== undefined && !wasUnsent) setWasUnsent(true);
  // The previously focused element no longer exists.
  useEffect(() => heading.current?.focus(), []);
  const Sign = wasUnsent ? WifiOff : Send;
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 p-4 sm:p-6">
      <div role="status">
        <h2
          ref={heading}
          tabIndex={-1}
          className={`flex items-center gap-2 text-xl font-semibold outline-none ${wasUnsent ? 'text-warn' : ''}`}
        >
          <Sign size={20} aria-hidden="true" className="shrink-0" />
          {wasUnsent ? words.unsentTitle : words.title}
        </h2>
        <p className="mt-1 text-ink-soft">{wasUnsent ? words.unsentHelp : words.help}</p>
      </div>
      {wasUnsent && (
        <>
          {/* Not announced: it changes every second. */}
          <p className="text-sm text-ink-soft">{nextAt === undefined ? words.again : words.nextIn(seconds)}</p>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" isBusy={nextAt === undefined} onClick={sendNow}>
              <Send size={15} aria-hidden="true" /> {words.now}
            </Button>
            <Button onClick={cancel}>{words.cancel}</Button>
          </div>
        </>
      )}
      <Confirm
        title={words.leaveTitle}
        action={words.leave}
        isOpen={blocker.status === 'blocked'}
        onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
        onConfirm={async () => blocker.proceed?.()}
      >
        <p>{words.leaveHelp}</p>
      </Confirm>
    </div>
  );
}

/** Whole seconds until a moment, in milliseconds since 1970. */
function useSecondsUntil(moment: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (moment === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [moment]);
  return moment === undefined ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
}
