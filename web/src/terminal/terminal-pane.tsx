import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import type { TerminalState } from './connection.ts';
import { FoundShells } from './found-shells.tsx';
import type { Notice } from './messages.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { Shell, type ShellHandle, type ShellInfo } from './shell.tsx';
import { type KeptShell, ShellId, type Tabs } from './shell-id.ts';
import { ShellTabs } from './shell-tabs.tsx';
import { useTextAppearance } from './text-controls.tsx';
import { useFullPage } from './use-full-page.ts';
import { useKeyboardRoom } from './use-keyboard-room.ts';
import { useTabs } from './use-tabs.ts';
import { useTextKey } from './use-text-key.ts';

export type TerminalHandle = Pick<ShellHandle, 'type' | 'focus'>;

/** Notices of which the page shows more beside the terminal. They end the full screen. The time left is shown there as well. */
const shownBeside: readonly Notice['reason'][] = ['message', 'held', 'replaced'];

type PaneProps = {
  containerId: number;
  /** The shell of another user that is watched. Its tabs are not the watcher's. */
  watched?: KeptShell;
  /** What stays above the terminal in the full screen. */
  bar?: ReactNode;
  /** The state of the shown shell. */
  onState?: (state: TerminalState) => void;
  /** Notices about the time left, or about a watcher, of any shell. */
  onNotice?: (notice: Notice) => void;
  ref?: Ref<TerminalHandle>;
};

/** @see Pane. Another container has its own. */
export const TerminalPane = (props: PaneProps) =>
  props.watched ? (
    <Pane key={props.containerId} {...props} />
  ) : (
    <FoundShells
      key={props.containerId}
      containerId={props.containerId}
      fallback={<div className="h-full animate-pulse bg-terminal" />}
    >
      <Pane {...props} />
    </FoundShells>
  );

/**
 * The terminal of a container: its shells in tabs, and the full screen. It connects automatically, and reconnects when the connection is
 * lost.
 */
function Pane({ containerId, watched, bar, onState, onNotice, ref }: PaneProps) {
  const { terminal: words } = useStrings();
  const section = useRef<HTMLElement>(null);
  const { isFull, setFull } = useFullPage(section);
  const room = useKeyboardRoom(section);
  const appearance = useTextAppearance();
  const tabs = useTabs(containerId);
  const { all, active }: Tabs = watched ? { all: [{ number: 1 }], active: 1 } : tabs;
  const handles = useRef(new Map<number, ShellHandle | null>());
  const ids = useRef(new Map<number, KeptShell>());
  const [infos, setInfos] = useState<ReadonlyMap<number, ShellInfo>>(new Map());
  const [renamed, setRenamed] = useState<number>();

  const idOf = (number: number): KeptShell => {
    const id = ids.current.get(number) ?? new ShellId(containerId, number);
    ids.current.set(number, id);
    return id;
  };
  const close = (number: number): void => {
    handles.current.get(number)?.end();
    ids.current.delete(number);
    setInfos((before) => new Map([...before].filter(([other]) => other !== number)));
    tabs.close(number);
  };
  const inform = (number: number, info: ShellInfo): void => {
    setInfos((before) => new Map(before).set(number, info));
    if (info.state === 'gone') setFull(false);
    // As in other terminals, a tab closes with its shell. The last one stays, with what it has shown.
    if (info.state === 'ended' && all.length > 1) close(number);
  };

  const toText = useTextKey(section, () => handles.current.get(active)?.focus());
  const state = infos.get(active)?.state;
  const report = useRef(onState);
  report.current = onState;
  useEffect(() => {
    if (state !== undefined) report.current?.(state);
  }, [state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab has been chosen
  useEffect(() => {
    if (all.length > 1) handles.current.get(active)?.focus();
  }, [active]);
  useImperativeHandle(ref, () => ({
    type: (text) => handles.current.get(active)?.type(text),
    focus: () => handles.current.get(active)?.focus(),
  }));
  return (
    <section
      ref={section}
      aria-label={words.label}
      style={room}
      className={classes(
        '@container flex min-h-0 flex-col bg-terminal',
        room ? 'fixed inset-x-0 z-30' : isFull ? 'fixed inset-0 z-30' : 'h-full',
      )}
    >
      {isFull && !room && bar}
      {!watched && !room && (
        <ShellTabs
          {...{ tabs: all, active, infos }}
          onSelect={tabs.select}
          onClose={close}
          onRename={setRenamed}
          onOpen={() => tabs.open()}
        />
      )}
      <div className="relative min-h-0 flex-1">
        {all.map(({ number, isPlain = false }) => (
          <Shell
            key={number}
            ref={(handle) => {
              handles.current.set(number, handle);
            }}
            {...{ containerId, isFull, appearance, isPlain }}
            shell={watched ?? idOf(number)}
            isShown={number === active}
            tabs={
              watched
                ? undefined
                : {
                    isOnly: all.length === 1,
                    newTab: () => tabs.open(),
                    newPlainTab: () => tabs.open(true),
                    nextTab: () => tabs.step(1),
                    previousTab: () => tabs.step(-1),
                    rename: () => setRenamed(number),
                  }
            }
            onFull={setFull}
            onText={() => {
              setFull(false);
              toText();
            }}
            onInfo={(info) => inform(number, info)}
            onNotice={(notice) => {
              if (shownBeside.includes(notice.reason)) setFull(false);
              onNotice?.(notice);
            }}
          />
        ))}
      </div>
      {renamed !== undefined && (
        <RenameDialog
          name={tabs.all.find(({ number }) => number === renamed)?.name ?? ''}
          onRename={(name) => tabs.rename(renamed, name)}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </section>
  );
}
