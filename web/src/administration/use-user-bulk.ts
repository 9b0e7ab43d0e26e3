import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { plannedClassesQuery } from '../teaching-model/exam-sessions.ts';
import { optionsOf } from '../ui/forms/field.tsx';
import type { Bulk, BulkAction } from '../ui/lists/bulk.ts';
import type { User } from './queries.ts';

const roles = ['student', 'instructor', 'admin'] as const;

/** The actions on several users. */
export function useUserBulk(): Bulk<User> {
  const t = useStrings();
  const queries = useQueryClient();
  const { data: classes = [] } = useQuery(plannedClassesQuery(useUser()));
  const words = t.administration;
  const pathOf = ({ id }: User) => ({ path: { id } });
  const setActive = (is_active: boolean) => (user: User) =>
    ok(api.PUT('/api/admin/users/{id}', { params: pathOf(user), body: { is_active } }));
  const actions: BulkAction<User>[] = [
    {
      label: words.addToClass,
      help: words.addToClassHelp,
      input: {
        label: words.schoolClass,
        first: `${classes[0]?.id ?? ''}`,
        options: classes.map(({ id, name }) => ({ value: `${id}`, label: name })),
      },
      run: ({ id: user_id }, value) =>
        ok(api.POST('/api/classes/{id}/members', { params: { path: { id: Number(value) } }, body: { user_id } })),
    },
    {
      label: words.changeRole,
      help: words.changeRoleHelp,
      input: { label: words.role, first: 'student', options: optionsOf(roles, t.common.roles) },
      run: (user, value) =>
        ok(api.PUT('/api/admin/users/{id}/role', { params: pathOf(user), body: { role: value as User['role'] } })),
    },
    {
      label: words.activate,
      help: words.activateHelp,
      isFor: ({ is_active }) => !is_active,
      run: setActive(true),
    },
    {
      label: words.deactivate,
      help: words.deactivateHelp,
      isFor: ({ is_active }) => is_active,
      run: setActive(false),
    },
    {
      label: t.common.delete,
      help: words.deleteUserHelp,
      isDangerous: true,
      run: (user) => ok(api.DELETE('/api/admin/users/{id}', { params: pathOf(user) })),
    },
  ];
  return {
    nameOf: ({ username, full_name }) => (full_name ? `${full_name} (${username})` : username),
    // A new member needs a class.
    actions: classes.length > 0 ? actions : actions.slice(1),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['administration'] });
      await queries.invalidateQueries({ queryKey: classesKey });
    },
  };
}
