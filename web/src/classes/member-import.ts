import type { Import } from '../administration/import-form.tsx';
import type { Strings } from '../strings/en/index.ts';
import { classesKey, type ImportedMember } from './queries.ts';

/** The import of members from a file, or from a list with one username or e-mail address in a line. */
export const memberImport = ({ classes: t }: Strings, classId: number): Import<ImportedMember> => ({
  path: `/api/classes/${classId}/members/import`,
  texts: {
    title: t.importTitle,
    lead: t.importLead,
    help: t.importHelp,
    text: t.importText,
    example: t.importExample,
    action: t.importNow,
    imported: t.imported,
    noPasswords: t.noPasswords,
  },
  columns: [
    { title: t.role, cell: ({ role }) => t.roles[role] },
    { title: t.outcome, cell: ({ outcome }) => t.outcomes[outcome] },
  ],
  prepare: toCsv,
  changes: classesKey,
});

/** A text with one column and without a header is a list. Empty lines are kept, so that the numbers of lines agree. */
export function toCsv(given: string): { csv: string; addedLines: number } {
  const lines = given.replace(/^\uFEFF/, '').split(/\r\n|\n/);
  const isHeader = /^\s*(username|email|full_name|role)\s*$/i.test(lines.find((line) => line.trim() !== '') ?? '');
  if (isHeader || lines.some((line) => /[,"]/.test(line))) return { csv: given, addedLines: 0 };
  const cells = lines.map((line) => line.trim()).map((text) => (text.includes('@') ? `,${text}` : text && `${text},`));
  return { csv: ['username,email', ...cells].join('\n'), addedLines: 1 };
}
