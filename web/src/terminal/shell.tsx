import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Upload } from 'lucide-react';
import {
  type DragEvent,
  lazy,
  type PointerEvent,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Shortcuts } from './create-terminal.ts';
import { DownloadDialog, ReplaceQuestion, UploadDialog, useUploads } from './file-dialogs.tsx';
import { Finder } from './finder.tsx';
import type { Notice } from './messages.ts';
import { mustAsk, type PasteChoice } from './pastes.ts';
import type { ScreenHandle } from './screen.tsx';
import type { Matches } from './searches.ts';
import type { KeptShell } from './shell-id.ts';
import { type ArrowKey, type Modifiers, noModifiers } from './sticky-keys.ts';
import type { TextAppearance } from './text-controls.tsx';
import { TypingBar } from './typing-bar.tsx';
import { type ShownState, useTerminalState } from './use-terminal-state.ts';

const Screen = lazy(() => neededPart(async () => (await import('./screen.tsx')).Screen));

type Asked = 'upload' | 'download' | 'keys';

export type ShellHandle = Pick<ScreenHandle, 'type' | 'focus' | 'end' | 'connect' | 'reconnect'> & {
  /** Opens the search, or closes it. */
  find: () => void;
  /** Opens a dialog. */
  ask: (dialog: Asked) => void;
};

const noMatches: Matches = { index: -1, count: 0 };

/** One shell: its screen with a search over it, and the keys that phones lack. The bar above it is that of the pane. */
export function Shell({
  containerId,
  shell,
  isPlain,
  isShown,
  isWatching,
  appearance,
  paste,
  shortcuts,
  onReport,
  onNotice,
  ref,
}: {
  containerId: number;
  shell: KeptShell;
  /** Whether it begins as a plain one. */
  isPlain: boolean;
  isShown: boolean;
  /** It is another user's shell. */
  isWatching: boolean;
  appearance: TextAppearance;
  paste: PasteChoice;
  /** Keys that act on the pane. */
  shortcuts: Omit<Shortcuts, 'find' | 'notCopied' | 'endTyping'>;
  onReport: (shown: ShownState) => void;
  onNotice: (notice: Notice) => void;
  ref?: Ref<ShellHandle>;
}) {
  const { terminal: words } = useStrings();
  const toasts = useToasts();
  const screen = useRef<ScreenHandle>(null);
  const { shown, ...terminal } = useTerminalState();
  const [isFinding, setFinding] = useState(false);
  const [matches, setMatches] = useState(noMatches);
  const [modifiers, setModifiers] = useState(noModifiers);
  const [pasted, setPasted] = useState<string>();
  const [dialog, setDialog] = useState<Asked>();
  const machine = () => ({ containerId, shellId: shell.value });
  const uploads = useUploads(machine);

  const report = useRef(onReport);
  report.current = onReport;
  useEffect(() => report.current(shown), [shown]);
  const closeFinder = (): void => {
    setFinding(false);
    screen.current?.find('', { direction: 'next', isCaseSensitive: false }, false);
    screen.current?.focus();
  };
  useImperativeHandle(ref, () => ({
    type: (text) => screen.current?.type(text),
    focus: () => screen.current?.focus(),
    end: () => screen.current?.end(),
    connect: (options) => screen.current?.connect(options),
    reconnect: () => screen.current?.reconnect(),
    find: () => (isFinding ? closeFinder() : setFinding(true)),
    ask: setDialog,
  }));
  return (
    <div className={classes('absolute inset-0 flex flex-col', !isShown && 'invisible')}>
      {shown.state === 'open' && (
        <TypingBar
          typing={shown.typing}
          isWatching={isWatching}
          onAct={(act) => {
            screen.current?.tell(act);
            screen.current?.focus();
          }}
        />
      )}
      <DropZone isActive={!isWatching} onDrop={(files) => void uploads.drop(files)}>
        {isFinding && (
          <Finder
            matches={matches}
            onFind={(text, search, isTyping) => screen.current?.find(text, search, isTyping)}
            onClose={closeFinder}
          />
        )}
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
            onTyping={(typing) => {
              terminal.onTyping(typing);
              if (!isWatching && typing.state === 'ended' && shown.typing?.state === 'active')
                toasts.inform(words.typing.over(typing.name ?? ''));
            }}
            onMatches={setMatches}
            onPaste={(text, isBracketed) => {
              if (mustAsk(text, paste, isBracketed)) setPasted(text);
              else screen.current?.paste(text);
            }}
            shortcuts={{
              ...shortcuts,
              find: () => setFinding(true),
              endTyping: () => screen.current?.tell('end_typing'),
              notCopied: () => toasts.warn(words.notCopied),
            }}
          />
        </Suspense>
      </DropZone>
      {!isWatching && (
        <KeyBar modifiers={modifiers} onModifiers={setModifiers} onKey={(key) => screen.current?.press(key)} />
      )}
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

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes files that are dragged onto the terminal. The menu uploads files without a mouse. */
function DropZone({
  isActive,
  onDrop,
  children,
}: {
  isActive: boolean;
  onDrop: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const { terminal: words } = useStrings();
  const [isOver, setOver] = useState(false);
  const handlers = isActive
    ? {
        onDragOver: (event: DragEvent): void => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setOver(true);
        },
        onDragLeave: (event: DragEvent<HTMLElement>): void => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        },
        onDrop: (event: DragEvent): void => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setOver(false);
          onDrop([...event.dataTransfer.files]);
        },
      }
    : {};
  return (
    <div className="relative min-h-0 flex-1 p-2" {...handlers}>
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2 rounded border-2 border-dashed border-accent bg-surface/90 p-4 font-medium">
          <Upload size={18} aria-hidden="true" /> {words.files.drop}
        </p>
      )}
    </div>
  );
}

