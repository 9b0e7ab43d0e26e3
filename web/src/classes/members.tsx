import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Upload, UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import type { ImportKind } from '../imports/import-kind.ts';
import { invitationLink, saveInvitations } from '../imports/invitations.ts';
import { useTabAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import {
  type ClassRole,
  classesKey,
  classRoles,
  type ImportedMember,
  type Member,
  membersQuery,
  type SchoolClass,
} from '../teaching-model/classes.ts';
import { PersonLink } from '../teaching-model/person-link.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Email } from '../ui/email.tsx';
import { optionsOf, Select } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { UserField } from '../ui/forms/user-field.tsx';
import type { Bulk } from '../ui/lists/bulk.ts';
import { List } from '../ui/lists/list-page.tsx';
import { type Column, Table } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { MemberMenu } from './member-menu.tsx';

/** The members of a class, whom its instructors change. */
export function Members({ of, mayChange }: { of: SchoolClass; mayChange: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const address = useTabAddress('/classes/$classId', 'members');
  const bulk = useMemberBulk(of.id);
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{t.classes.members}</h2>
        {mayChange && !of.is_archived && <Actions of={of} />}
      </div>
      <List
        caption={t.classes.members}
        {...address}
        query={useQuery(membersQuery(of.id, address.search))}
        filters={[
          { text: 'q', label: t.classes.memberSearch },
          { choice: 'role', label: t.classes.role, options: optionsOf(classRoles, t.classes.roles) },
        ]}
        empty={{ title: t.classes.noMembers, ...(mayChange ? { help: t.classes.noMembersHelp } : {}) }}
        usual={{ sort: 'username', order: 'asc' }}
        columns={columnsOf(t, format, of.id, mayChange)}
        bulk={mayChange ? bulk : undefined}
      />
    </section>
  );
}

const columnsOf = (
  t: Strings,
  format: ReturnType<typeof useFormat>,
  classId: number,
  mayChange: boolean,
): Column<Member & { id: number }>[] => [
  {
    title: t.classes.member,
    sort: 'username',
    cell: ({ user_id, full_name, username, email }) => (
      <div className="min-w-28 [overflow-wrap:anywhere]">
        <span className="block font-medium">
          <PersonLink id={user_id}>{full_name || username}</PersonLink>
        </span>
        <span className="block text-xs text-ink-soft">
          {full_name && `${username} · `}
          {email && <Email of={email} />}
        </span>
      </div>
    ),
  },
  {
    title: t.classes.role,
    sort: 'role',
    cell: ({ role }) => <Badge tone={role === 'student' ? 'neutral' : 'info'}>{t.classes.roles[role]}</Badge>,
  },
  {
    title: t.classes.joinedAt,
    sort: 'joined_at',
    firstOrder: 'desc',
    isMinor: true,
    isShort: true,
    cell: ({ joined_at }) => format.date(joined_at),
  },
  {
    title: t.common.actions,
    isActions: true,
    cell: (member) => <MemberMenu classId={classId} member={member} mayChange={mayChange} />,
  },
];

function Actions({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const [shown, setShown] = useState<'add' | 'import'>();
  const close = (): void => setShown(undefined);
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-haspopup="dialog" onClick={() => setShown('import')}>
        <Upload size={16} aria-hidden="true" /> {t.classes.import}
      </Button>
      <Button look="primary" aria-haspopup="dialog" onClick={() => setShown('add')}>
        <UserPlus size={16} aria-hidden="true" /> {t.classes.add}
      </Button>
      <Dialog title={t.classes.add} description={t.classes.addLead} isOpen={shown === 'add'} onOpenChange={close}>
        <AddMemberForm classId={of.id} onDone={close} />
      </Dialog>
      <ImportDialog kind={memberImport(t, of.id)} isOpen={shown === 'import'} onClose={close} />
    </div>
  );
}

const empty: { username: string; role: ClassRole } = { username: '', role: 'student' };

function AddMemberForm({ classId, onDone }: { classId: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm(empty, async ({ username, role }) => {
    const body = { username: username.trim(), role };
    const request = api.POST('/api/classes/{id}/members', { params: { path: { id: classId } }, body });
    const added = await ok(request).catch((problem: unknown) => {
      if (!isRefusal(problem, 'not_found')) throw problem;
      form.setError('username', { type: 'refused', message: t.classes.noUser });
      return undefined;
    });
    if (!added) return;
    toasts.done(t.classes.added(added.full_name || added.username));
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
  });
  const { form, field } = sent;
  return (
    <SentForm sent={sent} action={t.classes.add}>
      <UserField label={t.classes.who} {...field('username')} />
      <Select label={t.classes.role} options={optionsOf(classRoles, t.classes.roles)} {...field('role')} />
    </SentForm>
  );
}

/** The import of members from a file, or from a list with one username or e-mail address in a line. New accounts get invitations. */
const memberImport = ({ classes: t, imports }: Strings, classId: number): ImportKind<readonly ImportedMember[]> => ({
  path: `/api/classes/${classId}/members/import`,
  query: { passwords: 'invitations' },
  texts: {
    title: t.importTitle,
    lead: t.importLead,
    help: t.importHelp,
    text: t.importText,
    example: t.importExample,
    action: t.importNow,
  },
  changes: classesKey,
  result: (members, onDone) => ({
    title: t.imported(members.length),
    description: members.some(({ invitation }) => invitation !== undefined) ? imports.invitationsOnce : t.noPasswords,
    isShownOnce: members.some(({ invitation }) => invitation !== undefined),
    content: <ImportedMembers members={members} onDone={onDone} />,
  }),
});

/** What an import has done, with the invitations of new accounts to save. */
function ImportedMembers({ members, onDone }: { members: readonly ImportedMember[]; onDone: () => void }) {
  const t = useStrings();
  // New accounts have an address.
  const invited = members.flatMap(({ invitation, ...member }) =>
    invitation === undefined ? [] : [{ ...member, code: invitation, email: member.email ?? '' }],
  );
  return (
    <div className="flex flex-col gap-4">
      <Table
        caption={t.classes.members}
        rows={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          { title: t.account.username, cell: ({ username }) => username },
          { title: t.classes.role, cell: ({ role }) => t.classes.roles[role] },
          { title: t.classes.outcome, cell: ({ outcome }) => t.classes.outcomes[outcome] },
          {
            title: t.imports.invitation,
            cell: ({ invitation }) =>
              invitation === undefined ? '–' : <code className="select-all">{invitationLink(invitation)}</code>,
          },
        ]}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {invited.length > 0 && <Button onClick={() => saveInvitations(invited)}>{t.imports.saveInvitations}</Button>}
        <Button look="primary" onClick={onDone}>
          {t.common.close}
        </Button>
      </div>
    </div>
  );
}

type Issued = Answer<'/api/classes/{id}/members/{user_id}/invitation', 'post'>;

/** The actions on several members of a class. */
function useMemberBulk(classId: number): Bulk<Member & { id: number }> {
  const t = useStrings();
  const queries = useQueryClient();
  const invited = useRef<Issued[]>([]);
  const paramsOf = ({ user_id }: Member) => ({ path: { id: classId, user_id } });
  return {
    nameOf: ({ username, full_name }) => (full_name ? `${full_name} (${username})` : username),
    actions: [
      {
        label: t.classes.changeRole,
        help: t.classes.changeRoleHelp,
        input: { label: t.classes.role, first: 'student', options: optionsOf(classRoles, t.classes.roles) },
        run: (member, value) =>
          ok(
            api.PUT('/api/classes/{id}/members/{user_id}', {
              params: paramsOf(member),
              body: { role: value as ClassRole },
            }),
          ),
      },
      {
        label: t.classes.inviteAgain,
        help: t.classes.inviteAgainHelp,
        run: async (member) => {
          const path = '/api/classes/{id}/members/{user_id}/invitation';
          invited.current.push(await ok(api.POST(path, { params: paramsOf(member) })));
        },
      },
      {
        label: t.classes.remove,
        help: t.classes.removeHelp,
        isDangerous: true,
        run: (member) => ok(api.DELETE('/api/classes/{id}/members/{user_id}', { params: paramsOf(member) })),
      },
    ],
    onDone: () => {
      if (invited.current.length > 0) saveInvitations(invited.current);
      invited.current = [];
      return queries.invalidateQueries({ queryKey: classesKey });
    },
  };
}
