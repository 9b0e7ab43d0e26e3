import type { ReactNode } from 'react';
import type { Notice } from '../terminal/messages.ts';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Skeleton } from '../ui/states.tsx';

/** Notices about the time of the attempt, or of a message. */
const changing: readonly Notice['reason'][] = ['time', 'replaced', 'message', 'held', 'released'];

/** The terminal of an attempt's container. */
export function AttemptTerminal({
  containerId,
  bar,
  onStopped,
  onChange,
}: {
  containerId: number | null;
  /** The bar of the attempt, which the full screen keeps. */
  bar: ReactNode;
  /** The container was killed. The next connection starts it again. */
  onStopped: () => void;
  /** The terminal was notified about the attempt's time or end, or of a message. */
  onChange: () => void;
}) {
  if (containerId === null) return <Skeleton className="m-4 h-64" />;
  return (
    <TerminalPane
      containerId={containerId}
      bar={bar}
      onState={(state) => {
        if (state === 'waiting') onStopped();
        if (state === 'gone' || state === 'notFound') onChange();
      }}
      onNotice={({ reason }) => {
        // A machine that is replaced gives the attempt its time back.
        if (changing.includes(reason)) onChange();
      }}
    />
  );
}
