import { Invalid, type ValidationItem } from '../../errors.ts';

type Row = { line: number; cells: string[] };

const columns = ['username', 'email', 'full_name', 'role', 'password'] as const;
const required = ['username', 'email', 'full_name', 'role'] as const;
export type CsvUser = { line: number; fields: Partial<Record<(typeof columns)[number], string>> };

/** Most users of one import: hashing takes a quarter of a second each. */
export const maxImportedUsers = 500;

/** An error of a line; lines count from 1, the header's. */
export const lineItem = (line: number, column: string | undefined, problem: string, type = 'value_error') =>
  ({
    loc: ['body', line, ...(column === undefined ? [] : [column])],
    msg: `Value error, ${problem}`,
    type,
  }) satisfies ValidationItem;

/**
 * Reads users from CSV (RFC 4180) with a header. Empty lines are skipped; empty cells are as if they were not there.
 * @throws Invalid, each problem with its line
 */
export function parseUsers(text: string): CsvUser[] {
  const [header, ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
  if (!header) throw new Invalid([lineItem(1, undefined, 'the file is empty')]);
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const problems = [
    ...required.filter((name) => !names.includes(name)).map((name) => `the header has no column ${name}`),
    ...(names.every((name) => (columns as readonly string[]).includes(name))
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
    ),
  }));
}

function parseCsv(text: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let line = 1;
  // A cell in quotes or a plain one, with what ends it. Sticky, so that nothing is passed over.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < text.length || row.cells.length > 0) {
    const match = cell.exec(text);
    if (!match)
      throw new Invalid([lineItem(line, undefined, 'a quotation mark is not closed, or stands inside a cell')]);
    row.cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    line += match[0].split('\n').length - 1;
    if (match[3] === ',') continue;
    if (row.cells.some((text) => text !== '')) rows.push(row);
    row = { line, cells: [] };
    if (match[3] === '') break;
  }
  return rows;
}

/** One line of CSV. Cells that a spreadsheet would take for a formula begin with an apostrophe. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  const written = cells.map((value) => {
    const text = String(value ?? '');
    const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${written.join(',')}\r\n`;
}
