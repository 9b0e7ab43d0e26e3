import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import type { BarAction } from './bar-action.tsx';
import type { TerminalState } from './connection.ts';
import { FoundShells } from './found-shells.tsx';
import type { Notice } from './messages.ts';
import { rememberedPasteChoice, rememberPasteChoice } from './pastes.ts';
import { Shell, type ShellHandle } from './shell.tsx';
import { type KeptShell, ShellId, storedTabs, storeTabs, type Tabs } from './shell-id.ts';
import { ShellTabs } from './shell-tabs.tsx';
import { TerminalBar } from './terminal-bar.tsx';
import { useTextAppearance } from './text-controls.tsx';
import { type ShownState, unreported } from './use-terminal-state.ts';

export type TerminalHandle = Pick<ShellHandle, 'type' | 'focus'>;

/** Notices of which the page shows more beside the terminal. They end the full screen. The time left is shown there as well. */
const shownBeside: readonly Notice['reason'][] = ['message', 'held', 'replaced'];

type PaneProps = {
  containerId: number;
  /** The shell of another user that is watched. Its tabs are not the watcher's. */
  watched?: KeptShell;
  /** What the bar says about the machine, such as its name. */
  lead?: ReactNode;
  /** What the bar can do with the machine. */
  actions?: readonly BarAction[];
  /** What the bar has while the terminal covers the page: its clock, and what it does at the end. */
  clock?: ReactNode;
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
    <FoundShells key={props.containerId} containerId={props.containerId} lead={props.lead}>
      <Pane {...props} />
    </FoundShells>
  );

/**
 * The terminal of a container: one bar, its shells, and the full screen. It connects automatically, and reconnects when the connection is
 * lost.
 */
