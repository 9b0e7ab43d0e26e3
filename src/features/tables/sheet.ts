import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { runInThread } from '../../../packages/limits/run-in-thread.ts';
import { InvalidError, overloaded, UnavailableError, type ValidationItem } from '../../errors.ts';
import { canonicalEmail } from '../../values/email-address.ts';
import { oneLine } from '../../values/one-line.ts';
import { normalName } from '../../values/username.ts';
import { lineItem } from './import-problems.ts';
import type { UsernameSource } from './proposed-usernames.ts';
import { areTurned, ignoredColumns, isCanvas, type LeftOut, reasonOf, turnedName } from './rosters.ts';
import { type Encoding, readTable, type Separator, type Table, type TableLimits, type TableRow } from './table.ts';
import { columnProblems, type Field, fieldFinder, isLastName } from './table-columns.ts';
import type { TableResult, TableTask } from './table-worker.ts';

/** How a caller wants a file to be read. */
export type SheetChoice = {
  /** Default: found from the bytes. */
  encoding?: Encoding;
  /** The fields of the columns, in their order; null: the column is ignored. Default: by their names. */
  columns?: readonly (string | null)[];
  /** Whether the first line has the names of the columns. */
  hasHeader?: boolean;
  /** Default: from the file, and from the address where no column has them. */
  usernames?: UsernameSource;
};

export type SheetRules = {
  fields: readonly Field[];
  /** The maximum number of lines below the header. */
  maxLines: number;
  /**
   * `names`: every column has the name of a field, and a header is there. `proposal`: columns are taken for what they seem to be, and the
   * others are ignored; a file without a header is recognized.
   */
  reading: 'names' | 'proposal';
  /** The field of the only column of a list without a header. */
  listField?: string;
  /** Lines are people: a roster may have lines that are none, and columns that say nothing about an account. */
  isRoster?: boolean;
};

export type SheetColumn = {
  /** In the header. Null without a header. */
  name: string | null;
  /** A value of the column, shortened. Null for passwords. */
  example: string | null;
  field: string | null;
};

/** A file, and what its columns are taken for. */
export type Sheet = {
  encoding: Encoding;
  separator: Separator;
  hasHeader: boolean;
  /** The line of the header. */
  headerLine: number;
  columns: SheetColumn[];
  /** Below the header, each with as many cells as there are columns. */
  rows: TableRow[];
  /** Lines with text below the header, wrong ones included. */
  lines: number;
  /** Lines of a roster that are no people. They are not among the rows. */
  leftOut: LeftOut[];
  /** Whether full names are written `Last, First`. */
  isTurned: boolean;
  /** Of the file and of single lines. Without columns nothing else can be checked. */
  problems: ValidationItem[];
};

const noRoster = { leftOut: [] as LeftOut[], isTurned: false };
const maxColumns = 100;
/** Characters. */
const maxLineLength = 20_000;
const maxExample = 60;
/** The lines from which the kind of a column is guessed. */
const guessed = 20;

