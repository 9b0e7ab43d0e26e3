import { saveFile } from '../api/download.ts';

type Row = { username: string; email: string; full_name?: string | null; code: string };

/** The address at which an invitation is accepted. The code is behind the hash sign, so no server sees it in an address. */
export const invitationLink = (code: string): string => `${location.origin}/invitation#${code}`;

/** Saves a file with the links of invitations. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function saveInvitations(rows: readonly Row[]): void {
  const lines = rows.map(({ username, email, full_name, code }) => [
    username,
    email,
    full_name ?? '',
    invitationLink(code),
  ]);
  const text = [['username', 'email', 'full_name', 'link'], ...lines]
    .map((cells) => cells.map(quoted).join(','))
    .join('\r\n');
  // With the byte order mark spreadsheets read it as UTF-8.
  saveFile(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' }), 'invitations.csv');
}

const quoted = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
