import { Search } from 'lucide-react';
import { lazy, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import type { TerminalState } from './connection.ts';
import { Finder } from './finder.tsx';
import type { Notice } from './messages.ts';
import type { ScreenHandle } from './screen.tsx';
import { TerminalStatus } from './terminal-status.tsx';
import { TextControls, useTextAppearance } from './text-controls.tsx';
import { useFor } from './use-for.ts';

const Screen = lazy(async () => ({ default: (await import('./screen.tsx')).Screen }));

export type TerminalHandle = Pick<ScreenHandle, 'type' | 'focus'>;

/** States in which the user can retry. */
const canConnect: readonly TerminalState[] = ['ended', 'notRunning', 'notFound', 'tooMany', 'takenOver'];
/** How long a disk counts as nearly full after the last notice. The service repeats the notice at each measurement. */
const millisecondsFull = 150_000;
/** How long the note is shown that the machine was replaced. */
const millisecondsReplaced = 120_000;
/** How long the note is shown that the shell is a new one. */
const millisecondsNew = 30_000;
/** How long the note is shown that the service has lost its copy of the screen. */
const millisecondsLost = 30_000;

/**
 * A terminal of a container with its controls: its state (announced to screen readers), a search, and the text size. It connects
 * automatically, and reconnects when the connection is lost.
 */
export function TerminalPane({
  containerId,
  onState,
  onNotice,
  ref,
}: {
  containerId: number;
  onState?: (state: TerminalState) => void;
  /** Notices about the time left, or about a watcher. */
  onNotice?: (notice: Notice) => void;
  ref?: Ref<TerminalHandle>;
}) {
  const t = useStrings();
  const screen = useRef<ScreenHandle>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<TerminalState>('connecting');
  const [isReadOnly, setReadOnly] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [isWatched, setWatched] = useState(false);
  const [isDiskFull, setDiskFull] = useFor(millisecondsFull);
  const [isScreenLost, setScreenLost] = useFor(millisecondsLost);
  const [isReplaced, setReplaced] = useFor(millisecondsReplaced);
  const [homeKeptAt, setHomeKeptAt] = useState<string>();
  const [isNewShell, setNewShell] = useFor(millisecondsNew);
  const [isFinding, setFinding] = useState(false);
  const appearance = useTextAppearance();

  useImperativeHandle(ref, () => ({
    type: (text) => screen.current?.type(text),
    focus: () => screen.current?.focus(),
  }));
  return (
    <section aria-label={t.terminal.label} className="flex h-full min-h-0 flex-col bg-terminal">
      <div ref={toolbar} className="flex min-h-10 flex-wrap items-center gap-1 border-b bg-surface px-2 text-sm">
        <TerminalStatus
          {...{ state, isReadOnly, isHeld, isWatched, isDiskFull, isScreenLost, isReplaced, homeKeptAt, isNewShell }}
        />
        {canConnect.includes(state) && (
          <Button size="small" look="primary" onClick={() => screen.current?.connect({ isNew: state !== 'takenOver' })}>
            {state === 'takenOver' ? t.terminal.takeBack : state === 'ended' ? t.terminal.openNew : t.common.retry}
          </Button>
        )}
        <IconButton label={t.terminal.find} onClick={() => setFinding((is) => !is)}>
          <Search size={16} aria-hidden="true" />
        </IconButton>
        <TextControls appearance={appearance} />
        <span className="sr-only">{t.terminal.leave}</span>
      </div>
      {isFinding && (
        <Finder
          onFind={(text, direction) => screen.current?.find(text, direction) ?? false}
          onClose={() => {
            setFinding(false);
            screen.current?.focus();
          }}
        />
      )}
      <div className="min-h-0 flex-1 p-2">
        <Suspense fallback={<div className="h-full animate-pulse rounded bg-white/5" />}>
          <Screen
            key={containerId}
            ref={screen}
            containerId={containerId}
            label={t.terminal.label}
            fontSize={appearance.fontSize}
            isForScreenReader={appearance.isForScreenReader}
            onState={(next) => {
              setState(next);
              if (next !== 'open') setWatched(false);
              onState?.(next);
            }}
            onReady={({ is_read_only, isReplaced: isNew }) => {
              setReadOnly(is_read_only);
              setHeld(false);
              if (isNew) setNewShell();
            }}
            onNotice={(notice) => {
              if (notice.reason === 'disk') setDiskFull();
              if (notice.reason === 'screen_lost') setScreenLost();
              if (notice.reason === 'replaced') {
                setHomeKeptAt(notice.home_kept_at ?? undefined);
                setReplaced();
              }
              if (notice.reason === 'held') setHeld(true);
              if (notice.reason === 'released') setHeld(false);
              if (notice.reason === 'watched') setWatched(true);
              if (notice.reason === 'unwatched') setWatched(false);
              onNotice?.(notice);
            }}
            onLeave={() => toolbar.current?.querySelector('button')?.focus()}
            onFind={() => setFinding(true)}
          />
        </Suspense>
      </div>
    </section>
  );
}