/** @throws InvalidError for a choice that does not fit the file, UnavailableError where too much is read at once */
export async function readSheet(bytes: Uint8Array, rules: SheetRules, choice: SheetChoice = {}): Promise<Sheet> {
  const limits = { maxLines: rules.maxLines + 2, maxColumns, maxLineLength };
  const { encoding, separator, rows: all, problem } = await tableOf(bytes, limits, choice.encoding);
  const empty = { encoding, separator, hasHeader: true, headerLine: 1, columns: [], rows: [], lines: 0, ...noRoster };
  if (problem) {
    const max = problem.code === 'too_many_columns' ? maxColumns : maxLineLength;
    const params = problem.code === 'quote_open' ? {} : { max };
    return { ...empty, problems: [lineItem(problem.line, undefined, problem.code, params)] };
  }
  const [first] = all;
  if (!first) return { ...empty, problems: [lineItem(1, undefined, 'file_empty')] };
  const hasHeader = choice.hasHeader ?? (rules.reading === 'names' || isHeader(first.cells, rules));
  const isOfCanvas = rules.isRoster === true && hasHeader && isCanvas(first.cells);
  const below = hasHeader ? all.slice(1) : all;
  const leftOut = isOfCanvas ? below.flatMap((row) => leftOutOf(first.cells, row)) : [];
  const linesLeftOut = new Set(leftOut.map(({ line }) => line));
  const rows = below.filter(({ line }) => !linesLeftOut.has(line));
  const fields = choice.columns ?? fieldsOf(first.cells, rows, hasHeader, rules);
  checkChoice(fields, first.cells.length, rules.fields);
  const problems = [
    ...(choice.columns || rules.reading === 'proposal'
      ? []
      : unknownColumns(first, fields, rules.isRoster === true ? ignoredColumns(first.cells) : () => false)),
    ...columnProblems(fields, rules.fields, first.line),
    ...(rows.length === 0 ? [lineItem(first.line, undefined, 'no_lines')] : []),
    ...(rows.length > rules.maxLines
      ? [lineItem(first.line, undefined, 'too_many_lines', { max: rules.maxLines })]
      : []),
  ];
  const width = first.cells.length;
  const wrong = rows
    .filter(({ cells }) => cells.length !== width)
    .map(({ line, cells }) => lineItem(line, undefined, 'cell_count', { cells: cells.length, columns: width }));
  const columns = first.cells.map((name, index) =>
    columnOf(hasHeader ? name.trim() : null, fields[index] ?? null, rows, index),
  );
  const isTurned =
    isOfCanvas ||
    (rules.isRoster === true && areTurned(rows.flatMap((row) => cellOf({ columns }, row, 'full_name') ?? [])));
  return {
    ...{ encoding, separator, hasHeader, headerLine: first.line, lines: below.length, leftOut, isTurned, columns },
    rows: rows.length > rules.maxLines ? [] : rows.filter(({ cells }) => cells.length === width),
    problems: rows.length > rules.maxLines ? problems : [...problems, ...wrong],
  };
}

/** The value of a field in a row, in one line; undefined where it is empty or no column has it. */
export function cellOf({ columns }: Pick<Sheet, 'columns'>, { cells }: TableRow, key: string): string | undefined {
  const texts = cells.filter((_, index) => columns[index]?.field === key);
  const text = key === 'password' ? (texts[0] ?? '') : texts.map(oneLine).join(' ').trim();
  return text === '' ? undefined : text;
}

type Named = Pick<Sheet, 'columns' | 'isTurned'>;

/** The username and the address of a line. A login is an address if it has an at sign. */
export function accountOf(sheet: Named, row: TableRow): { username?: string; email?: string } {
  const login = unescaped(cellOf(sheet, row, 'login'));
  const isAddress = login?.includes('@') ?? false;
  const username = unescaped(cellOf(sheet, row, 'username')) ?? (isAddress ? undefined : login);
  const email = cellOf(sheet, row, 'email') ?? (isAddress ? login : undefined);
  return {
    ...(username === undefined ? {} : { username: normalName(username) }),
    ...(email === undefined ? {} : { email: canonicalEmail(email) }),
  };
}

/** The full name of a line, as it is said. */
export function fullNameOf(sheet: Named, row: TableRow): string | undefined {
  const name = cellOf(sheet, row, 'full_name');
  return name === undefined || !sheet.isTurned ? (name ?? joinedName(sheet, row)) : turnedName(name);
}

/** A name in parts, in the order of their columns, but for a last name in front. In Russian it stays there. */
function joinedName({ columns }: Named, { cells }: TableRow): string | undefined {
  const parts = columns.flatMap(({ name, field }, index) =>
    field === 'name_part' ? { text: oneLine(cells[index] ?? ''), isLast: isLastName(name ?? '') } : [],
  );
  const inOrder = [...parts.filter(({ isLast }) => !isLast), ...parts.filter(({ isLast }) => isLast)];
  const name = inOrder.flatMap(({ text }) => text || []).join(' ');
  return name === '' ? undefined : name;
}

