import { Download, EllipsisVertical, Pencil, SquarePlus, Upload } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { type PasteChoice, pasteChoices } from './pastes.ts';
import { type TextAppearance, typefaces } from './text-controls.tsx';

/** What is needed less often: another shell, files, and settings that the browser remembers for all machines. */
export function MoreMenu({
  paste,
  appearance,
  onPaste,
  onOpen,
  onRename,
  onUpload,
  onDownload,
}: {
  paste: PasteChoice;
  appearance: TextAppearance;
  onPaste: (choice: PasteChoice) => void;
  onOpen: () => void;
  onRename: () => void;
  onUpload: () => void;
  onDownload: () => void;
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
