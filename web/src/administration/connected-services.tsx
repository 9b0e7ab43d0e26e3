import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';

/** An identity provider, or a platform of LTI. */
type Service = { id: number; name: string; issuer: string; is_active: boolean; user_count: number };

export function ServiceName({ row: { name, issuer, is_active }, inactive }: { row: Service; inactive: string }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
        {name} {!is_active && <Badge>{inactive}</Badge>}
      </span>
      <span className="block text-xs wrap-anywhere text-ink-soft">{issuer}</span>
    </>
  );
}

/** Asks the service whether it works, and shows what is wrong. */
export function ServiceTest<Problem extends string>({
  row: { name },
  words,
  notes = [],
  onTest,
}: {
  row: Service;
  words: { test: string; testOf: (name: string) => string; works: string; problems: Record<Problem, string> };
  /** What is told but is no failure. */
  notes?: readonly Problem[];
  onTest: () => Promise<{ problems: Problem[] }>;
}) {
  const toasts = useToasts();
  const test = useMutation({ mutationFn: onTest, onError: (error) => toasts.failed(error) });
  const { problems } = test.data ?? {};
  return (
    <div className="flex flex-col items-start gap-1">
      <Button size="small" isBusy={test.isPending} aria-label={words.testOf(name)} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <div role="status" className="text-sm">
        {problems?.every((problem) => notes.includes(problem)) && <p>{words.works}</p>}
        {problems?.map((problem) => (
          <p key={problem} className={notes.includes(problem) ? 'text-ink-soft' : 'text-bad'}>
            {words.problems[problem]}
          </p>
        ))}
      </div>
    </div>
  );
}

type ActionWords = Record<'edit' | 'delete' | 'deleteTitle' | 'deleted', (name: string) => string> & {
  deleteHelp: (users: number) => string;
};

export function ServiceActions({
  row: { id, name, user_count },
  kind,
  queryKey,
  words,
  onEdit,
  onDelete,
}: {
  row: Service;
  kind: 'identity_provider' | 'lti_platform';
  queryKey: readonly string[];
  words: ActionWords;
  onEdit: () => void;
  onDelete: () => Promise<unknown>;
}) {
  const t = useStrings();
  const undo = useUndo();
  const queries = useQueryClient();
  return (
    <span className="flex items-center justify-end gap-1">
      <IconButton label={words.edit(name)} aria-haspopup="dialog" onClick={onEdit}>
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <DeleteButton
        label={words.delete(name)}
        title={words.deleteTitle(name)}
        onConfirm={async () => {
          await onDelete();
          undo(words.deleted(name), kind, id);
          await queries.invalidateQueries({ queryKey });
        }}
      >
        {words.deleteHelp(user_count)} {t.common.undoHelp}
      </DeleteButton>
    </span>
  );
}
