import { useStrings } from '../strings/use-strings.tsx';
import { Checkbox, optionsOf, Select } from '../ui/forms/field.tsx';
import { Table } from '../ui/lists/table.tsx';
import { type ImportCheck, type Reading, readingOf } from './import-calls.ts';
import { fieldName } from './problem-text.ts';

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const;

/** What each column of a file is taken for, and how the file is read. */
export function ColumnChoice({
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
