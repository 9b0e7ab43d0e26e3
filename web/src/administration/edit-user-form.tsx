import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { useToasts } from '../ui/toasts.tsx';
import type { User } from './queries.ts';
import { UserFields, type UserValues } from './user-fields.tsx';

export function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
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
