import { Maximize2, Minimize2, Search } from 'lucide-react';
import { lazy, type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import type { TerminalState } from './connection.ts';
import { Finder } from './finder.tsx';
import type { Notice } from './messages.ts';
import type { ScreenHandle } from './screen.tsx';
import { TerminalStatus } from './terminal-status.tsx';
import { TextControls, useTextAppearance } from './text-controls.tsx';
import { useFullPage } from './use-full-page.ts';
import { useTerminalState } from './use-terminal-state.ts';

const Screen = lazy(async () => ({ default: (await import('./screen.tsx')).Screen }));

export type TerminalHandle = Pick<ScreenHandle, 'type' | 'focus'>;

/** States in which the user can retry. */
const canConnect: readonly TerminalState[] = ['ended', 'notRunning', 'notFound', 'tooMany', 'takenOver'];
/** Notices of which the page shows more beside the terminal. They end the full screen. */
const shownBeside: readonly Notice['reason'][] = ['message', 'time', 'held', 'replaced'];

/**
 * A terminal of a container with its controls: its state (announced to screen readers), a search, the text size, and the full screen. It
 * connects automatically, and reconnects when the connection is lost.
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
  const section = useRef<HTMLElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const terminal = useTerminalState();
  const { state } = terminal.shown;
  const [isFinding, setFinding] = useState(false);
  const { isFull, setFull } = useFullPage(section);
  const appearance = useTextAppearance();

  useImperativeHandle(ref, () => ({
    type: (text) => screen.current?.type(text),
    focus: () => screen.current?.focus(),
  }));
  return (
    <section
      ref={section}
      aria-label={t.terminal.label}
      className={classes('flex min-h-0 flex-col bg-terminal', isFull ? 'fixed inset-0 z-30' : 'h-full')}
    >
      <div ref={toolbar} className="flex min-h-10 flex-wrap items-center gap-1 border-b bg-surface px-2 text-sm">
        <TerminalStatus {...terminal.shown} />
        {canConnect.includes(state) && (
          <Button size="small" look="primary" onClick={() => screen.current?.connect({ isNew: state !== 'takenOver' })}>
            {state === 'takenOver' ? t.terminal.takeBack : state === 'ended' ? t.terminal.openNew : t.common.retry}
          </Button>
        )}
        <IconButton label={t.terminal.find} onClick={() => setFinding((is) => !is)}>
          <Search size={16} aria-hidden="true" />
        </IconButton>
        <TextControls appearance={appearance} />
        <IconButton
          label={isFull ? t.terminal.leaveFullScreen : t.terminal.fullScreen}
          onClick={() => {
            setFull(!isFull);
            screen.current?.focus();
          }}
        >
          {isFull ? <Minimize2 size={16} aria-hidden="true" /> : <Maximize2 size={16} aria-hidden="true" />}
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
            fontSize={appearance.fontSize}
            isForScreenReader={appearance.isForScreenReader}
            onState={(next) => {
              terminal.onState(next);
              if (next === 'gone') setFull(false);
              onState?.(next);
            }}
            onReady={terminal.onReady}
            onNotice={(notice) => {
              terminal.onNotice(notice);
              if (shownBeside.includes(notice.reason)) setFull(false);
              onNotice?.(notice);
            }}
            onLeave={() => toolbar.current?.querySelector('button')?.focus()}
            onFind={() => setFinding(true)}
            onFullScreen={() => setFull(!isFull)}
          />
        </Suspense>
      </div>
    </section>
  );
}
