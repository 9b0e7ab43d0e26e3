import { useQueryClient } from '@tanstack/react-query';
import { useUser } from '../api/use-session.ts';
import type { Comment } from '../attempts/feedback.tsx';
import { feedbackKey } from '../attempts/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { gradingKey } from './grading-queries.ts';

/** Shown where the user may delete the comment. */
export function DeleteComment({ comment, onDelete }: { comment: Comment; onDelete: () => Promise<void> }) {
  const { feedback: words } = useStrings();
  const user = useUser();
  const queries = useQueryClient();
  if (comment.author_id !== user.id && user.role !== 'admin') return null;
  return (
    <DeleteButton
      label={`${words.remove}: ${comment.text.slice(0, 40)}`}
      title={words.removeTitle}
      action={words.remove}
      onConfirm={async () => {
        await onDelete();
        await Promise.all([feedbackKey, gradingKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
      }}
    >
      {words.removeHelp}
    </DeleteButton>
  );
}
