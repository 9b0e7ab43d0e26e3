import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Upload, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import type { ImportKind } from '../imports/import-kind.ts';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { plannedClassesQuery } from '../teaching-model/exam-sessions.ts';
import { PersonLink } from '../teaching-model/person-link.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Email } from '../ui/email.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import type { Bulk, BulkAction } from '../ui/lists/bulk.ts';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { DeletionRequests } from './deletion-requests.tsx';
import { ImportProgress } from './import-progress.tsx';
import { type User, type UserImport, usersQuery } from './queries.ts';
import { UserFields, type UserValues } from './user-fields.tsx';

const roles = ['student', 'instructor', 'admin'] as const;

export function UsersPage() {
  const t = useStrings();
  const format = useFormat();
  const { search, onSearch } = useAddress('/administration/users');
  const { page: _page, sort: _sort, order: _order, ...filter } = search;
  const bulk = useUserBulk();
  return (
    <ListPage
      title={t.common.links.users}
      lead={t.administration.usersLead}
      actions={<Actions filter={filter} />}
      note={
        <>
          <ImportProgress />
          <DeletionRequests />
        </>
      }
      search={search}
      onSearch={onSearch}
      query={useQuery(usersQuery(search))}
      filters={[
        { text: 'q', label: t.administration.searchUser },
        {
          choice: 'role',
          label: t.administration.role,
          options: optionsOf(roles, t.common.roles),
        },
        {
          choice: 'is_active',
          label: t.administration.state,
          options: [
            { value: 'true', label: t.administration.active },
            { value: 'false', label: t.administration.inactive },
          ],
        },
      ]}
      usual={{ sort: 'id', order: 'asc' }}
      empty={{ title: t.search.nothingFits }}
      columns={columnsOf(t, format)}
      kind="user"
      bulk={bulk}
    />
  );
}

function Actions({ filter }: { filter: Record<string, string | boolean | undefined> }) {
  const t = useStrings();
  const [shown, setShown] = useState<'new' | 'import'>();
  const close = (): void => setShown(undefined);
  return (
    <>
      <DownloadButton label={t.administration.csvSave} path="/api/admin/users/export" query={filter} />
      <Button aria-haspopup="dialog" onClick={() => setShown('import')}>
        <Upload size={16} aria-hidden="true" /> {t.administration.importUsers}
      </Button>
      <Button look="primary" aria-haspopup="dialog" onClick={() => setShown('new')}>
        <UserPlus size={16} aria-hidden="true" /> {t.administration.newUser}
      </Button>
      <Dialog
        title={t.administration.newUser}
        description={t.administration.newUserLead}
        isOpen={shown === 'new'}
        onOpenChange={close}
      >
        <NewUserForm onDone={close} />
      </Dialog>
      <ImportDialog kind={importOf(t)} isOpen={shown === 'import'} onClose={close} />
    </>
  );
}

const importOf = ({ administration: t }: Strings): ImportKind<UserImport> => ({
  path: '/api/admin/user-imports',
  texts: {
    title: t.importTitle,
    lead: t.importLead,
    help: t.importHelp,
    text: t.importText,
    example: t.importExample,
    action: t.importNow,
  },
  // The page shows its progress.
  changes: ['administration', 'user-imports'],
});

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<User>[] => [
  {
    title: t.administration.user,
    sort: 'username',
    cell: (user) => (
      <div className="flex items-center gap-3">
        <span className="max-sm:hidden">
          <Avatar user={user} size={32} />
        </span>
        <span className="min-w-0">
          <span className="block font-medium break-words">
            <PersonLink id={user.id}>{user.full_name || user.username}</PersonLink>
          </span>
          <span className="block min-w-40 text-xs [overflow-wrap:anywhere] text-ink-soft">
            {user.full_name && `${user.username} · `}
            <Email of={user.email} />
          </span>
        </span>
      </div>
    ),
  },
  {
    title: t.administration.role,
    cell: ({ role }) => <Badge tone={role === 'student' ? 'neutral' : 'info'}>{t.common.roles[role]}</Badge>,
  },
  {
    title: t.administration.state,
    cell: ({ is_active }) => (
      <Badge tone={is_active ? 'good' : 'warn'}>
        {is_active ? t.administration.active : t.administration.inactive}
      </Badge>
    ),
  },
  {
    title: t.administration.lastLogin,
    sort: 'last_login_at',
    firstOrder: 'desc',
    isMinor: true,
    isShort: true,
    cell: ({ last_login_at }) =>
      last_login_at ? format.ago(last_login_at) : <span className="text-ink-soft">{t.administration.never}</span>,
  },
  {
    title: t.administration.created,
    // Ids are in the order of the creations.
    sort: 'id',
    isMinor: true,
    isShort: true,
    cell: ({ created_at }) => format.date(created_at),
  },
];

const empty: UserValues = { username: '', email: '', full_name: '', role: 'student', password: '' };

function NewUserForm({ onDone }: { onDone: () => void }) {
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

/** The actions on several users. */
function useUserBulk(): Bulk<User> {
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
