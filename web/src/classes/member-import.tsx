import type { ImportKind } from '../imports/import-kind.ts';
import type { Strings } from '../strings/en/index.ts';
import { classesKey, type ImportedMember } from '../teaching-model/classes.ts';
import { ImportedMembers } from './imported-members.tsx';

/** The import of members from a file, or from a list with one username or e-mail address in a line. New accounts get invitations. */
export const memberImport = (
  { classes: t, imports }: Strings,
  classId: number,
): ImportKind<readonly ImportedMember[]> => ({
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
