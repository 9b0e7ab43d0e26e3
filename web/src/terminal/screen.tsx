import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { terminalAppearance } from './appearance.ts';
import { TerminalConnection, type TerminalState } from './connection.ts';
import type { Notice, Ready } from './messages.ts';

export type ScreenHandle = {
  /** Types text like the user, and focuses the terminal. */
  type: (text: string) => void;
  focus: () => void;
  connect: (options?: { isNew?: boolean }) => void;
  /** Selects the next match after the selection, or the previous one. @returns whether there is one */
  find: (text: string, direction: 'next' | 'previous') => boolean;
};

type ScreenProps = {
  containerId: number;
  label: string;
  fontSize: number;
  isForScreenReader: boolean;
  onState: (state: TerminalState) => void;
  onReady: (ready: Ready & { isReplaced: boolean }) => void;
  onNotice: (notice: Notice) => void;
  /** The user wants to leave the terminal by keyboard, or to search in it. */
  onLeave: () => void;
  onFind: () => void;
  /** The user wants the terminal to fill the window, or no longer. */
  onFullScreen: () => void;
  ref?: Ref<ScreenHandle>;
};

/** The terminal's screen itself: xterm.js on a connection. It is a separate file because it is large and loaded on demand. */
export function Screen({ containerId, label, fontSize, isForScreenReader, ref, ...callbacks }: ScreenProps) {
  const box = useRef<HTMLDivElement>(null);
  const parts = useRef<{ terminal: Terminal; fit: FitAddon; search: SearchAddon; connection: TerminalConnection }>(
    null,
  );
  const latest = useRef(callbacks);
  latest.current = callbacks;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another container is another terminal; the rest is followed below
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const terminal = new Terminal({
      ...terminalAppearance,
      fontSize,
      scrollback: 5000,
      screenReaderMode: isForScreenReader,
      allowProposedApi: true,
    });
    const fit = new FitAddon();
    const search = new SearchAddon();
    terminal.loadAddon(fit);
    terminal.loadAddon(search);
    terminal.loadAddon(new WebLinksAddon((_event, address) => window.open(address, '_blank', 'noopener,noreferrer')));
    terminal.open(element);
    drawByGraphicsCard(terminal);
    terminal.textarea?.setAttribute('aria-label', label);

    let isReadOnly = false;
    const connection = new TerminalConnection(containerId, {
      state: (state) => {
        terminal.options.disableStdin = state !== 'open' || isReadOnly;
        latest.current.onState(state);
      },
      ready: (ready) => {
        // A new shell starts on a blank screen.
        if (!ready.is_resumed && !ready.is_read_only) terminal.reset();
        isReadOnly = ready.is_read_only;
        terminal.options.disableStdin = isReadOnly;
        latest.current.onReady(ready);
      },
      notice: (notice) => {
        if (notice.reason === 'held') terminal.options.disableStdin = true;
        if (notice.reason === 'released') terminal.options.disableStdin = isReadOnly;
        latest.current.onNotice(notice);
      },
      output: (bytes, done) => terminal.write(bytes, done),
    });
    terminal.onData((data) => connection.type(data));
    terminal.onBinary((data) => connection.type(Uint8Array.from(data, (char) => char.charCodeAt(0))));
    terminal.onResize(({ cols, rows }) => connection.resize(cols, rows));
    terminal.attachCustomKeyEventHandler((event) => {
      const shortcut = event.ctrlKey && event.shiftKey && event.type === 'keydown' ? event.code : undefined;
      if (shortcut === 'ArrowDown') latest.current.onLeave();
      else if (shortcut === 'KeyF') latest.current.onFind();
      else if (shortcut === 'Enter') latest.current.onFullScreen();
      else if (shortcut === 'KeyC') void navigator.clipboard?.writeText(terminal.getSelection());
      else return true;
      event.preventDefault();
      return false;
    });
    const observer = new ResizeObserver(() => {
      // A hidden terminal has no size to fit into.
      if (element.clientWidth > 0 && element.clientHeight > 0) fit.fit();
    });
    observer.observe(element);
    fit.fit();
    connection.resize(terminal.cols, terminal.rows);
    connection.connect();
    parts.current = { terminal, fit, search, connection };
    return () => {
      observer.disconnect();
      connection.close();
      terminal.dispose();
      parts.current = null;
    };
  }, [containerId]);

  useEffect(() => {
    const { terminal, fit } = parts.current ?? {};
    if (!terminal) return;
    terminal.options.fontSize = fontSize;
    terminal.options.screenReaderMode = isForScreenReader;
    fit?.fit();
  }, [fontSize, isForScreenReader]);

  useImperativeHandle(ref, () => ({
    type: (text) => {
      parts.current?.connection.type(text);
      parts.current?.terminal.focus();
    },
    focus: () => parts.current?.terminal.focus(),
    connect: (options) => {
      parts.current?.connection.connect(options);
      parts.current?.terminal.focus();
    },
    find: (text, direction) =>
      (direction === 'next' ? parts.current?.search.findNext(text) : parts.current?.search.findPrevious(text)) ?? false,
  }));

  return <div ref={box} data-terminal={containerId} className="h-full w-full overflow-hidden" />;
}

/** WebGL draws several times faster. Where it is missing or lost, xterm.js renders with DOM elements. */
function drawByGraphicsCard(terminal: Terminal): void {
  try {
    const addon = new WebglAddon();
    addon.onContextLoss(() => addon.dispose());
    terminal.loadAddon(addon);
  } catch {
    // WebGL is not available.
  }
}
