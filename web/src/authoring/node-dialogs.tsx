import { useQuery } from '@tanstack/react-query';
import { FileX2 } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { isRefusal } from '../api/problem.ts';
import { useParsedText } from '../markdown/use-parsed-text.ts';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { contentQuery, type LessonInTree } from '../teaching-model/courses.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { CopyCourse } from './copy-course.tsx';
import type { NodeKind } from './move-node.ts';
import { type Node, nameOf, type OpenDialog } from './node.ts';
import { NodeForm } from './node-form.tsx';
import { useTreeActions } from './use-tree-actions.ts';

type Ends = {
  onClose: () => void;
  /** In the place of showing in the list what was created. */
  onCreated?: ((id: number) => void) | undefined;
};

export function NodeDialogs({ open, onClose, onCreated }: Ends & { open: OpenDialog | undefined }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const change = (isOpen: boolean): void => {
    if (!isOpen) onClose();
  };
  if (!open) return null;
  if (open.dialog === 'delete') return <DeleteNode {...open} onClose={onClose} />;
  if (open.dialog === 'copy') return <CopyCourse course={open.node} onClose={onClose} />;
  if (open.dialog === 'preview') {
    return (
      <Dialog
        title={open.lesson.title}
        {...(open.lesson.is_written ? {} : { description: open.lesson.markdown_file_path })}
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
      <NodeForm {...{ kind, node, parentId, onClose, onCreated }} />
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

const LessonText = lazy(() => neededPart(async () => (await import('../markdown/lesson-text.tsx')).LessonText));
const skeleton = <Loading rows={6} className="h-6" />;

/** The text of a lesson as students read it, or a note that its file does not exist. */
function LessonPreview({ lesson: { id, title, markdown_file_path: path } }: { lesson: LessonInTree }) {
  const t = useStrings();
  const words = t.authoring.courses;
  // Always fetched again, because the file may have been pushed or the path corrected.
  const content = useQuery({ ...contentQuery(id), staleTime: 0 });
  const text = useParsedText(content.data, title);
  const source = useMemo(() => ({ lessonId: id, path }), [id, path]);
  if (isRefusal(content.error, 'lesson_file_not_found')) {
    return (
      <div role="alert" className="flex gap-3 rounded-md border border-warn bg-warn-soft px-4 py-3 text-sm">
        <FileX2 size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
        <div className="min-w-0 break-words">
          <p className="font-semibold text-warn">{words.missingFile}</p>
          <p className="mt-1">{words.missingFileHelp(path)}</p>
        </div>
      </div>
    );
  }
  return (
    <Fetched query={content} skeleton={skeleton}>
      {() => <Suspense fallback={skeleton}>{text ? <LessonText {...{ text, source }} /> : skeleton}</Suspense>}
    </Fetched>
  );
}
