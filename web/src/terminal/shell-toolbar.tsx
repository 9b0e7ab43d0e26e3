import {
  Accessibility,
  Download,
  EllipsisVertical,
  Keyboard,
  Maximize2,
  Minimize2,
  Minus,
  Pencil,
  Plus,
  RefreshCw,
  Search,
  SquarePlus,
  SquareTerminal,
  Upload,
} from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import type { TerminalState } from './connection.ts';
import type { Shortcuts } from './create-terminal.ts';
import { type PasteChoice, pasteChoices } from './pastes.ts';
import { fontSizes, type TextAppearance, TextControls, typefaces } from './text-controls.tsx';

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

/** What is needed less often: another shell, files, and settings that the browser remembers for all machines. */
function MoreMenu({
  paste,
  appearance,
  onPaste,
  onOpen,
  onOpenPlain,
  onRename,
  onUpload,
  onDownload,
  onKeys,
}: {
  paste: PasteChoice;
  appearance: TextAppearance;
  onPaste: (choice: PasteChoice) => void;
  onOpen: () => void;
  onOpenPlain: () => void;
  onRename: () => void;
  onUpload: () => void;
  onDownload: () => void;
  /** Shows the shortcuts. */
  onKeys: () => void;
}) {
  const { terminal: words } = useStrings();
  return (
    <Menu
      trigger={
        <IconButton label={words.more}>
          <EllipsisVertical size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem onSelect={onOpen}>
        <SquarePlus size={16} aria-hidden="true" /> {words.tabs.openWithKeys}
      </MenuItem>
      <MenuItem onSelect={onOpenPlain}>
        <SquareTerminal size={16} aria-hidden="true" /> {words.tabs.openPlain}
      </MenuItem>
      <MenuItem onSelect={onRename}>
        <Pencil size={16} aria-hidden="true" /> {words.tabs.rename}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={onUpload}>
        <Upload size={16} aria-hidden="true" /> {words.files.upload}
      </MenuItem>
      <MenuItem onSelect={onDownload}>
        <Download size={16} aria-hidden="true" /> {words.files.download}
      </MenuItem>
      <MenuItem onSelect={() => appearance.choose(appearance.font - 1)} isDisabled={appearance.font === 0}>
        <Minus size={16} aria-hidden="true" /> {words.fontSmaller}
      </MenuItem>
      <MenuItem
        onSelect={() => appearance.choose(appearance.font + 1)}
        isDisabled={appearance.font === fontSizes.length - 1}
      >
        <Plus size={16} aria-hidden="true" /> {words.fontLarger}
      </MenuItem>
      <MenuItem onSelect={appearance.toggleScreenReader}>
        <Accessibility size={16} aria-hidden="true" /> {words.screenReader}
      </MenuItem>
      <MenuItem onSelect={onKeys}>
        <Keyboard size={16} aria-hidden="true" /> {words.shortcuts.title}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{words.paste.setting}</MenuLabel>
      <MenuChoice
        value={paste}
        options={pasteChoices.map((value) => ({ value, label: words.paste.choices[value] }))}
        onChange={onPaste}
      />
      <MenuLine />
      <MenuLabel>{words.typeface}</MenuLabel>
      <MenuChoice
        value={appearance.typeface}
        options={typefaces.map((value) => ({ value, label: words.typefaces[value] }))}
        onChange={appearance.chooseTypeface}
      />
    </Menu>
  );
}
