import { createRequire } from 'node:module';
import type { Options } from 'csv-parse/sync';

const require = createRequire(import.meta.url);
/** Loaded with the first table. */
const csvParse = () => require('csv-parse/sync') as typeof import('csv-parse/sync');

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];
export const separators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = keyof typeof separators;

export type TableLimits = {
  /** Lines with cells, the header included. Further lines are not read. */
  maxLines: number;
  maxColumns: number;
  /** Characters of one line. */
  maxLineLength: number;
};
export type TableRow = {
  /** From 1. A quoted cell may contain line breaks: this is the first line of the row. */
  line: number;
  cells: string[];
};
/** Why a file cannot be read any further, and in which line. */
export type TableProblem = { line: number; code: 'quote_open' | 'line_too_long' | 'too_many_columns' };
export type Table = { encoding: Encoding; separator: Separator; rows: TableRow[]; problem?: TableProblem };

/** What of a file is enough to find its encoding and its separator. */
const sample = 65_536;

/**
 * Reads a table: with commas, semicolons or tabs, in any of the encodings, with quoted cells (RFC 4180), any line ends and blank lines.
 * Empty cells at the end of a line are dropped where the header has none there.
 * @param chosen the encoding, where it is not to be found from the bytes
 */
export function readTable(bytes: Uint8Array, limits: TableLimits, chosen?: Encoding): Table {
  const encoding = chosen ?? encodingOf(bytes);
  const decoded = new TextDecoder(encoding).decode(bytes);
  const broken = decoded.includes('\n') ? decoded : decoded.replaceAll('\r', '\n');
  // Spreadsheets write and read this line. It stays as a blank one, so that the numbers of the lines are those of the file.
  const declared = /^"?sep=([,;\t])"?\r?(?=\n|$)/i.exec(broken);
  const text = broken.slice(declared?.[0].length ?? 0);
  const separator =
    (Object.keys(separators) as Separator[]).find((one) => separators[one] === declared?.[1]) ?? separatorOf(text);
  const { rows, problem } = parseRows(text, separators[separator], limits);
  if (problem) return { encoding, separator, rows: [], problem };
  const width = rows[0]?.cells.length ?? 0;
  const wide = rows.find(({ cells }) => cells.length > limits.maxColumns);
  if (wide) return { encoding, separator, rows: [], problem: { line: wide.line, code: 'too_many_columns' } };
  for (const { cells } of rows) while (cells.length > width && cells.at(-1)?.trim() === '') cells.pop();
  return { encoding, separator, rows };
}

const form = {
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
} satisfies Options;

function parseRows(
  text: string,
  delimiter: string,
  { maxLines, maxLineLength }: TableLimits,
): { rows: TableRow[]; problem?: TableProblem } {
  const rows: TableRow[] = [];
  /** Line ends within cells that the library has counted twice. */
  let twice = 0;
  let nextLine = 1;
  const onRecord = (cells: string[], { lines }: { lines: number }): null => {
    const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    twice += cells.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0);
    rows.push({ line: lines - breaks - twice, cells });
    nextLine = lines - twice + 1;
    return null;
  };
  try {
    csvParse().parse(text, { ...form, delimiter, to: maxLines, max_record_size: maxLineLength, on_record: onRecord });
    return { rows };
  } catch (error) {
    if (!(error instanceof csvParse().CsvError)) throw error;
    const code = error.code === 'CSV_MAX_RECORD_SIZE' ? 'line_too_long' : 'quote_open';
    return { rows, problem: { line: nextLine, code } };
  }
}

/** The encoding that the bytes have, or most probably have. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const begin = bytes.subarray(0, sample);
  // Commas, digits and line ends of UTF-16 have a zero byte, which no text in the other encodings has.
  const zeros: [even: number, odd: number] = [0, 0];
  for (const [index, byte] of begin.entries()) if (byte === 0) zeros[(index % 2) as 0 | 1] += 1;
  if (zeros[0] + zeros[1] > 0 && Math.min(...zeros) === 0) return zeros[1] > 0 ? 'utf-16le' : 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return hasCyrillicRuns(begin) ? 'windows-1251' : 'windows-1252';
  }
}

/** In Cyrillic texts most letters above ASCII stand beside others; in Western ones they stand alone. */
function hasCyrillicRuns(bytes: Uint8Array): boolean {
  let [high, beside] = [0, 0];
  const isHigh = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80;
  for (const [index, byte] of bytes.entries()) {
    if (!isHigh(byte)) continue;
    high += 1;
    if (isHigh(bytes[index - 1]) || isHigh(bytes[index + 1])) beside += 1;
  }
  return beside * 2 > high;
}

/** The separator that the first line with text has most often outside of quotation marks. */
export function separatorOf(text: string): Separator {
  const counts = { comma: 0, semicolon: 0, tab: 0 };
  let isQuoted = false;
  let hasText = false;
  for (const char of text.slice(0, sample)) {
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === ',') counts.comma += 1;
    else if (char === ';') counts.semicolon += 1;
    else if (char === '\t') counts.tab += 1;
    else if (char === '\n' && hasText) break;
    if (char.trim() !== '') hasText = true;
  }
  return (Object.keys(counts) as Separator[]).reduce((most, one) => (counts[one] > counts[most] ? one : most), 'comma');
}
