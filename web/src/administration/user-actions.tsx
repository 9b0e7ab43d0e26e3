import { useQueryClient } from '@tanstack/react-query';
import { Mail, ShieldOff, Trash2, UserCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { IssuedInvitation } from '../imports/issued-invitation.tsx';
import { navigate } from '../routing/router.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ActionRow } from '../ui/action-row.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { hasNoEmail } from '../ui/email.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { useToasts } from '../ui/toasts.tsx';
import { type User, userQuery } from './queries.ts';
import { UserFields, type UserValues } from './user-fields.tsx';

/** What administrators do with an account, other than changing its fields. */
export function UserSettings({ user }: { user: User }) {
  const t = useStrings();
  const toasts = useToasts();
  const change = useChange(user);
  const [shown, setShown] = useState<'invite' | 'deactivate' | 'factor' | 'delete'>();
  const close = (): void => setShown(undefined);
  const { id, username, is_active } = user;
  return (
    <Card className="divide-y py-0!">
      {is_active && (
        <ActionRow help={t.administration.inviteLead} aria-haspopup="dialog" onClick={() => setShown('invite')}>
          <Mail size={16} aria-hidden="true" /> {t.administration.invite}
        </ActionRow>
      )}
      {is_active ? (
        <ActionRow help={t.administration.deactivateHelp} aria-haspopup="dialog" onClick={() => setShown('deactivate')}>
          <UserX size={16} aria-hidden="true" /> {t.administration.deactivate}
        </ActionRow>
      ) : (
        <ActionRow
          help={t.administration.activateHelp}
          onClick={() => void change.setActive(true).catch(toasts.failed)}
        >
          <UserCheck size={16} aria-hidden="true" /> {t.administration.activate}
        </ActionRow>
      )}
      <ActionRow help={t.administration.resetFactorHelp} aria-haspopup="dialog" onClick={() => setShown('factor')}>
        <ShieldOff size={16} aria-hidden="true" /> {t.administration.resetFactor}
      </ActionRow>
      <ActionRow help={t.administration.deleteUserHelp} aria-haspopup="dialog" onClick={() => setShown('delete')}>
        <Trash2 size={16} aria-hidden="true" className="text-bad" /> {t.administration.deleteUser}
      </ActionRow>
      <Dialog
        title={t.administration.inviteTitle(username)}
        description={t.administration.inviteLead}
        isOpen={shown === 'invite'}
        onOpenChange={close}
      >
        <IssuedInvitation
          userId={id}
          issue={() => ok(api.POST('/api/admin/users/{id}/invitation', { params: { path: { id } } }))}
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
        title={t.administration.resetFactorTitle(username)}
        action={t.administration.resetFactor}
        isOpen={shown === 'factor'}
        onOpenChange={close}
        onConfirm={change.resetFactor}
      >
        {t.administration.resetFactorHelp}
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
    </Card>
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
    resetFactor: () => finish(ok(api.DELETE('/api/admin/users/{id}/totp', { params })), t.administration.factorReset),
    remove: async () => {
      await ok(api.DELETE('/api/admin/users/{id}', { params }));
      toasts.done(t.administration.deleted(username));
      navigate({ to: '/administration/users' });
      queries.removeQueries({ queryKey: userQuery(id).queryKey });
      await queries.invalidateQueries({ queryKey: ['administration'] });
    },
  };
}

/** The fields of an account. */
export function UserForm({ user }: { user: User }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const me = useUser();
  const { role } = user;
  const { form, error, onSubmit, replace } = useSentForm(valuesOf(user), async (edited) => {
    const changed = await change(user, edited, user.id === me.id);
    if (changed.id === me.id) session.changeUser(changed);
    toasts.done(t.administration.userSaved);
    queries.setQueryData(userQuery(user.id).queryKey, changed);
    replace(valuesOf(changed));
    await queries.invalidateQueries({ queryKey: ['administration'] });
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <UserFields isNew={false} hasEmail={!hasNoEmail(user.email)} form={form} error={error} />
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

const valuesOf = ({ username, email, full_name, role }: User): UserValues => ({
  ...{ username, email: hasNoEmail(email) ? '' : email, full_name: full_name ?? '', role, password: '' },
});

/** The role comes first: if it is refused, nothing has changed. Users' own role comes last: without it they could change nothing more. */
async function change(user: User, { email, full_name, role, password }: UserValues, isOwn: boolean): Promise<User> {
  const params = { path: { id: user.id } };
  const body = {
    ...(full_name.trim() === (user.full_name ?? '') ? {} : { full_name: full_name.trim() || null }),
    ...(email === valuesOf(user).email ? {} : { email }),
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
