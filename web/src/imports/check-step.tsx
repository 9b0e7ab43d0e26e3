import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Problem } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select } from '../ui/forms/field.tsx';
import { Table } from '../ui/lists/table.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import {
  type ImportCheck,
  problemOf,
  type Reading,
  readingOf,
  sendTable,
  type UsernameSource,
} from './import-calls.ts';
import type { ImportKind } from './import-kind.ts';
import { ImportProblems } from './import-problems.tsx';
import { fieldName } from './problem-text.ts';

/** Shows how a file was read, its problems and what the import will do. Another choice checks it again. */
export function CheckStep<Result>({
  kind: { path, query = {}, texts, changes },
  file,
  check,
  onChecked,
  onBack,
  onDone,
}: {
  kind: ImportKind<Result>;
  file: Blob;
  check: ImportCheck;
  onChecked: (checked: { file: Blob; check: ImportCheck }) => void;
  onBack: () => void;
  onDone: (result: Result) => void;
}) {
  const t = useStrings();
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: (reading: Reading) => sendTable<ImportCheck>(`${path}/check`, file, { ...query, ...reading }),
    onSuccess: (next) => onChecked({ file, check: next }),
  });
  const send = useMutation({
    mutationFn: () => sendTable<Result>(path, file, { ...query, ...readingOf(check) }),
    onSuccess: async (result) => {
      onDone(result);
      await queries.invalidateQueries({ queryKey: changes });
    },
  });
  const refused = send.error instanceof Problem ? send.error.items.map(problemOf) : [];
  const error = again.error ?? (refused.length === 0 ? send.error : undefined);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <ColumnChoice check={check} isBusy={again.isPending || send.isPending} onChange={again.mutate} />
      {check.usernames && (
        <UsernameChoice
          usernames={check.usernames}
          isBusy={again.isPending || send.isPending}
          onChange={(usernames) => again.mutate({ ...readingOf(check), usernames })}
        />
      )}
      {check.left_out.length > 0 && <LeftOutLines lines={check.left_out} />}
      {check.problem_count > 0 ? (
        <ImportProblems problems={check.problems} count={check.problem_count} />
      ) : (
        refused.length > 0 && <ImportProblems problems={refused} count={refused.length} />
      )}
      {check.people && check.people.length > 0 && (
        <People people={check.people} lines={check.lines - check.left_out.length} />
      )}
      {check.problem_count === 0 && <Outcomes outcomes={check.outcomes} />}
      {error && <ProblemNote error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>{t.imports.back}</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={send.isPending}
          disabled={check.problem_count > 0 || again.isPending}
        >
          {texts.action}
        </Button>
      </div>
    </form>
  );
}

/** What the import will do. */
function Outcomes({ outcomes }: { outcomes: ImportCheck['outcomes'] }) {
  const t = useStrings();
  const texts: Readonly<Record<string, (count: number) => string>> = t.imports.outcomes;
  const shown = Object.entries(outcomes as Record<string, number>).filter(([, count]) => count > 0);
  return (
    <div role="status">
      <ul className="list-inside list-disc text-sm">
        {shown.map(([name, count]) => (
          <li key={name}>{texts[name]?.(count)}</li>
        ))}
        {shown.length === 0 && <li>{t.imports.nothing}</li>}
      </ul>
    </div>
  );
}

const sources = ['file', 'local_part', 'address'] as const satisfies UsernameSource[];

/** One rule for the usernames of all new accounts. */
function UsernameChoice({
  usernames: { source, examples },
  isBusy,
  onChange,
}: {
  usernames: NonNullable<ImportCheck['usernames']>;
  isBusy: boolean;
  onChange: (source: UsernameSource) => void;
}) {
  const words = useStrings().imports.usernames;
  return (
    <Select
      label={words.label}
      help={examples.length > 0 ? words.examples(examples.join(', ')) : undefined}
      options={sources.map((value) => ({ value, label: words.sources[value] }))}
      value={source}
      disabled={isBusy}
      onChange={({ target }) => onChange(target.value as UsernameSource)}
    />
  );
}

