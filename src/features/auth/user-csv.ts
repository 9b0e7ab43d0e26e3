import { CsvError, type Options, parse } from 'csv-parse/sync';
import { Invalid, type ValidationItem } from '../../errors.ts';

type Row = { line: number; cells: string[] };

const columns = ['username', 'email', 'full_name', 'role', 'password'] as const;
const required = ['username', 'email', 'full_name', 'role'] as const;
type Column = (typeof columns)[number];
export type CsvUser<Name extends string = Column> = { line: number; fields: Partial<Record<Name, string>> };
/** The columns of a file. */
export type CsvColumns<Name extends string> = { known: readonly Name[]; required: readonly Name[] };

/** The maximum number of users in one import: hashing takes a quarter of a second each. */
export const maxImportedUsers = 500;

/** An error in a line. Lines count from 1, the header. */
export const lineItem = (line: number, column: string | undefined, problem: string, type = 'value_error') =>
  ({
    loc: ['body', line, ...(column === undefined ? [] : [column])],
    msg: `Value error, ${problem}`,
    type,
  }) satisfies ValidationItem;

/**
 * Reads users from CSV (RFC 4180) with a header. Empty lines are skipped. Empty cells count as absent.
 * @throws Invalid, each problem with its line
 */
export const parseUsers = (text: string): CsvUser[] => parseUserColumns(text, { known: columns, required });

/** The same with other columns. */
export function parseUserColumns<Name extends string>(text: string, of: CsvColumns<Name>): CsvUser<Name>[] {
  const [header, ...rows] = parseCsv(text);
  if (!header) throw new Invalid([lineItem(1, undefined, 'the file is empty')]);
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const problems = [
    ...of.required.filter((name) => !names.includes(name)).map((name) => `the header has no column ${name}`),
    ...(names.every((name) => (of.known as readonly string[]).includes(name))
      ? []
      : ['the header has an unknown column']),
    ...(new Set(names).size === names.length ? [] : ['the header has a column twice']),
  ];
  if (rows.length === 0) problems.push('there is no user below the header');
  if (rows.length > maxImportedUsers) problems.push(`there are more than ${maxImportedUsers} users`);
  if (problems.length > 0) throw new Invalid(problems.map((problem) => lineItem(header.line, undefined, problem)));
  const items = rows
    .filter(({ cells }) => cells.length !== names.length)
    .map(({ line, cells }) =>
      lineItem(line, undefined, `the line has ${cells.length} cells, the header ${names.length}`),
    );
  if (items.length > 0) throw new Invalid(items);
  return rows.map(({ line, cells }) => ({
    line,
    fields: Object.fromEntries(
      names.map((name, index) => [name, cells[index] ?? '']).filter(([, cell]) => cell !== ''),
    ) as CsvUser<Name>['fields'],
  }));
}

/**
 * Records with their first line numbers. A quoted cell may contain line breaks.
 * @param maxRecords the rest of the text is not read
 * @throws Invalid
 */
export function parseCsv(text: string, maxRecords?: number): Row[] {
  try {
    const records = parse(text, { ...csvForm, ...(maxRecords && { to: maxRecords }) }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return records.map(({ record, info }) => {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      return { line: info.lines - breaks, cells: record };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    throw new Invalid([lineItem(line, undefined, 'a quotation mark is not closed, or stands inside a cell')]);
  }
}

const csvForm = {
  bom: true,
  info: true,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
} satisfies Options;

const isSpecial = /[",\r\n]/;
/** What spreadsheets take for the beginning of a formula, in either width. */
const isFormula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * One line of CSV (RFC 4180). A cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe. An export writes
 * millions of cells: this is several times as fast as csv-stringify.
 */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  let line = '';
  for (const [index, value] of cells.entries()) {
    if (index > 0) line += ',';
    if (typeof value === 'string') line += csvText(value);
    else if (value !== null) line += String(value);
  }
  return `${line}\r\n`;
}

function csvText(text: string): string {
  const safe = isFormula.test(text) ? `'${text}` : text;
  return isSpecial.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
