import { saveFile } from '../api/download.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, Table } from '../ui/table.tsx';

export type ImportedRow = { username: string; email: string; password: string | null };

/** What an import has created, with the generated passwords to save. */
export function ImportedUsers<Row extends ImportedRow>({
  users,
  columns,
  onDone,
}: {
  users: readonly Row[];
  columns: readonly Column<Row>[];
  onDone: () => void;
}) {
  const t = useStrings();
  const made = users.filter(({ password }) => password !== null);
  const save = (): void => {
    const lines = made.map(({ username, email, password }) => [username, email, password].map(quoted).join(','));
    saveFile(
      new Blob([`${['username,email,password', ...lines].join('\r\n')}\r\n`], { type: 'text/csv' }),
      'passwords.csv',
    );
  };
  return (
    <div className="flex flex-col gap-4">
      <Table
        caption={t.common.links.users}
        rows={users}
        keyOf={({ username }) => username}
        columns={[
          { title: t.account.username, cell: ({ username }) => username },
          ...columns,
          {
            title: t.administration.password,
            cell: ({ password }) => <code className="font-mono select-all">{password ?? '–'}</code>,
          },
        ]}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {made.length > 0 && <Button onClick={save}>{t.administration.savePasswords}</Button>}
        <Button look="primary" onClick={onDone}>
          {t.common.close}
        </Button>
      </div>
    </div>
  );
}

const quoted = (text: string | null): string => `"${(text ?? '').replaceAll('"', '""')}"`;
