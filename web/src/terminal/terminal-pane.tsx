import { Accessibility, ChevronDown, ChevronUp, Eye, HardDrive, Minus, MonitorX, Plus, Search, X } from 'lucide-react';
import { lazy, type Ref, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { inputClasses } from '../ui/field.tsx';
import { remember, remembered } from '../ui/remember.ts';
import type { Notice, TerminalState } from './connection.ts';
import type { ScreenHandle } from './screen.tsx';

const Screen = lazy(async () => ({ default: (await import('./screen.tsx')).Screen }));

export type TerminalHandle = Pick<ScreenHandle, 'type' | 'focus'>;

const fontSizes = [11, 12, 13, 14, 16, 18, 21, 24];
const initialFont = 2;
/** States in which the user can retry. */
const canConnect: readonly TerminalState[] = ['ended', 'notRunning', 'notFound', 'tooMany', 'takenOver'];
const bad: readonly TerminalState[] = ['gone', 'notRunning', 'notFound', 'tooMany', 'forbidden'];

/** How long a disk counts as nearly full after the last notice. The service repeats the notice at each measurement. */
const millisecondsFull = 150_000;
/** How long the note is shown that the service has lost its copy of the screen. */
const millisecondsLost = 30_000;

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
  const [isWatched, setWatched] = useState(false);
  const [isDiskFull, setDiskFull] = useFor(millisecondsFull);
  const [isScreenLost, setScreenLost] = useFor(millisecondsLost);
  const [isFinding, setFinding] = useState(false);
  const [font, setFont] = useState(() => Number(remembered('terminal-font') ?? initialFont));
  const [isForScreenReader, setForScreenReader] = useState(() => remembered('terminal-screen-reader') === 'true');

  useImperativeHandle(ref, () => ({
    type: (text) => screen.current?.type(text),
    focus: () => screen.current?.focus(),
  }));
  const choose = (next: number): void => {
    const size = Math.min(fontSizes.length - 1, Math.max(0, next));
    remember('terminal-font', `${size}`);
    setFont(size);
  };
  const isStoppedForDisk = isDiskFull && state === 'gone';
  const isOnlyWatching = isReadOnly && state === 'open';
  const text = isStoppedForDisk
    ? t.terminal.diskFull
    : isOnlyWatching
      ? t.terminal.states.watchedOnly
      : t.terminal.states[state];
  return (
    <section aria-label={t.terminal.label} className="flex h-full min-h-0 flex-col bg-terminal">
      <div ref={toolbar} className="flex min-h-10 flex-wrap items-center gap-1 border-b bg-surface px-2 text-sm">
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 py-1">
          <span
            aria-hidden="true"
            className={classes(
              'size-2.5 shrink-0 rounded-full',
              state === 'open' ? 'bg-good' : bad.includes(state) ? 'bg-bad' : 'animate-pulse bg-warn',
            )}
          />
          <span>{text}</span>
          {isDiskFull && state === 'open' && (
            <span className="inline-flex items-center gap-1 text-warn">
              <HardDrive size={16} aria-hidden="true" /> {t.terminal.diskNearlyFull}
            </span>
          )}
          {isScreenLost && state === 'open' && (
            <span className="inline-flex items-center gap-1 text-warn">
              <MonitorX size={16} aria-hidden="true" /> {t.terminal.screenLost}
            </span>
          )}
          {isWatched && (
            <span className="inline-flex items-center gap-1 text-warn">
              <Eye size={16} aria-hidden="true" /> {t.terminal.watched}
            </span>
          )}
        </p>
        {canConnect.includes(state) && (
          <Button size="small" look="primary" onClick={() => screen.current?.connect({ isNew: state !== 'takenOver' })}>
            {state === 'takenOver' ? t.terminal.takeBack : state === 'ended' ? t.terminal.openNew : t.common.retry}
          </Button>
        )}
        <IconButton label={t.terminal.find} onClick={() => setFinding((is) => !is)}>
          <Search size={16} aria-hidden="true" />
        </IconButton>
        <IconButton label={t.terminal.fontSmaller} onClick={() => choose(font - 1)} disabled={font === 0}>
          <Minus size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t.terminal.fontLarger}
          onClick={() => choose(font + 1)}
          disabled={font === fontSizes.length - 1}
        >
          <Plus size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t.terminal.screenReader}
          aria-pressed={isForScreenReader}
          className="aria-pressed:bg-accent-soft"
          onClick={() => {
            remember('terminal-screen-reader', `${!isForScreenReader}`);
            setForScreenReader(!isForScreenReader);
          }}
        >
          <Accessibility size={16} aria-hidden="true" />
        </IconButton>
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
            fontSize={fontSizes[font] ?? 13}
            isForScreenReader={isForScreenReader}
            onState={(next) => {
              setState(next);
              if (next !== 'open') setWatched(false);
              onState?.(next);
            }}
            onReady={({ is_read_only }) => setReadOnly(is_read_only)}
            onNotice={(notice) => {
              if (notice.reason === 'disk') setDiskFull();
              if (notice.reason === 'screen_lost') setScreenLost();
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

function Finder({
  onFind,
  onClose,
}: {
  onFind: (text: string, direction: 'next' | 'previous') => boolean;
  onClose: () => void;
}) {
  const t = useStrings();
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (direction: 'next' | 'previous') => setFound(text === '' || onFind(text, direction));
  return (
    <form
      className="flex items-center gap-1 border-b bg-surface p-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        find('next');
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a key or a button
        autoFocus
        aria-label={t.terminal.find}
        aria-invalid={!isFound}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={classes(inputClasses, 'max-w-64 py-1!')}
      />
      <IconButton label={t.terminal.findPrevious} onClick={() => find('previous')}>
        <ChevronUp size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={t.terminal.findNext} type="submit">
        <ChevronDown size={16} aria-hidden="true" />
      </IconButton>
      {!isFound && <span className="text-sm text-bad">{t.terminal.notFound}</span>}
      <IconButton label={t.common.close} className="ml-auto" onClick={onClose}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </form>
  );
}
