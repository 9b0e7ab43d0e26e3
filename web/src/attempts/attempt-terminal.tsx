import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Skeleton } from '../ui/states.tsx';

/** The terminal of an attempt's container. */
export function AttemptTerminal({
  containerId,
  onStopped,
  onChange,
}: {
  containerId: number | null;
  /** The container was killed. The next connection starts it again. */
  onStopped: () => void;
  /** The terminal was notified about the attempt's time or end, or of a message. */
  onChange: () => void;
}) {
  if (containerId === null) return <Skeleton className="m-4 h-64" />;
  return (
    <TerminalPane
      containerId={containerId}
      onState={(state) => {
        if (state === 'waiting') onStopped();
        if (state === 'gone' || state === 'notFound') onChange();
      }}
      onNotice={({ reason }) => {
        // A machine that is replaced gives the attempt its time back.
        if (reason === 'time' || reason === 'replaced' || reason === 'message') onChange();
      }}
    />
  );
}
