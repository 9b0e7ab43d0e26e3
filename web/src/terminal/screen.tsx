import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { TypingAct } from './messages.ts';
import { type OpenScreen, openScreen, type ScreenEvents } from './open-screen.ts';
import { type Search, searchOptions } from './searches.ts';
import type { KeptShell } from './shell-id.ts';
import { type ArrowKey, arrowSequence } from './sticky-keys.ts';

export type ScreenHandle = {
  /** Types text like the user, and focuses the terminal. */
  type: (text: string) => void;
  /** A key of the bar for phones. */
  press: (key: ArrowKey | { text: string }) => void;
  paste: (text: string) => void;
  focus: () => void;
  connect: (options?: { isNew?: boolean }) => void;
  /** Replaces a connection that may be dead. */
  reconnect: () => void;
  /** Ends the shell, also where the connection is lost at the moment. */
  end: () => void;
  /** Says something about typing along. */
  tell: (act: TypingAct) => void;
  /** Selects a match. An empty text selects nothing. @param isTyping whether the text is still being typed */
  find: (text: string, search: Search, isTyping: boolean) => void;
};

type ScreenProps = ScreenEvents & {
  containerId: number;
  shell: KeptShell;
  isPlain: boolean;
  label: string;
  fontSize: number;
  fontFamily: string;
  isForScreenReader: boolean;
  ref?: Ref<ScreenHandle>;
};

/** The terminal's screen itself: xterm.js on a connection. It is a separate file because it is large and loaded on demand. */
export function Screen({
  containerId,
  shell,
  isPlain,
  label,
  fontSize,
  fontFamily,
  isForScreenReader,
  ref,
  ...rest
}: ScreenProps) {
  const box = useRef<HTMLDivElement>(null);
  const parts = useRef<OpenScreen>(null);
  const latest = useRef(rest);
  latest.current = rest;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another container is another terminal; the rest is followed below
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const opened = openScreen(element, {
      ...{ shell, isPlain, containerId, label, options: { fontSize, fontFamily, screenReaderMode: isForScreenReader } },
      latest: () => latest.current,
    });
    parts.current = opened;
    return () => {
      opened.close();
      parts.current = null;
    };
  }, [containerId, shell]);

  useEffect(() => {
    const { terminal, fit } = parts.current ?? {};
    if (!terminal) return;
    Object.assign(terminal.options, { fontSize, fontFamily, screenReaderMode: isForScreenReader });
    fit?.fit();
  }, [fontSize, fontFamily, isForScreenReader]);

  useImperativeHandle(ref, () => ({
    type: (text) => {
      parts.current?.connection.type(text);
      parts.current?.terminal.focus();
    },
    press: (key) => {
      const { terminal } = parts.current ?? {};
      const { modifiers } = latest.current;
      const isApplication = terminal?.modes.applicationCursorKeysMode ?? false;
      terminal?.input(typeof key === 'string' ? arrowSequence(key, modifiers, isApplication) : key.text);
    },
    paste: (text) => parts.current?.terminal.paste(text),
    focus: () => parts.current?.terminal.focus(),
    connect: (options) => {
      parts.current?.connection.connect(options);
      parts.current?.terminal.focus();
    },
    reconnect: () => {
      parts.current?.connection.reconnect();
      parts.current?.terminal.focus();
    },
    end: () => parts.current?.connection.end(),
    tell: (act) => parts.current?.connection.tell(act),
    find: (text, search, isTyping) => {
      const { search: addon } = parts.current ?? {};
      const options = searchOptions(search, isTyping);
      // The addon keeps its matches while the text is the same, even if the case counts now.
      if (isTyping) addon?.clearDecorations();
      if (text === '') return;
      if (search.direction === 'next') addon?.findNext(text, options);
      else addon?.findPrevious(text, options);
    },
  }));

  return <div ref={box} data-terminal={containerId} className="relative h-full w-full overflow-hidden" />;
}
