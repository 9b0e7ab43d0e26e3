import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { CopyDialog } from '../ui/copy-dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { EditedCourse } from './tree-query.ts';

/** Copies a course, such as for another term, and opens the copy. */
export function CopyCourse({ course: { id, name }, onClose }: { course: EditedCourse; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const toasts = useToasts();
  const client = useQueryClient();
  const copy = async (body: { name: string }): Promise<void> => {
    const params = { path: { course_id: id } };
    const made = await ok(api.POST('/api/teaching/courses/{course_id}/copy', { params, body }));
    toasts.done(words.copied(made.name));
    onClose();
    navigate({ to: '/teaching/courses/$courseId', params: { courseId: `${made.id}` } });
    await client.invalidateQueries();
  };
  return (
    <CopyDialog
      title={words.copyTitle(name)}
      help={words.copyHelp}
      label={words.name}
      field="name"
      given={name}
      {...{ copy, onClose }}
    />
  );
}
