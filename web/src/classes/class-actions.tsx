import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey, mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { ClassForm } from './class-form.tsx';

/** Leaves the class, or changes it. */
export function ClassActions({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const user = useUser();
  const go = useDeparture();
  const toasts = useToasts();
  const undo = useUndo();
  const [shown, setShown] = useState<'edit' | 'delete' | 'leave'>();
  const close = (): void => setShown(undefined);
  const { id, name } = of;
  const path = { id };
  return (
    <>
      {of.my_role !== null && (
        <Button aria-haspopup="dialog" onClick={() => setShown('leave')}>
          <LogOut size={16} aria-hidden="true" /> {t.classes.leave}
        </Button>
      )}
      {mayChange(of, user) && (
        <>
          <Button aria-haspopup="dialog" onClick={() => setShown('delete')}>
            <Trash2 size={16} aria-hidden="true" className="text-bad" /> {t.common.delete}
          </Button>
          <Button aria-haspopup="dialog" onClick={() => setShown('edit')}>
            <Pencil size={16} aria-hidden="true" /> {t.classes.edit}
          </Button>
        </>
      )}
      <Dialog title={t.classes.editTitle(name)} isOpen={shown === 'edit'} onOpenChange={close}>
        <ClassForm given={of} onDone={close} />
      </Dialog>
      <Confirm
        title={t.classes.deleteTitle(name)}
        action={t.classes.delete}
        isOpen={shown === 'delete'}
        onOpenChange={close}
        onConfirm={() =>
          go(ok(api.DELETE('/api/classes/{id}', { params: { path } })), () =>
            undo(t.classes.deleted(name), 'class', id),
          )
        }
      >
        <p>{t.classes.deleteHelp}</p>
        <p>{t.common.undoHelp}</p>
      </Confirm>
      <Confirm
        title={t.classes.leaveTitle(name)}
        action={t.classes.leave}
        isOpen={shown === 'leave'}
        onOpenChange={close}
        onConfirm={() => {
          const params = { path: { id, user_id: user.id } };
          return go(ok(api.DELETE('/api/classes/{id}/members/{user_id}', { params })), () =>
            toasts.done(t.classes.left(name)),
          );
        }}
      >
        {t.classes.leaveHelp}
      </Confirm>
    </>
  );
}

/** The page of a class that is gone, or was left, leads to the list. */
function useDeparture() {
  const queries = useQueryClient();
  return async (request: Promise<unknown>, report: () => void): Promise<void> => {
    await request;
    report();
    navigate({ to: '/classes' });
    queries.removeQueries({ queryKey: [...classesKey, 'one'] });
    await queries.invalidateQueries({ queryKey: [...classesKey, 'list'] });
  };
}
