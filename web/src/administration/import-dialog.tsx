import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '../api/download.ts';
import { Problem, type ProblemItem, refusalOf } from '../api/problem.ts';
import { session } from '../session/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, inputClasses, TextArea } from '../ui/field.tsx';
import { itemText } from '../ui/item-text.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Table } from '../ui/table.tsx';
import type { ImportedUser } from './queries.ts';

/** Imports users from a file. Problems are listed by line. Generated passwords are shown only once. */
export function ImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useStrings();
  const [imported, setImported] = useState<ImportedUser[]>();
  const close = (): void => {
    setImported(undefined);
    onClose();
  };
  return (
    <Dialog
      title={imported ? t.administration.imported(imported.length) : t.administration.importTitle}
      description={
        imported
          ? imported.some(({ password }) => password !== null)
            ? t.administration.passwordsOnce
            : t.administration.noPasswords
          : t.administration.importLead
      }
      width="max-w-2xl"
      isOpen={isOpen}
      onOpenChange={close}
    >
      {imported ? <Imported users={imported} onDone={close} /> : <ImportForm onDone={setImported} />}
    </Dialog>
  );
}

function ImportForm({ onDone }: { onDone: (users: ImportedUser[]) => void }) {
  const t = useStrings();
  const queries = useQueryClient();
  const [csv, setCsv] = useState('');
  const send = useMutation({
    mutationFn: () => importUsers(csv),
    onSuccess: async (users) => {
      onDone(users);
      await queries.invalidateQueries({ queryKey: ['administration'] });
    },
  });
  const items = send.error instanceof Problem ? send.error.items : [];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Field label={t.administration.importFile} help={t.administration.importHelp}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,text/csv"
            className={inputClasses}
            onChange={({ target }) => void target.files?.[0]?.text().then(setCsv)}
          />
        )}
      </Field>
      <TextArea
        label={t.administration.importText}
        required
        rows={7}
        className="font-mono"
        spellCheck={false}
        placeholder={t.administration.importExample}
        value={csv}
        onChange={({ target }) => setCsv(target.value)}
      />
      {items.length > 0 ? <Problems items={items} /> : send.error && <ProblemNote error={send.error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={send.isPending}>
          {t.administration.importNow}
        </Button>
      </div>
    </form>
  );
}

function Problems({ items }: { items: readonly ProblemItem[] }) {
  const t = useStrings();
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className="text-sm font-medium text-bad">{t.administration.importProblems(items.length)}</p>
      <Table
        caption={t.administration.problem}
        rows={items.map((item, index) => ({ ...item, index }))}
        keyOf={({ index }) => index}
        columns={[
          { title: t.administration.line, isNumber: true, cell: ({ loc }) => loc[1] ?? '' },
          { title: t.administration.column, cell: ({ loc }) => loc[2] ?? '' },
          { title: t.administration.problem, cell: (item) => itemText(t, item) },
        ]}
      />
    </div>
  );
}

function Imported({ users, onDone }: { users: readonly ImportedUser[]; onDone: () => void }) {
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
        keyOf={({ id }) => id}
        columns={[
          { title: t.account.username, cell: ({ username }) => username },
          { title: t.administration.role, cell: ({ role }) => t.common.roles[role] },
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

/** The body is the file itself, which the typed client would encode as JSON. @throws Problem */
async function importUsers(csv: string): Promise<ImportedUser[]> {
  const response = await session
    .fetch('/api/admin/users/import', { method: 'POST', body: csv, headers: { 'content-type': 'text/csv' } })
    .catch((): never => {
      throw new Problem(0);
    });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, body);
  return body as ImportedUser[];
}
