import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type LessonRepository, repositoriesQuery } from './tree-query.ts';

/** Gives a repository a secret with which its Git host reports pushes. It is shown once. */
export function PushSecret({ repository: { id, push_path }, name }: { repository: LessonRepository; name: string }) {
  const t = useStrings();
  const words = t.authoring.repositories;
  const door = useDoor();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const renew = useMutation({
    mutationFn: () =>
      id === null
        ? ok(door.api.POST('/api/admin/lessons/repositories/default/push-secret'))
        : ok(door.api.POST('/api/admin/lessons/repositories/{id}/push-secret', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: repositoriesQuery(door).queryKey }),
    onError: (error) => toasts.failed(error),
  });
  const close = (open: boolean): void => {
    setOpen(open);
    renew.reset();
  };
  const { data } = renew;
  return (
    <>
      <IconButton label={words.pushes(name)} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Webhook size={18} aria-hidden="true" />
      </IconButton>
      <Dialog title={words.pushes(name)} description={words.pushHelp} isOpen={isOpen} onOpenChange={close}>
        <div className="flex flex-col items-start gap-4">
          {(data ?? push_path) && (
            <TextField label={words.pushAddress} value={location.origin + (data?.push_path ?? push_path)} readOnly />
          )}
          {data ? (
            <TextField label={words.pushSecret} help={words.pushShownOnce} value={data.secret} readOnly />
          ) : (
            <Button look="primary" isBusy={renew.isPending} onClick={() => renew.mutate()}>
              {push_path ? words.pushRenew : words.pushCreate}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  );
}