/** Exports write an apostrophe before what a spreadsheet would take for a formula. */
const unescaped = (text: string | undefined): string | undefined => text?.replace(/^'(?=[=+\-@])/, '');

/** Where the usernames of new accounts come from. A mere list of addresses makes no accounts: a roster has names. */
export function sourceOf(sheet: Named & Pick<Sheet, 'hasHeader'>, { usernames }: SheetChoice): UsernameSource {
  const hasPeople = hasField(sheet, 'full_name') || hasField(sheet, 'name_part');
  const isRoster = sheet.hasHeader && hasPeople && !hasField(sheet, 'username');
  return usernames ?? (isRoster ? 'local_part' : 'file');
}

export const hasField = ({ columns }: Pick<Sheet, 'columns'>, key: string): boolean =>
  columns.some(({ field }) => field === key);

/** The problems of a file or of its header, where there are any: then the lines cannot be checked. */
export function headerProblems(
  { columns, headerLine }: Pick<Sheet, 'columns' | 'headerLine'>,
  problems: readonly ValidationItem[],
): ValidationItem[] | undefined {
  if (columns.length === 0) return [...problems];
  const ofHeader = problems.filter(({ loc, code }) => loc[1] === headerLine && code !== 'cell_count');
  return ofHeader.length > 0 ? ofHeader : undefined;
}

/** A first line with an address in it, or without any known name, is no header. */
function isHeader(cells: readonly string[], { fields, listField }: SheetRules): boolean {
  const fieldNamed = fieldFinder(fields);
  if (cells.some((cell) => fieldNamed(cell) !== undefined)) return true;
  return !(cells.some((cell) => cell.includes('@')) || (cells.length === 1 && listField !== undefined));
}

function fieldsOf(
  header: readonly string[],
  rows: readonly TableRow[],
  hasHeader: boolean,
  { fields, reading, listField }: SheetRules,
): (string | null)[] {
  if (!hasHeader && header.length === 1 && listField !== undefined) return [listField];
  const fieldNamed = fieldFinder(fields);
  const named = header.map((name) => (hasHeader ? (fieldNamed(name)?.key ?? null) : null));
  if (reading === 'names') return named;
  const once = named.map((key, index) => {
    const isRepeatable = fields.some((field) => field.key === key && field.isRepeatable);
    return isRepeatable || named.indexOf(key) === index ? key : null;
  });
  if (once.includes('email') || once.includes('login')) return once;
  const email = once.findIndex((key, index) => key === null && looksLikeEmail(rows, index));
  return once.map((key, index) => (index === email ? 'email' : key));
}

function looksLikeEmail(rows: readonly TableRow[], index: number): boolean {
  const texts = rows.slice(0, guessed).flatMap(({ cells }) => cells[index]?.trim() || []);
  return texts.length > 0 && texts.every((text) => /^\S+@\S+\.\S+$/.test(text));
}

/** @throws InvalidError */
function checkChoice(chosen: readonly (string | null)[], width: number, fields: readonly Field[]): void {
  const msg = 'Value error, the list names a field for each column of the file, or nothing';
  const isKnown = (key: string | null) => key === null || fields.some((field) => field.key === key);
  if (chosen.length !== width || !chosen.every(isKnown))
    throw new InvalidError([{ loc: ['query', 'columns'], msg, type: 'value_error' }]);
}

const unknownColumns = (
  { line, cells }: TableRow,
  fields: readonly (string | null)[],
  isKnown: (name: string) => boolean,
): ValidationItem[] =>
  fields.flatMap((key, index) =>
    key === null && !isKnown(cells[index] ?? '')
      ? [lineItem(line, undefined, 'column_unknown', { number: index + 1 })]
      : [],
  );

function columnOf(name: string | null, field: string | null, rows: readonly TableRow[], index: number): SheetColumn {
  const text = rows.find(({ cells }) => (cells[index] ?? '').trim() !== '')?.cells[index]?.trim() ?? '';
  const example = text === '' || field === 'password' ? null : text.slice(0, maxExample).toWellFormed();
  return { name: name === null ? null : name.slice(0, 200).toWellFormed(), example, field };
}

function leftOutOf(header: readonly string[], row: TableRow): LeftOut[] {
  const reason = reasonOf(header, row);
  const name = (row.cells.find((cell) => cell.trim() !== '') ?? '').trim().slice(0, maxExample).toWellFormed();
  return reason === undefined ? [] : [{ line: row.line, name, reason }];
}

const tableProgram = new URL('./table-worker.ts', import.meta.url);
/** Bytes up to which a table is read at once, which takes at most some milliseconds. */
const smallTable = 16_384;
const threadLimits = { seconds: 10, heapMb: 256 };
const turns = new ConcurrencyLimiter(
  { concurrency: 2, maxWaiting: 20 },
  overloaded('Too many files are imported at once'),
);

/** @throws UnavailableError where too many tables are read, or one takes too much time or memory */
async function tableOf(bytes: Uint8Array, limits: TableLimits, encoding?: Encoding): Promise<Table> {
  if (bytes.byteLength <= smallTable) return readTable(bytes, limits, encoding);
  const task: TableTask = { bytes, limits, encoding };
  return await turns.run(() => runInThread<TableResult>(tableProgram, task, threadLimits, tooSlow));
}

const tooSlow = (cause?: unknown) => new UnavailableError('overloaded', 'The file takes too long to read', { cause });
