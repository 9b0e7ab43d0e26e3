import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem, type ProblemItem, refusalOf } from '../api/problem.ts';
import { session } from '../session/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Field, inputClasses, TextArea } from '../ui/field.tsx';
import { itemText } from '../ui/item-text.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { type Column, Table } from '../ui/table.tsx';
import type { ImportedRow } from './imported-users.tsx';

export type Import<Row extends ImportedRow> = {
  /** The path of the service that takes the file. */
  path: string;
  texts: {
    title: string;
    lead: string;
    help: string;
    text: string;
    example: string;
    action: string;
    imported: (count: number) => string;
    noPasswords: string;
  };
  /** The columns of the imported rows, besides the username and the password. */
  columns: readonly Column<Row>[];
  /** Turns what the user gave into a file. The lines of the problems count from the user's first. */
  prepare?: (given: string) => { csv: string; addedLines: number };
  /** The queries that the import changes. */
  changes: readonly string[];
};

const asGiven = (csv: string) => ({ csv, addedLines: 0 });

/** The form of an import, with the problems of what was sent. */
export function ImportForm<Row extends ImportedRow>({
  path,
  texts,
  prepare = asGiven,
  changes,
  onDone,
}: Import<Row> & { onDone: (users: Row[]) => void }) {
  const t = useStrings();
  const queries = useQueryClient();
  const [given, setGiven] = useState('');
  const send = useMutation({
    mutationFn: () => sendCsv<Row[]>(path, prepare(given).csv),
    onSuccess: async (users) => {
      onDone(users);
      await queries.invalidateQueries({ queryKey: changes });
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
      <Field label={t.administration.importFile} help={texts.help}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,text/csv"
            className={inputClasses}
            onChange={({ target }) => void target.files?.[0]?.text().then(setGiven)}
          />
        )}
      </Field>
      <TextArea
        label={texts.text}
        required
        rows={7}
        className="font-mono"
        spellCheck={false}
        placeholder={texts.example}
        value={given}
        onChange={({ target }) => setGiven(target.value)}
      />
      {items.length > 0 ? (
        <ImportProblems items={items} addedLines={prepare(given).addedLines} />
      ) : (
        send.error && <ProblemNote error={send.error} />
      )}
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={send.isPending}>
          {texts.action}
        </Button>
      </div>
    </form>
  );
}

/** The problems of a file, by line. */
export function ImportProblems({ items, addedLines = 0 }: { items: readonly ProblemItem[]; addedLines?: number }) {
  const t = useStrings();
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className="text-sm font-medium text-bad">{t.administration.importProblems(items.length)}</p>
      <Table
        caption={t.administration.problem}
        rows={items.map((item, index) => ({ ...item, index }))}
        keyOf={({ index }) => index}
        columns={[
          { title: t.administration.line, isNumber: true, cell: ({ loc }) => lineOf(loc[1], addedLines) },
          { title: t.administration.column, cell: ({ loc }) => loc[2] ?? '' },
          { title: t.administration.problem, cell: (item) => itemText(t, item) },
        ]}
      />
    </div>
  );
}

const lineOf = (line: string | number | undefined, addedLines: number) =>
  typeof line === 'number' ? Math.max(1, line - addedLines) : (line ?? '');

/** The body is the file itself, which the typed client would encode as JSON. @throws Problem */
export async function sendCsv<Answer>(path: string, csv: string): Promise<Answer> {
  const response = await session
    .fetch(path, { method: 'POST', body: csv, headers: { 'content-type': 'text/csv' } })
    .catch((): never => {
      throw new Problem(0);
    });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, body);
  return body as Answer;
}
