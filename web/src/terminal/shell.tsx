import { lazy, type Ref, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { useToasts } from '../ui/toasts.tsx';
import type { TerminalState } from './connection.ts';
import { DropZone } from './drop-zone.tsx';
import { DownloadDialog, ReplaceQuestion, UploadDialog, useUploads } from './file-dialogs.tsx';
import { Finder } from './finder.tsx';
import { KeyBar } from './key-bar.tsx';
import type { Notice } from './messages.ts';
import { PasteQuestion } from './paste-question.tsx';
import { mustAsk, rememberedPasteChoice, rememberPasteChoice } from './pastes.ts';
import type { ScreenHandle } from './screen.tsx';
import type { Matches } from './searches.ts';
import type { KeptShell } from './shell-id.ts';
import { type ShellActions, ShellToolbar } from './shell-toolbar.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { noModifiers } from './sticky-keys.ts';
import { TerminalStatus } from './terminal-status.tsx';
import type { TextAppearance } from './text-controls.tsx';
import { useTerminalState } from './use-terminal-state.ts';

const Screen = lazy(() => neededPart(async () => (await import('./screen.tsx')).Screen));

export type ShellHandle = Pick<ScreenHandle, 'type' | 'focus' | 'end'>;
/** What the other tabs show of a shell. */
export type ShellInfo = { state: TerminalState; isWatched: boolean; isHeld: boolean };

const noMatches: Matches = { index: -1, count: 0 };

/** One shell with its controls: its state (announced to screen readers), a search, and what the menu has. */
export function Shell({
  containerId,
  shell,
  isPlain,
  isShown,
  isFull,
  appearance,
  tabs,
  onFull,
  onText,
  onInfo,
  onNotice,
  ref,
}: {
  containerId: number;
  shell: KeptShell;
  /** Whether it begins as a plain one. */
  isPlain: boolean;
  isShown: boolean;
  isFull: boolean;
  appearance: TextAppearance;
  /** Undefined where another user's shell is watched. */
  tabs: ShellActions | undefined;
  onFull: (isFull: boolean) => void;
  /** The user goes back to the text beside the terminal. */
  onText: () => void;
  onInfo: (info: ShellInfo) => void;
  onNotice: (notice: Notice) => void;
  ref?: Ref<ShellHandle>;
}) {
  const { terminal: words } = useStrings();
  const toasts = useToasts();
  const screen = useRef<ScreenHandle>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const terminal = useTerminalState();
  const { state, isWatched, isHeld } = terminal.shown;
  const [isFinding, setFinding] = useState(false);
  const [matches, setMatches] = useState(noMatches);
  const [modifiers, setModifiers] = useState(noModifiers);
  const [paste, setPaste] = useState(rememberedPasteChoice);
  const [pasted, setPasted] = useState<string>();
  const [dialog, setDialog] = useState<'upload' | 'download' | 'keys'>();
  const machine = () => ({ containerId, shellId: shell.value });
  const uploads = useUploads(machine);

  const report = useRef(onInfo);
  report.current = onInfo;
  useEffect(() => report.current({ state, isWatched, isHeld }), [state, isWatched, isHeld]);
  useImperativeHandle(ref, () => ({
    type: (text) => screen.current?.type(text),
    focus: () => screen.current?.focus(),
    end: () => screen.current?.end(),
  }));
  const closeFinder = (): void => {
    setFinding(false);
    screen.current?.find('', { direction: 'next', isCaseSensitive: false }, false);
    screen.current?.focus();
  };
  return (
    <div className={classes('absolute inset-0 flex flex-col', !isShown && 'invisible')}>
      <div ref={toolbar} className="flex min-h-10 items-center gap-1 border-b bg-surface px-2 text-sm">
        <TerminalStatus {...terminal.shown} />
        <ShellToolbar
          {...{ state, isFull, appearance, tabs, paste }}
          lateKeys={terminal.shown.lateKeys}
          onConnect={() => screen.current?.connect({ isNew: state === 'ended' || state === 'notFound' })}
          onReconnect={() => screen.current?.reconnect()}
          onFind={() => (isFinding ? closeFinder() : setFinding(true))}
          onFull={() => {
            onFull(!isFull);
            screen.current?.focus();
          }}
          onPaste={(choice) => {
            rememberPasteChoice(choice);
            setPaste(choice);
          }}
          onFiles={setDialog}
        />
      </div>
      {isFinding && (
        <Finder
          matches={matches}
          onFind={(text, search, isTyping) => screen.current?.find(text, search, isTyping)}
          onClose={closeFinder}
        />
      )}
      <DropZone isActive={tabs !== undefined} onDrop={(files) => void uploads.drop(files)}>
        <Suspense fallback={<div className="h-full animate-pulse rounded bg-white/5" />}>
          <Screen
            {...{ containerId, shell, isPlain, modifiers }}
            ref={screen}
            label={words.label}
            fontSize={appearance.fontSize}
            fontFamily={appearance.fontFamily}
            isForScreenReader={appearance.isForScreenReader}
            onModified={() => setModifiers(noModifiers)}
            onState={terminal.onState}
            onReady={terminal.onReady}
            onLate={terminal.onLate}
            onNotice={(notice) => {
              terminal.onNotice(notice);
              onNotice(notice);
            }}
            onMatches={setMatches}
            onPaste={(text, isBracketed) => {
              if (mustAsk(text, paste, isBracketed)) setPasted(text);
              else screen.current?.paste(text);
            }}
            shortcuts={{
              leave: () => toolbar.current?.querySelector('button')?.focus(),
              find: () => setFinding(true),
              fullScreen: () => onFull(!isFull),
              newTab: () => tabs?.newTab(),
              nextTab: () => tabs?.nextTab(),
              previousTab: () => tabs?.previousTab(),
              toText: onText,
              notCopied: () => toasts.warn(words.notCopied),
            }}
          />
        </Suspense>
      </DropZone>
      {tabs && <KeyBar modifiers={modifiers} onModifiers={setModifiers} onKey={(key) => screen.current?.press(key)} />}
      <PasteQuestion
        text={pasted}
        onClose={() => setPasted(undefined)}
        onPaste={(text) => screen.current?.paste(text)}
      />
      <ReplaceQuestion uploads={uploads} />
      {dialog === 'upload' && <UploadDialog uploads={uploads} onClose={() => setDialog(undefined)} />}
      {dialog === 'keys' && <ShortcutsDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'download' && <DownloadDialog machine={machine} onClose={() => setDialog(undefined)} />}
    </div>
  );
}
