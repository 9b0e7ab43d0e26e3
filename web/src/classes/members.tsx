import { useQuery } from '@tanstack/react-query';
import { Upload, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ImportDialog } from '../imports/import-dialog.tsx';
import { useAddress } from '../routing/location-context.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classRoles, type Member, membersQuery, type SchoolClass } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import { List } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { AddMemberForm } from './add-member-form.tsx';
import { memberImport } from './member-import.tsx';
import { MemberMenu } from './member-menu.tsx';
import { useMemberBulk } from './use-member-bulk.ts';

/** The members of a class, whom its instructors change. */
export function Members({ of, mayChange }: { of: SchoolClass; mayChange: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const address = useAddress('/classes/$classId');
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
    cell: ({ full_name, username, email }) => (
      <div className="min-w-28 [overflow-wrap:anywhere]">
        <span className="block font-medium">{full_name || username}</span>
        <span className="block text-xs text-ink-soft">
          {full_name && `${username} · `}
          {email}
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
    isNumber: true,
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