type BarKey = ArrowKey | { text: string };

const arrows: [ArrowKey, typeof ArrowUp][] = [
  ['ArrowLeft', ArrowLeft],
  ['ArrowDown', ArrowDown],
  ['ArrowUp', ArrowUp],
  ['ArrowRight', ArrowRight],
];
const signs = ['|', '/', '~', '-'];

/** The focus stays in the terminal, so that the keyboard on the screen stays open. */
const keepFocus = (event: PointerEvent): void => event.preventDefault();

/** The keys that keyboards of phones lack. Ctrl and Alt apply to the next key only. */
function KeyBar({
  modifiers,
  onModifiers,
  onKey,
}: {
  modifiers: Modifiers;
  onModifiers: (modifiers: Modifiers) => void;
  onKey: (key: BarKey) => void;
}) {
  const words = useStrings().terminal.keys;
  const key = (name: string, content: ReactNode, onClick: () => void, isPressed?: boolean) => (
    <button
      key={name}
      type="button"
      aria-label={name}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      onPointerDown={keepFocus}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className="flex min-h-10 items-center justify-center rounded border bg-raised px-1 text-sm aria-pressed:bg-accent aria-pressed:text-on-accent"
    >
      {content}
    </button>
  );
  const { isControl, isAlt } = modifiers;
  return (
    <div
      role="toolbar"
      aria-label={words.label}
      className="hidden grid-cols-6 gap-1 border-t bg-surface p-1 max-sm:grid sm:grid-cols-12 pointer-coarse:grid"
    >
      {key(words.control, 'Ctrl', () => onModifiers({ isControl: !isControl, isAlt }), isControl)}
      {key(words.alt, 'Alt', () => onModifiers({ isControl, isAlt: !isAlt }), isAlt)}
      {key(words.tab, 'Tab', () => onKey({ text: '\t' }))}
      {key(words.escape, 'Esc', () => onKey({ text: '\x1b' }))}
      {arrows.map(([name, Icon]) => key(words[name], <Icon size={16} aria-hidden="true" />, () => onKey(name)))}
      {signs.map((sign) => key(sign, sign, () => onKey({ text: sign })))}
    </div>
  );
}

/** Characters that are shown of a paste. */
const mostShown = 2000;

/** Asks before lines are pasted that the shell would run at once. */
function PasteQuestion({
  text,
  onPaste,
  onClose,
}: {
  text: string | undefined;
  onPaste: (text: string) => void;
  onClose: () => void;
}) {
  const { terminal: words } = useStrings();
  const lines = text?.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/).length ?? 0;
  return (
    <Confirm
      title={words.paste.title(lines)}
      action={words.paste.action}
      look="primary"
      isOpen={text !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={async () => text !== undefined && onPaste(text)}
    >
      <p>{words.paste.help}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled */}
      <pre tabIndex={0} className="mt-2 max-h-48 overflow-auto rounded bg-sunken p-2 text-xs">
        {text?.slice(0, mostShown)}
        {(text?.length ?? 0) > mostShown && '…'}
      </pre>
    </Confirm>
  );
}

/** The keys that the terminal does not pass on to the shell. */
const keys = [
  ['Ctrl+Shift+↑', 'text'],
  ['Ctrl+Shift+↓', 'leave'],
  ['Ctrl+Shift+Enter', 'fullScreen'],
  ['Ctrl+Shift+F', 'find'],
  ['Ctrl+Shift+C', 'copy'],
  ['Ctrl+V', 'paste'],
  ['Ctrl+Shift+S', 'newTab'],
  ['Ctrl+Shift+← →', 'switchTab'],
  ['Ctrl+Shift+E', 'endTyping'],
] as const;

/** The shortcuts of the terminal. */
function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const words = useStrings().terminal.shortcuts;
  return (
    <Dialog title={words.title} isOpen onOpenChange={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
        {keys.map(([key, name]) => (
          <div key={name} className="contents">
            <dt>
              <kbd className="rounded border bg-sunken px-1.5 py-0.5 font-mono text-xs whitespace-nowrap">{key}</kbd>
            </dt>
            <dd>{words.keys[name]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
