import { invitationLink, saveInvitations } from '../imports/invitations.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { ImportedMember } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { Table } from '../ui/lists/table.tsx';

/** What an import has done, with the invitations of new accounts to save. */
export function ImportedMembers({ members, onDone }: { members: readonly ImportedMember[]; onDone: () => void }) {
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
