import { TerminalConnection, type TerminalEvents, type TerminalState } from './connection.ts';
import { createTerminal, type Shortcuts } from './create-terminal.ts';
import type { Notice, Ready, Typing } from './messages.ts';
import { cleanPaste } from './pastes.ts';
import type { Matches } from './searches.ts';
import type { KeptShell } from './shell-id.ts';
import { type Modifiers, withModifiers } from './sticky-keys.ts';
import { TypistLabel } from './typist-label.ts';

/** What a screen needs of its page: the modifiers in use, the shortcuts, and what to call when something happens. */
export type ScreenEvents = {
  modifiers: Modifiers;
  /** The modifiers have applied to a key. */
  onModified: () => void;
  onState: (state: TerminalState) => void;
  onReady: (ready: Ready & { isReplaced: boolean }) => void;
  onNotice: (notice: Notice) => void;
  onTyping: (typing: Typing) => void;
  /** Keys that wait too long for their confirmation. */
  onLate: (keys: number) => void;
  onMatches: (matches: Matches) => void;
  /** The user pastes. @param isBracketed whether the shell shows a paste before it runs it */
  onPaste: (text: string, isBracketed: boolean) => void;
  shortcuts: Shortcuts;
};

/** States in which keys are taken. */
const typing: readonly TerminalState[] = ['connecting', 'open', 'reconnecting', 'waiting'];

/** A terminal on its connection. `close` frees both. */
export type OpenScreen = ReturnType<typeof createTerminal> & { connection: TerminalConnection; close: () => void };

/**
 * Creates a terminal in an element, and connects it to a shell.
 * @param latest returns what the page has at the moment, which can change while the terminal is open
 */
export function openScreen(
  element: HTMLElement,
  {
    containerId,
    shell,
    isPlain,
    label,
    options,
    latest,
  }: {
    containerId: number;
    shell: KeptShell;
    isPlain: boolean;
    label: string;
    options: Parameters<typeof createTerminal>[1];
    latest: () => ScreenEvents;
  },
): OpenScreen {
  const stop = new AbortController();
  const created = createTerminal(
    element,
    options,
    followed(() => latest().shortcuts),
  );
  const { terminal, fit, search } = created;
  terminal.textarea?.setAttribute('aria-label', label);
  search.onDidChangeResults(({ resultIndex: index, resultCount: count }) => latest().onMatches({ index, count }));

  const typist = new TypistLabel(terminal, element);
  /** The shell is another user's, who has not allowed that this one types along. */
  let isReadOnly = false;
  let isWatching = false;
  const events: TerminalEvents = {
    state: (state) => {
      // What is typed before there is a connection is kept until there is one.
      if (state !== 'open') typist.show(undefined);
      terminal.options.disableStdin = !typing.includes(state) || isReadOnly;
      latest().onState(state);
    },
    ready: (ready) => {
      // A new shell starts on a blank screen.
      if (!ready.is_resumed && !ready.is_read_only) terminal.reset();
      isWatching = ready.is_read_only;
      isReadOnly = isWatching;
      terminal.options.disableStdin = isReadOnly;
      latest().onReady(ready);
    },
    notice: (notice) => {
      if (notice.reason === 'held') terminal.options.disableStdin = true;
      if (notice.reason === 'released') terminal.options.disableStdin = isReadOnly;
      latest().onNotice(notice);
    },
    typing: (now) => {
      const isActive = now.state === 'active';
      typist.show((isActive && now.is_typing && now.name) || undefined);
      if (isWatching) {
        isReadOnly = !isActive;
        terminal.options.disableStdin = isReadOnly;
        if (isActive && !now.is_typing) terminal.focus();
      }
      latest().onTyping(now);
    },
    late: (keys) => latest().onLate(keys),
    output: (bytes, done) => terminal.write(bytes, done),
  };
  const connection = new TerminalConnection(containerId, shell, events, isPlain);
  terminal.onData((data) => {
    const { modifiers, onModified } = latest();
    connection.type(withModifiers(data, modifiers));
    if (modifiers.isControl || modifiers.isAlt) onModified();
  });
  terminal.onBinary((data) => connection.type(Uint8Array.from(data, (char) => char.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => connection.resize(cols, rows));
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const text = cleanPaste(event.clipboardData?.getData('text/plain') ?? '');
    if (text !== '' && !terminal.options.disableStdin) latest().onPaste(text, terminal.modes.bracketedPasteMode);
  };
  element.addEventListener('paste', paste, { capture: true, signal: stop.signal });
  const observer = new ResizeObserver(() => {
    // A hidden terminal has no size to fit into.
    if (element.clientWidth > 0 && element.clientHeight > 0) fit.fit();
  });
  observer.observe(element);
  fit.fit();
  connection.resize(terminal.cols, terminal.rows);
  connection.connect();
  if (wasOpenedByClick()) terminal.focus();
  return {
    ...created,
    connection,
    close: () => {
      stop.abort();
      observer.disconnect();
      connection.close();
      terminal.dispose();
    },
  };
}

/** The current shortcuts, whichever they were when the terminal was created. */
const followed = (current: () => Shortcuts): Shortcuts => ({
  leave: () => current().leave(),
  find: () => current().find(),
  fullScreen: () => current().fullScreen(),
  newTab: () => current().newTab(),
  nextTab: () => current().nextTab(),
  previousTab: () => current().previousTab(),
  toText: () => current().toText(),
  endTyping: () => current().endTyping(),
  notCopied: () => current().notCopied(),
});

/** Milliseconds within which a terminal that appears is the answer to a click: the start of a machine can take some of them. */
const patience = 30_000;
const fields = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

let clickedAt = Number.NEGATIVE_INFINITY;

/** A click of the pointer, or of a key on a button, after which the user has done nothing else. */
document.addEventListener(
  'click',
  ({ isTrusted }) => {
    if (isTrusted) clickedAt = performance.now();
  },
  { capture: true },
);
for (const name of ['keydown', 'wheel'] as const)
  document.addEventListener(
    name,
    (event) => {
      const isOfClick = event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ');
      if (!isOfClick) clickedAt = Number.NEGATIVE_INFINITY;
    },
    { capture: true, passive: true },
  );

/**
 * Whether the user has just asked for a terminal, and so expects to type into it. With a finger the keyboard would cover the page, so
 * there the terminal waits for a tap.
 */
function wasOpenedByClick(): boolean {
  if (matchMedia('(pointer: coarse)').matches || document.activeElement?.closest(fields)) return false;
  return performance.now() - clickedAt < patience;
}
