import { useEffect, useMemo, useState } from 'react';
import type { TerminalState } from './connection.ts';
import type { Notice, Ready, Typing } from './messages.ts';

/** How long a disk counts as nearly full after the last notice. The service repeats the notice at each measurement. */
const millisecondsFull = 150_000;
/** How long the note is shown that the machine was replaced. */
const millisecondsReplaced = 120_000;
/** How long the note is shown that the shell is a new one. */
const millisecondsNew = 30_000;
/** How long the note is shown that the service has lost its copy of the screen. */
const millisecondsLost = 30_000;

/** What the bar above a terminal shows of a shell. */
export type ShownState = {
  state: TerminalState;
  isReadOnly: boolean;
  /** The clock of the attempt is stopped. */
  isHeld: boolean;
  isWatched: boolean;
  isDiskFull: boolean;
  isScreenLost: boolean;
  isReplaced: boolean;
  /** The time of the files of a replaced machine; undefined: none were kept. */
  homeKeptAt: string | undefined;
  isNewShell: boolean;
  isPlain: boolean;
  /** Keys that wait too long for their confirmation. */
  lateKeys: number;
  /** How long the shell goes on without a page. Null: as long as its machine. */
  resumeSeconds: number | null;
  /** What becomes of typing along. Undefined: nobody has asked on this connection. */
  typing: Typing | undefined;
};

/** A shell that has not reported anything yet. */
export const unreported: ShownState = {
  state: 'connecting',
  isReadOnly: false,
  isHeld: false,
  isWatched: false,
  isDiskFull: false,
  isScreenLost: false,
  isReplaced: false,
  homeKeptAt: undefined,
  isNewShell: false,
  isPlain: false,
  lateKeys: 0,
  resumeSeconds: null,
  typing: undefined,
};

/** What a terminal reports about itself: its state, and what its user has to know. */
export function useTerminalState() {
  const [state, setState] = useState<TerminalState>('connecting');
  const [isReadOnly, setReadOnly] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [isWatched, setWatched] = useState(false);
  const [isDiskFull, setDiskFull] = useFor(millisecondsFull);
  const [isScreenLost, setScreenLost] = useFor(millisecondsLost);
  const [isReplaced, setReplaced] = useFor(millisecondsReplaced);
  const [homeKeptAt, setHomeKeptAt] = useState<string>();
  const [isNewShell, setNewShell] = useFor(millisecondsNew);
  const [isPlain, setPlain] = useState(false);
  const [lateKeys, setLate] = useState(0);
  const [resumeSeconds, setResume] = useState<number | null>(null);
  const [typing, setTyping] = useState<Typing>();
  const shown = useMemo<ShownState>(
    () => ({
      ...{ state, isReadOnly, isHeld, isWatched, isDiskFull, isScreenLost, isReplaced, homeKeptAt, isNewShell },
      ...{ isPlain, lateKeys, resumeSeconds, typing },
    }),
    [
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
    ],
  );
  return {
    shown,
    onState: (next: TerminalState): void => {
      setState(next);
      if (next === 'open') return;
      setWatched(false);
      setTyping(undefined);
    },
    onLate: setLate,
    onTyping: setTyping,
    onReady: ({
      is_read_only,
      is_plain,
      is_resumed,
      resume_seconds,
      isReplaced: isNew,
    }: Ready & { isReplaced: boolean }): void => {
      setResume(is_read_only ? null : (resume_seconds ?? null));
      if (!is_resumed) setPlain(is_plain ?? false);
      setReadOnly(is_read_only);
      setHeld(false);
      if (isNew) setNewShell();
    },
    onNotice: ({ reason, home_kept_at }: Notice): void => {
      if (reason === 'disk') setDiskFull();
      if (reason === 'screen_lost') setScreenLost();
      if (reason === 'replaced') {
        setHomeKeptAt(home_kept_at ?? undefined);
        setReplaced();
      }
      if (reason === 'held') setHeld(true);
      if (reason === 'released') setHeld(false);
      if (reason === 'watched') setWatched(true);
      if (reason === 'unwatched') setWatched(false);
    },
  };
}

/** A flag that resets some time after it was last set. */
function useFor(milliseconds: number): [isSo: boolean, setSo: () => void] {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times === 0) return;
    const timer = setTimeout(() => setTimes(0), milliseconds);
    return () => clearTimeout(timer);
  }, [times, milliseconds]);
  return [times > 0, () => setTimes((count) => count + 1)];
}
