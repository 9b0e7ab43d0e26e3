import {
  Accessibility,
  Download,
  EllipsisVertical,
  Keyboard,
  Minus,
  Pencil,
  Plus,
  SquarePlus,
  SquareTerminal,
  Upload,
} from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { type PasteChoice, pasteChoices } from './pastes.ts';
import { fontSizes, type TextAppearance, typefaces } from './text-controls.tsx';

/** What is needed less often: another shell, files, and settings that the browser remembers for all machines. */
export function MoreMenu({
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
