import {
  Eye,
  HardDrive,
  Hourglass,
  type LucideIcon,
  MonitorX,
  Pause,
  RefreshCw,
  RotateCcw,
  SquareTerminal,
} from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import type { TerminalState } from './connection.ts';
import type { ShownState } from './use-terminal-state.ts';

const bad: readonly TerminalState[] = ['gone', 'notRunning', 'notFound', 'tooMany', 'forbidden', 'unreachable'];

/** States in which the user can act on the sentence, so that it is shown in full. */
const isSentence = (state: TerminalState): boolean => bad.includes(state) || state === 'takenOver';

/** The state of a terminal with its warnings. Screen readers announce it. */
export function TerminalStatus({
  state,
  isReadOnly,
  isHeld,
  isWatched,
  isDiskFull,
  isScreenLost,
  isReplaced,
  homeKeptAt,
  isNewShell,
  isPlain,
  lateKeys,
  resumeSeconds,
  typing,
  isShort,
}: ShownState & {
  /** A narrow bar has only the dot of a connected shell. */
  isShort: boolean;
}) {
  const { terminal: words } = useStrings();
  const format = useFormat();
  const isOpen = state === 'open';
  const openWord = isReadOnly && typing?.state !== 'active' ? words.states.watchedOnly : words.states.open;
  const word = isDiskFull && state === 'gone' ? words.diskFull : isOpen ? openWord : words.states[state];
  return (
    <p
      role="status"
      className={classes(
        'flex items-center gap-2 overflow-hidden py-1',
        isSentence(state) ? 'min-w-40 flex-1' : 'min-w-3',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'size-2.5 shrink-0 rounded-full',
          isOpen && lateKeys === 0 ? 'bg-good' : bad.includes(state) ? 'bg-bad' : 'animate-pulse bg-warn',
        )}
      />
      <span className={classes(!isSentence(state) && 'truncate', isShort && isOpen && '@max-lg:sr-only')} title={word}>
        {word}
      </span>
      {isOpen && resumeSeconds !== null && (
        <span className="truncate text-ink-soft @max-4xl:sr-only">{words.goesOn(Math.round(resumeSeconds / 60))}</span>
      )}
      {lateKeys > 0 && <Warning icon={Hourglass} text={words.late(lateKeys)} />}
      {isPlain && isOpen && <Warning icon={SquareTerminal} text={words.plain} />}
      {isHeld && isOpen && <Warning icon={Pause} text={words.held} />}
      {isDiskFull && isOpen && <Warning icon={HardDrive} text={words.diskNearlyFull} />}
      {isScreenLost && isOpen && <Warning icon={MonitorX} text={words.screenLost} />}
      {isReplaced && isOpen && (
        <Warning icon={RefreshCw} text={words.replaced(homeKeptAt && format.time(homeKeptAt))} />
      )}
      {isNewShell && !isReplaced && isOpen && <Warning icon={RotateCcw} text={words.newShell} />}
      {isWatched && <Warning icon={Eye} text={words.watched} />}
    </p>
  );
}

function Warning({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span className="inline-flex min-w-4 items-center gap-1 text-warn" title={text}>
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      <span className="truncate @max-3xl:sr-only">{text}</span>
    </span>
  );
}