/** Each line as it would be imported. */
function People({ people, lines }: { people: NonNullable<ImportCheck['people']>; lines: number }) {
  const t = useStrings();
  const { title, outcome, outcomes, more } = t.imports.people;
  return (
    <div className="flex flex-col gap-2">
      <div className="max-h-72 overflow-y-auto">
        <Table
          caption={title}
          rows={people}
          keyOf={({ line }) => line}
          columns={[
            { title: t.imports.line, isNumber: true, cell: ({ line }) => line },
            { title: fieldName(t, 'username'), cell: ({ username }) => breaking(username) },
            { title: fieldName(t, 'full_name'), cell: ({ full_name }) => breaking(full_name) },
            { title: fieldName(t, 'email'), isMinor: true, cell: ({ email }) => breaking(email) },
            { title: outcome, cell: (person) => outcomes[person.outcome] },
          ]}
        />
      </div>
      {lines > people.length && <p className="text-sm text-ink-soft">{more(people.length)}</p>}
    </div>
  );
}

const breaking = (text: string | null) => <span className="[overflow-wrap:anywhere]">{text || '–'}</span>;

/** The lines of a roster that are no people. */
function LeftOutLines({ lines }: { lines: ImportCheck['left_out'] }) {
  const words = useStrings().imports.leftOut;
  return (
    <div className="text-sm">
      <p>{words.title}</p>
      <ul className="list-inside list-disc text-ink-soft">
        {lines.map(({ line, name, reason }) => (
          <li key={line} className="[overflow-wrap:anywhere]">
            {words.line(line, name, words.reasons[reason])}
          </li>
        ))}
      </ul>
    </div>
  );
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const;

/** What each column of a file is taken for, and how the file is read. */
function ColumnChoice({
  check,
  isBusy,
  onChange,
}: {
  check: ImportCheck;
  isBusy: boolean;
  onChange: (reading: Reading) => void;
}) {
  const t = useStrings();
  const { encoding, has_header, columns, separator, lines, fields } = check;
  const options = [
    { value: '', label: t.imports.ignored },
    ...fields.map(({ key, title }) => ({ value: key, label: title ?? fieldName(t, key) })),
  ];
  const choose = (index: number, key: string): void => {
    const isRepeatable = fields.some((field) => field.key === key && field.is_repeatable);
    // A field that another column had moves to this one.
    const chosen = columns.map(({ field }, other) => {
      if (other === index) return key;
      return field === key && !isRepeatable ? '' : (field ?? '');
    });
    onChange({ ...readingOf(check), columns: chosen.join(',') });
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-soft">{t.imports.read(lines, t.imports.separators[separator])}</p>
      <div className="flex flex-wrap items-end gap-4">
        <Select
          label={t.imports.encoding}
          options={optionsOf(encodings, t.imports.encodings)}
          value={encoding}
          disabled={isBusy}
          onChange={({ target }) => onChange({ encoding: target.value as ImportCheck['encoding'] })}
        />
        <Checkbox
          label={t.imports.header}
          checked={has_header}
          disabled={isBusy}
          onChange={({ target }) => onChange({ encoding, header: target.checked })}
        />
      </div>
      {columns.length > 0 && (
        <Table
          caption={t.imports.columns}
          rows={columns.map((column, index) => ({ ...column, index }))}
          keyOf={({ index }) => index}
          columns={[
            { title: t.imports.column, cell: ({ name, index }) => name || t.imports.numbered(index + 1) },
            {
              title: t.imports.example,
              isMinor: true,
              cell: ({ example }) => <span className="[overflow-wrap:anywhere]">{example ?? '–'}</span>,
            },
            {
              title: t.imports.meaning,
              cell: ({ name, field, index }) => (
                <Select
                  label={t.imports.meaningOf(name || t.imports.numbered(index + 1))}
                  isLabelHidden
                  className="min-w-40"
                  options={options}
                  value={field ?? ''}
                  disabled={isBusy}
                  onChange={({ target }) => choose(index, target.value)}
                />
              ),
            },
          ]}
        />
      )}
    </div>
  );
}
