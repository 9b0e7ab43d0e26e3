import { useQuery } from '@tanstack/react-query';
import { Upload, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ImportDialog } from '../imports/import-dialog.tsx';
import type { ImportKind } from '../imports/import-kind.ts';
import { useAddress } from '../routing/location-context.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { ImportProgress } from './import-progress.tsx';
import { NewUserForm } from './new-user-form.tsx';
import { type User, type UserImport, usersQuery } from './queries.ts';
import { useUserBulk } from './use-user-bulk.ts';
import { UserMenu } from './user-menu.tsx';

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
      note={<ImportProgress />}
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
      empty={{ title: t.common.nothingFits }}
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
          <span className="block font-medium break-words">{user.full_name || user.username}</span>
          <span className="block min-w-40 text-xs [overflow-wrap:anywhere] text-ink-soft">
            {user.full_name && `${user.username} · `}
            {user.email}
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
  { title: t.common.actions, isNumber: true, cell: (user) => <UserMenu user={user} /> },
];
