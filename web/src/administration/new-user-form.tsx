import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import { useToasts } from '../ui/toasts.tsx';
import { UserFields, type UserValues } from './user-fields.tsx';

const empty: UserValues = { username: '', email: '', full_name: '', role: 'student', password: '' };

export function NewUserForm({ onDone }: { onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { form, error, onSubmit } = useSentForm(empty, async (values) => {
    const body = { ...values, full_name: values.full_name.trim() || null };
    const { id, username } = await ok(api.POST('/api/admin/users', { body }));
    toasts.done(t.administration.userCreated(username));
    await queries.invalidateQueries({ queryKey: ['administration'] });
    onDone();
    // The list has pages.
    const otherwise = (): void => navigate({ to: '/administration/users', search: { q: username } });
    showArrival('user', id, { otherwise });
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <UserFields isNew form={form} error={error} />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.create}
        </Button>
      </FormButtons>
    </form>
  );
}