function Pane({ containerId, watched, lead, actions = [], clock, onState, onNotice, ref }: PaneProps) {
  const { terminal: words } = useStrings();
  const section = useRef<HTMLElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  const { isFull, setFull } = useFullPage(section);
  const room = useKeyboardRoom(section);
  const appearance = useTextAppearance();
  const tabs = useTabs(containerId);
  const { all, active }: Tabs = watched ? { all: [{ number: 1 }], active: 1 } : tabs;
  const handles = useRef(new Map<number, ShellHandle | null>());
  const ids = useRef(new Map<number, KeptShell>());
  const [reports, setReports] = useState<ReadonlyMap<number, ShownState>>(new Map());
  const [renamed, setRenamed] = useState<number>();
  const [paste, setPaste] = useState(rememberedPasteChoice);

  const idOf = (number: number): KeptShell => {
    const id = ids.current.get(number) ?? new ShellId(containerId, number);
    ids.current.set(number, id);
    return id;
  };
  const close = (number: number): void => {
    handles.current.get(number)?.end();
    ids.current.delete(number);
    setReports((before) => new Map([...before].filter(([other]) => other !== number)));
    tabs.close(number);
  };
  const keepReport = (number: number, shown: ShownState): void => {
    setReports((before) => new Map(before).set(number, shown));
    if (shown.state === 'gone') setFull(false);
    // As in other terminals, a tab closes with its shell. The last one stays, with what it has shown.
    if (shown.state === 'ended' && all.length > 1) close(number);
  };

  const shell = () => handles.current.get(active);
  const toText = useTextKey(section, () => shell()?.focus());
  const state = reports.get(active)?.state;
  const report = useRef(onState);
  report.current = onState;
  useEffect(() => {
    if (state !== undefined) report.current?.(state);
  }, [state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab has been chosen
  useEffect(() => {
    if (all.length > 1) shell()?.focus();
  }, [active]);
  useImperativeHandle(ref, () => ({
    type: (text) => shell()?.type(text),
    focus: () => shell()?.focus(),
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
      <TerminalBar
        {...{ lead, actions, isFull, appearance, tools }}
        status={reports.get(active) ?? unreported}
        hasTabs={all.length > 1}
        clock={(isFull || room) && clock}
        tabs={
          !watched && (
            <ShellTabs
              {...{ tabs: all, active, reports }}
              onSelect={tabs.select}
              onClose={close}
              onRename={setRenamed}
              onOpen={() => tabs.open()}
            />
          )
        }
        shells={
          watched
            ? undefined
            : {
                open: tabs.open,
                rename: () => setRenamed(active),
                paste,
                choosePaste: (choice) => {
                  rememberPasteChoice(choice);
                  setPaste(choice);
                },
              }
        }
        onShell={(act) => {
          const shown = shell();
          if (shown) act(shown);
        }}
        onFull={() => {
          setFull(!isFull);
          shell()?.focus();
        }}
      />
      <div className="relative min-h-0 flex-1">
        {all.map(({ number, isPlain = false }) => (
          <Shell
            key={number}
            ref={(handle) => {
              handles.current.set(number, handle);
            }}
            {...{ containerId, appearance, isPlain, paste }}
            shell={watched ?? idOf(number)}
            isShown={number === active}
            isWatching={watched !== undefined}
            shortcuts={{
              leave: () => focusShown(tools.current),
              fullScreen: () => setFull(!isFull),
              newTab: () => watched ?? tabs.open(),
              nextTab: () => watched ?? tabs.step(1),
              previousTab: () => watched ?? tabs.step(-1),
              toText: () => {
                setFull(false);
                toText();
              },
            }}
            onReport={(shown) => keepReport(number, shown)}
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

/** Focuses the first button that the bar shows in its width. */
const focusShown = (tools: HTMLElement | null): void =>
  [...(tools?.querySelectorAll('button') ?? [])].find((button) => button.checkVisibility())?.focus();

/** The name of a tab. */
function RenameDialog({
  name,
  onRename,
  onClose,
}: {
  name: string;
  onRename: (name: string) => void;
  onClose: () => void;
}) {
  const { terminal: words, common } = useStrings();
  const [text, setText] = useState(name);
  return (
    <Dialog title={words.tabs.rename} isOpen onOpenChange={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(text.trim());
          onClose();
        }}
      >
        <TextField
          label={words.tabs.name}
          help={words.tabs.nameHelp}
          value={text}
          maxLength={40}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" look="primary">
          {common.save}
        </Button>
      </form>
    </Dialog>
  );
}

/**
 * Lets an element fill the window. It is not the browser's own full screen, which the Escape key leaves: in a terminal, Escape belongs to
 * the shell. The element stays where it is in the document, so it keeps its state. The covered rest of the page cannot be focused.
 */
function useFullPage(element: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    const covered: HTMLElement[] = [];
    for (let part = element.current; part && !part.hasAttribute('data-frame'); part = part.parentElement) {
      for (const sibling of part.parentElement?.children ?? []) {
        if (sibling === part || !(sibling instanceof HTMLElement) || sibling.inert) continue;
        sibling.inert = true;
        covered.push(sibling);
      }
    }
    return () => {
      for (const one of covered) one.inert = false;
    };
  }, [isFull, element]);
  return { isFull, setFull };
}

/** The part of the window that a keyboard on the screen leaves. */
type Room = { top: number; height: number };

/** Pixels that a keyboard takes at least. */
const leastKeyboard = 100;

/** The room above a keyboard on the screen while the focus is in an element. Undefined without one. */
function useKeyboardRoom(element: RefObject<HTMLElement | null>): Room | undefined {
  const [room, setRoom] = useState<Room>();
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    // Without a keyboard. Some browsers make the page smaller, and others only what is seen of it.
    let tallest = window.innerHeight;
    let width = window.innerWidth;
    const measure = (): void => {
      if (window.innerWidth !== width) tallest = window.innerHeight;
      width = window.innerWidth;
      tallest = Math.max(tallest, window.innerHeight);
      // A zoomed page also has a smaller view.
      const isCovered = view.scale === 1 && tallest - view.height > leastKeyboard;
      const isTouched = view.height < window.innerHeight - leastKeyboard || matchMedia('(pointer: coarse)').matches;
      const hasFocus = element.current?.contains(document.activeElement) ?? false;
      const next = isCovered && isTouched && hasFocus ? { top: view.offsetTop, height: view.height } : undefined;
      setRoom((before) => (before?.top === next?.top && before?.height === next?.height ? before : next));
    };
    const stop = new AbortController();
    for (const name of ['resize', 'scroll']) view.addEventListener(name, measure, stop);
    for (const name of ['focusin', 'focusout']) document.addEventListener(name, () => setTimeout(measure), stop);
    return () => stop.abort();
  }, [element]);
  return room;
}

/** The tabs of a terminal: each is a shell of the container. The browser's tab keeps them over a reload. */
function useTabs(containerId: number) {
  const [tabs, setTabs] = useState(() => storedTabs(containerId));
  const change = (next: (before: Tabs) => Tabs): void =>
    setTabs((before) => {
      const after = next(before);
      storeTabs(containerId, after);
      return after;
    });
  return {
    ...tabs,
    open: (isPlain = false): void =>
      change(({ all }) => {
        let number = 1;
        while (all.some((tab) => tab.number === number)) number += 1;
        return { all: [...all, { number, ...(isPlain ? { isPlain } : {}) }], active: number };
      }),
    select: (active: number): void => change(({ all }) => ({ all, active })),
    /** Selects the next tab, or the previous one. After the last one comes the first. */
    step: (by: 1 | -1): void =>
      change(({ all, active }) => {
        const index = all.findIndex(({ number }) => number === active);
        return { all, active: all[(index + by + all.length) % all.length]?.number ?? active };
      }),
    /** Without a name, a tab is called by its number. */
    rename: (number: number, name: string): void =>
      change(({ all, active }) => ({
        all: all.map((tab) => (tab.number === number ? { number, ...(name === '' ? {} : { name }) } : tab)),
        active,
      })),
    /** The last tab stays. */
    close: (number: number): void =>
      change(({ all, active }) => {
        const left = all.filter((tab) => tab.number !== number);
        const index = all.findIndex((tab) => tab.number === number);
        const next = left[Math.min(index, left.length - 1)];
        if (!next) return { all, active };
        return { all: left, active: active === number ? next.number : active };
      }),
  };
}

/**
 * Ctrl+Shift+Up leads from the terminal to the text, and from the text to the terminal.
 * @param toTerminal focuses the terminal
 * @returns what leads to the text: to where the user was, or to the page's content
 */
function useTextKey(terminal: RefObject<HTMLElement | null>, toTerminal: () => void): () => void {
  const text = useRef<HTMLElement>(undefined);
  const latest = useRef(toTerminal);
  latest.current = toTerminal;
  useEffect(() => {
    const stop = new AbortController();
    const isHere = (target: EventTarget | null): boolean =>
      target instanceof Node && (terminal.current?.contains(target) ?? false);
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (target instanceof HTMLElement && !isHere(target)) text.current = target;
      },
      stop,
    );
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.code !== 'ArrowUp' || !event.ctrlKey || !event.shiftKey || event.altKey || isHere(event.target))
          return;
        // A dialog keeps the focus.
        if (event.target instanceof Element && event.target.closest('[role$="dialog"]')) return;
        event.preventDefault();
        latest.current();
      },
      stop,
    );
    return () => stop.abort();
  }, [terminal]);
  return useCallback(() => {
    const last = text.current?.isConnected ? text.current : undefined;
    (last ?? document.getElementById('content'))?.focus();
  }, []);
}
