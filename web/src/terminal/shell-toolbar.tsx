import { Maximize2, Minimize2, RefreshCw, Search, SquarePlus } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import type { TerminalState } from './connection.ts';
import type { Shortcuts } from './create-terminal.ts';
import { MoreMenu } from './more-menu.tsx';
import type { PasteChoice } from './pastes.ts';
import { type TextAppearance, TextControls } from './text-controls.tsx';

/** What a shell can do with the tabs. */
export type ShellActions = Pick<Shortcuts, 'newTab' | 'nextTab' | 'previousTab'> & {
  rename: () => void;
  newPlainTab: () => void;
  isOnly: boolean;
};

/** States in which the user can retry. */
const canConnect: readonly TerminalState[] = ['ended', 'notRunning', 'notFound', 'tooMany', 'takenOver', 'unreachable'];

/** The buttons above a shell. Those of the menu are missing where another user's shell is watched. */
export function ShellToolbar({
  state,
  isFull,
  appearance,
  tabs,
  paste,
  lateKeys,
  onConnect,
  onReconnect,
  onFind,
  onFull,
  onPaste,
  onFiles,
}: {
  state: TerminalState;
  isFull: boolean;
  appearance: TextAppearance;
  tabs: ShellActions | undefined;
  paste: PasteChoice;
  /** Keys that wait too long for their confirmation. */
  lateKeys: number;
  onConnect: () => void;
  onReconnect: () => void;
  onFind: () => void;
  onFull: () => void;
  onPaste: (choice: PasteChoice) => void;
  onFiles: (dialog: 'upload' | 'download' | 'keys') => void;
}) {
  const { terminal: words, common } = useStrings();
  return (
    <>
      {canConnect.includes(state) && (
        <Button size="small" look="primary" onClick={onConnect}>
          {state === 'takenOver' ? words.takeBack : state === 'ended' ? words.openNew : common.retry}
        </Button>
      )}
      {(lateKeys > 0 || state === 'reconnecting') && !canConnect.includes(state) && (
        <Button size="small" onClick={onReconnect}>
          <RefreshCw size={16} aria-hidden="true" /> <span className="@max-md:sr-only">{words.reconnect}</span>
        </Button>
      )}
      <IconButton label={words.find} onClick={onFind}>
        <Search size={16} aria-hidden="true" />
      </IconButton>
      <TextControls appearance={appearance} />
      <IconButton label={isFull ? words.leaveFullScreen : words.fullScreen} onClick={onFull}>
        {isFull ? <Minimize2 size={16} aria-hidden="true" /> : <Maximize2 size={16} aria-hidden="true" />}
      </IconButton>
      {tabs?.isOnly && (
        <IconButton label={words.tabs.open} onClick={tabs.newTab}>
          <SquarePlus size={16} aria-hidden="true" />
        </IconButton>
      )}
      {tabs && (
        <MoreMenu
          {...{ paste, appearance, onPaste }}
          onOpen={tabs.newTab}
          onOpenPlain={tabs.newPlainTab}
          onRename={tabs.rename}
          onUpload={() => onFiles('upload')}
          onDownload={() => onFiles('download')}
          onKeys={() => onFiles('keys')}
        />
      )}
      <span className="sr-only">{words.leave}</span>
    </>
  );
}
