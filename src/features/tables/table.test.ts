import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTable } from './table.ts';
import { csvLine } from './user-csv.ts';

const limits = { maxLines: 1000, maxColumns: 10, maxLineLength: 20_000 };
const read = (text: string | Uint8Array) =>
  readTable(typeof text === 'string' ? new TextEncoder().encode(text) : text, limits);
const cells = (text: string | Uint8Array) => read(text).rows.map((row) => row.cells);
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};
const inWindows1251 = (text: string) =>
  Uint8Array.from(text, (char) => (/[а-яА-Я]/.test(char) ? char.charCodeAt(0) - 0x410 + 0xc0 : char.charCodeAt(0)));

describe('a table', () => {
  it('has commas, semicolons or tabs outside of quotation marks', () => {
    for (const [text, separator] of [
      ['a,b;c\n1,2', 'comma'],
      ['\n"a,,,b";c\n1;"2,5"', 'semicolon'],
      ['a\tb\n1,5\t2', 'tab'],
      ['one\ntwo,three', 'comma'],
      ['sep=;\r\na,b;c\r\n1;2', 'semicolon'],
    ] as const)
      assert.equal(read(text).separator, separator, text);
    assert.deepEqual(cells('\n"a,,,b";c\n1;"2,5"'), [
      ['a,,,b', 'c'],
      ['1', '2,5'],
    ]);
  });

  it('is read in each encoding, with and without a byte order mark', () => {
    const text = 'фио;логин\nИванов Иван;ivan';
    const expected = [
      ['фио', 'логин'],
      ['Иванов Иван', 'ivan'],
    ];
    for (const [bytes, encoding] of [
      [Buffer.from(text), 'utf-8'],
      [Buffer.from(`\uFEFF${text}`), 'utf-8'],
      [utf16(`\uFEFF${text}`), 'utf-16le'],
      [utf16(text), 'utf-16le'],
      [utf16(`\uFEFF${text}`, true), 'utf-16be'],
      [utf16(text, true), 'utf-16be'],
      [inWindows1251(text), 'windows-1251'],
    ] as const) {
      assert.equal(read(bytes).encoding, encoding);
      assert.deepEqual(cells(bytes), expected, encoding);
    }
    const western = Buffer.from('name,fee\nM\xfcller Andr\xe9,\x80 5', 'latin1');
    assert.equal(read(western).encoding, 'windows-1252');
    assert.deepEqual(cells(western)[1], ['Müller André', '€ 5']);
    assert.equal(readTable(western, limits, 'windows-1251').rows[1]?.cells[0], 'Mьller Andrй', 'a caller may choose');
  });

  it('has the line number of each row, with any line ends, blank lines and quoted line breaks', () => {
    const lines = (text: string) => read(text).rows.map(({ line }) => line);
    assert.deepEqual(lines('\uFEFFa,b\r\n\r\n"A\r\nB",1\r\n,,\r\n"C\nD",2\r\ne,f'), [1, 3, 6, 8]);
    assert.deepEqual(lines('a\n\nb\n'), [1, 3]);
    assert.deepEqual(lines('a,b\rc,d\r'), [1, 2]);
    assert.deepEqual(cells('a,b\n1,2,,\n3'), [['a', 'b'], ['1', '2'], ['3']], 'only empty cells too many are dropped');
  });

  it('reports where it cannot be read any further', () => {
    for (const [text, line, code] of [
      ['a,b\n1,2\n"open,3\n4,5\n', 3, 'quote_open'],
      [`a\n${'x'.repeat(30_000)}`, 2, 'line_too_long'],
      [`a\n${'1,'.repeat(11)}`, 2, 'too_many_columns'],
    ] as const)
      assert.deepEqual(read(text).problem, { line, code });
    assert.deepEqual(cells('a,b\nDoe "J" x,2')[1], ['Doe "J" x', '2'], 'a quotation mark inside is text');
  });

  it('is read in linear time, whatever its author does', () => {
    const megabyte = 1 << 20;
    for (const unit of [',', '"', '"",', 'a"', '\n', 'a\n', ';,\t', '\r', '"\r\n', '\0', 'a,'.repeat(99)]) {
      // Of the processor, which other programs share.
      const begin = process.cpuUsage();
      read(unit.repeat(megabyte / unit.length));
      assert.ok(process.cpuUsage(begin).user < 3_000_000, JSON.stringify(unit.slice(0, 5)));
    }
  });
});

describe('a line of CSV', () => {
  it('quotes cells where needed, and escapes formulas', () => {
    assert.equal(csvLine(['a"b', 'c,d', '=1+1', null, 5, true]), '"a""b","c,d",\'=1+1,,5,true\r\n');
  });

  it('escapes formulas in what a spreadsheet splits at semicolons or line ends', () => {
    const cells = ['a;=1+1', 'b; @SUM(1)', 'c\n-1', '\n=1', 'd; e-f', 'g;\uFF1D1'];
    assert.equal(csvLine(cells), "a;'=1+1,b; '@SUM(1),\"c\n'-1\",\"'\n'=1\",d; e-f,g;'\uFF1D1\r\n");
  });
});
