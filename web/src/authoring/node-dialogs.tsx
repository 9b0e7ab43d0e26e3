import { useStrings } from '../strings/use-strings.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { LessonPreview } from './lesson-preview.tsx';
import type { NodeKind } from './move-node.ts';
import { type Node, nameOf, type OpenDialog } from './node.ts';
import { NodeForm } from './node-form.tsx';
import { useTreeActions } from './use-tree-actions.ts';

export function NodeDialogs({ open, onClose }: { open: OpenDialog | undefined; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const change = (isOpen: boolean): void => {
    if (!isOpen) onClose();
  };
  if (!open) return null;
  if (open.dialog === 'delete') return <DeleteNode {...open} onClose={onClose} />;
  if (open.dialog === 'preview') {
    return (
      <Dialog
        title={open.lesson.title}
        description={open.lesson.markdown_file_path}
        isOpen
        onOpenChange={change}
        width="max-w-3xl"
      >
        <LessonPreview lesson={open.lesson} />
      </Dialog>
    );
  }
  const { kind, node, parentId } = open;
  return (
    <Dialog title={node ? words.edit[kind] : words.add[kind]} isOpen onOpenChange={change}>
      <NodeForm {...{ kind, node, parentId, onClose }} />
    </Dialog>
  );
}

function DeleteNode({ kind, node, onClose }: { kind: NodeKind; node: Node; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const undo = useUndo();
  const { remove } = useTreeActions();
  const name = nameOf(node);
  const confirm = async (): Promise<void> => {
    await remove(kind, node.id);
    undo(words.deleted(name), kind, node.id);
  };
  return (
    <Confirm
      title={words.deleteTitle(name)}
      action={t.common.delete}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={confirm}
    >
      <p>{useWhatGoes(node)}</p>
      <p>{t.common.undoHelp}</p>
    </Confirm>
  );
}

/** Describes what is deleted together with a course, a section or a lesson. */
function useWhatGoes(node: Node): string {
  const words = useStrings().authoring.courses;
  if ('sections' in node) return words.deleteCourse(node.section_count, node.progress.total_themes);
  return 'themes' in node ? words.deleteSection(node.themes.length) : words.deleteLesson;
}
