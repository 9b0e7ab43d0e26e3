import { ArrowDown, ArrowUp, Copy, Eye, EyeOff, FilePen, MoreVertical, Pencil, Trash2 } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import type { NodeKind } from './move-node.ts';
import { isWritten, type Node, nameOf, type OpenDialog } from './node.ts';
import { useTreeActions } from './use-tree-actions.ts';

/** All actions on a course, a section or a lesson, including moving it, so that dragging is never required. */
export function NodeMenu({
  kind,
  node,
  index,
  count,
  parentId,
  onOpen,
}: {
  kind: NodeKind;
  node: Node;
  index: number;
  count: number;
  parentId: number | undefined;
  onOpen: (open: OpenDialog) => void;
}) {
  const t = useStrings();
  const words = t.authoring.courses;
  const { move, setActive, write } = useTreeActions();
  const { isOwner } = useDoor();
  const name = nameOf(node);
  const moveTo = (to: number): void => move({ kind, id: node.id, parentId, index: to });
  return (
    <Menu
      trigger={
        <IconButton label={words.menuOf(name)}>
          <MoreVertical size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => onOpen({ dialog: 'edit', kind, node, parentId })}>
        <Pencil size={16} aria-hidden="true" /> {t.common.edit}
      </MenuItem>
      {'markdown_file_path' in node && (
        <>
          <MenuItem onSelect={() => void write(node.id)}>
            <FilePen size={16} aria-hidden="true" /> {isWritten(node) ? t.written.editText : t.written.writeText}
          </MenuItem>
          <MenuItem onSelect={() => onOpen({ dialog: 'preview', lesson: node })}>
            <Eye size={16} aria-hidden="true" /> {words.preview}
          </MenuItem>
        </>
      )}
      <MenuLine />
      <MenuItem isDisabled={index === 0} onSelect={() => moveTo(index - 1)}>
        <ArrowUp size={16} aria-hidden="true" /> {words.moveUp}
      </MenuItem>
      <MenuItem isDisabled={index === count - 1} onSelect={() => moveTo(index + 1)}>
        <ArrowDown size={16} aria-hidden="true" /> {words.moveDown}
      </MenuItem>
      <MenuLine />
      {kind !== 'theme' && 'is_active' in node && (
        <MenuItem onSelect={() => void setActive(kind, node.id, name, !node.is_active)}>
          {node.is_active ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          {node.is_active ? words.hide : words.unhide}
        </MenuItem>
      )}
      {'sections' in node && isOwner && (
        <MenuItem onSelect={() => onOpen({ dialog: 'copy', node })}>
          <Copy size={16} aria-hidden="true" /> {t.common.copy}
        </MenuItem>
      )}
      {(kind !== 'course' || isOwner) && (
        <MenuItem onSelect={() => onOpen({ dialog: 'delete', kind, node })}>
          <Trash2 size={16} aria-hidden="true" /> {t.common.delete}
        </MenuItem>
      )}
    </Menu>
  );
}
