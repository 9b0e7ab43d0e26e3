import { useQueryClient } from '@tanstack/react-query';
import { Activity, Boxes, ClipboardList, Ellipsis, Mail, Pencil, Trash2, UserCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { IssuedInvitation } from '../imports/issued-invitation.tsx';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { User } from './queries.ts';
import { UserFields, type UserValues } from './user-fields.tsx';

/** The actions for a user. */
export function UserMenu({ user }: { user: User }) {
  const t = useStrings();
  const toasts = useToasts();
  const change = useChange(user);
  const [shown, setShown] = useState<'edit' | 'invite' | 'deactivate' | 'delete'>();
  const close = (): void => setShown(undefined);
  const { id, username, is_active } = user;
  const search = { user_id: id };
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t.administration.actionsOf(username)}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setShown('edit')}>
          <Pencil size={16} aria-hidden="true" /> {t.administration.editUser}
        </MenuItem>
        {is_active && (
          <MenuItem onSelect={() => setShown('invite')}>
            <Mail size={16} aria-hidden="true" /> {t.administration.invite}
          </MenuItem>
        )}
        {is_active ? (
          <MenuItem onSelect={() => setShown('deactivate')}>
            <UserX size={16} aria-hidden="true" /> {t.administration.deactivate}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => void change.setActive(true).catch(toasts.failed)}>
            <UserCheck size={16} aria-hidden="true" /> {t.administration.activate}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem onSelect={() => navigate({ to: '/teaching/attempts', search })}>
          <ClipboardList size={16} aria-hidden="true" /> {t.administration.theirAttempts}
        </MenuItem>
        <MenuItem onSelect={() => navigate({ to: '/administration/containers', search })}>
          <Boxes size={16} aria-hidden="true" /> {t.administration.theirContainers}
        </MenuItem>
        <MenuItem onSelect={() => navigate({ to: '/administration/activity', search })}>
          <Activity size={16} aria-hidden="true" /> {t.administration.theirActivity}
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => setShown('delete')}>
          <Trash2 size={16} aria-hidden="true" className="text-bad" />{' '}
          <span className="text-bad">{t.common.delete}</span>
        </MenuItem>
      </Menu>
      <Dialog title={t.administration.editTitle(username)} isOpen={shown === 'edit'} onOpenChange={close}>
        <EditUserForm user={user} onDone={close} />
      </Dialog>
      <Dialog
        title={t.administration.inviteTitle(username)}
        description={t.administration.inviteLead}
        isOpen={shown === 'invite'}
        onOpenChange={close}
      >
        <IssuedInvitation
          userId={user.id}
          issue={() => ok(api.POST('/api/admin/users/{id}/invitation', { params: { path: { id: user.id } } }))}
        />
      </Dialog>
      <Confirm
        title={t.administration.deactivateTitle(username)}
        action={t.administration.deactivate}
        isOpen={shown === 'deactivate'}
        onOpenChange={close}
        onConfirm={() => change.setActive(false)}
      >
        {t.administration.deactivateHelp}
      </Confirm>
      <Confirm
        title={t.administration.deleteTitle(username)}
        action={t.administration.deleteUser}
        isOpen={shown === 'delete'}
        onOpenChange={close}
        onConfirm={change.remove}
      >
        {t.administration.deleteUserHelp}
      </Confirm>
    </>
  );
}

function useChange({ id, username }: User) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id } };
  const finish = async (request: Promise<unknown>, done: string): Promise<void> => {
    await request;
    toasts.done(done);
    await queries.invalidateQueries({ queryKey: ['administration'] });
  };
  return {
    setActive: (is_active: boolean) =>
      finish(
        ok(api.PUT('/api/admin/users/{id}', { params, body: { is_active } })),
        is_active ? t.administration.activated(username) : t.administration.deactivated(username),
      ),
    remove: () => finish(ok(api.DELETE('/api/admin/users/{id}', { params })), t.administration.deleted(username)),
  };
}

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const me = useUser();
  const { username, email, full_name, role } = user;
  const values: UserValues = { username, email, full_name: full_name ?? '', role, password: '' };
  const { form, error, onSubmit } = useSentForm(values, async (edited) => {
    const changed = await change(user, edited, user.id === me.id);
    if (changed.id === me.id) session.changeUser(changed);
    toasts.done(t.administration.userSaved);
    await queries.invalidateQueries({ queryKey: ['administration'] });
    onDone();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <UserFields isNew={false} form={form} error={error} />
      {user.id === me.id && form.watch('role') !== role && (
        <p role="status" className="rounded-md border border-warn bg-warn-soft px-4 py-3 text-sm text-warn">
          {t.administration.ownRole}
        </p>
      )}
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.save}
        </Button>
      </FormButtons>
    </form>
  );
}

/** The role comes first: if it is refused, nothing has changed. Users' own role comes last: without it they could change nothing more. */
async function change(user: User, { email, full_name, role, password }: UserValues, isOwn: boolean): Promise<User> {
  const params = { path: { id: user.id } };
  const body = {
    ...(full_name.trim() === (user.full_name ?? '') ? {} : { full_name: full_name.trim() || null }),
    ...(email === user.email ? {} : { email }),
    ...(password === '' ? {} : { password }),
  };
  const steps = [
    async () =>
      role === user.role ? undefined : ok(api.PUT('/api/admin/users/{id}/role', { params, body: { role } })),
    async () => (Object.keys(body).length === 0 ? undefined : ok(api.PUT('/api/admin/users/{id}', { params, body }))),
  ];
  let changed = user;
  for (const step of isOwn ? steps.toReversed() : steps) changed = (await step()) ?? changed;
  return changed;
}
