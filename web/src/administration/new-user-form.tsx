import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { UserFields, type UserValues } from './user-fields.tsx';

const empty: UserValues = { username: '', email: '', full_name: '', role: 'student', password: '' };

export function NewUserForm({ onDone }: { onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [values, setValues] = useState(empty);
  const create = useMutation({
    mutationFn: () =>
      ok(api.POST('/api/admin/users', { body: { ...values, full_name: values.full_name.trim() || null } })),
    onSuccess: async ({ username }) => {
      toasts.done(t.administration.userCreated(username));
      await queries.invalidateQueries({ queryKey: ['administration'] });
      onDone();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <UserFields isNew values={values} onChange={setValues} error={create.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {t.common.create}
        </Button>
      </div>
    </form>
  );
}
