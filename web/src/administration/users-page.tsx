import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Upload, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Select } from '../ui/field.tsx';
import { Filters, SearchField } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NewUserForm } from './new-user-form.tsx';
import { pageSize, type User, usersQuery } from './queries.ts';
import { UserMenu } from './user-menu.tsx';

const route = getRouteApi('/user/admin/administration/users');
const roles = ['student', 'instructor', 'admin'] as const;

export function UsersPage() {
  const t = useStrings();
  const format = useFormat();
  const { page = 1, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const users = useQuery(usersQuery(filter, page));
  return (
    <Page title={t.common.links.users} lead={t.administration.usersLead} actions={<Actions filter={filter} />}>
      <UserFilters />
      <Fetched query={users}>
        {({ items, total }) => (
          <PagedList
            page={page}
            pageSize={pageSize}
            total={total}
            isEmpty={items.length === 0}
            none={{ title: t.administration.noUsersTitle, help: t.administration.noUsersHelp }}
            onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
            onClear={() => void navigate({ search: {} })}
          >
            <Table caption={t.common.links.users} columns={columnsOf(t, format)} rows={items} keyOf={({ id }) => id} />
          </PagedList>
        )}
      </Fetched>
    </Page>
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
      <ImportDialog isOpen={shown === 'import'} onClose={close} />
    </>
  );
}

function UserFilters() {
  const t = useStrings();
  const { q, role, is_active } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<ReturnType<typeof route.useSearch>>, replace = false): void =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace });
  return (
    <Filters>
      <SearchField label={t.administration.searchUser} value={q} onChange={(next) => change({ q: next }, true)} />
      <Select
        label={t.administration.role}
        value={role ?? ''}
        onChange={({ target }) => change({ role: roles.find((one) => one === target.value) })}
        options={[
          { value: '', label: t.common.all },
          ...roles.map((value) => ({ value, label: t.common.roles[value] })),
        ]}
      />
      <Select
        label={t.administration.state}
        value={is_active === undefined ? '' : `${is_active}`}
        onChange={({ target }) => change({ is_active: target.value === '' ? undefined : target.value === 'true' })}
        options={[
          { value: '', label: t.common.all },
          { value: 'true', label: t.administration.active },
          { value: 'false', label: t.administration.inactive },
        ]}
      />
    </Filters>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<User>[] => [
  {
    title: t.administration.user,
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
    isMinor: true,
    cell: ({ last_login_at }) => (
      <span className="whitespace-nowrap">
        {last_login_at ? format.ago(last_login_at) : <span className="text-ink-soft">{t.administration.never}</span>}
      </span>
    ),
  },
  {
    title: t.administration.created,
    isMinor: true,
    cell: ({ created_at }) => <span className="whitespace-nowrap">{format.date(created_at)}</span>,
  },
  { title: t.common.actions, isNumber: true, cell: (user) => <UserMenu user={user} /> },
];
