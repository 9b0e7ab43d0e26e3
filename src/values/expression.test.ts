import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Expression, expressionOf, isSameExpression } from './expression.ts';

const read = (text: string): Expression => expressionOf(text) ?? assert.fail(`${text} was not read`);
const isSame = (one: string, other: string): boolean => isSameExpression(read(one), read(other));

describe('expressions', () => {
  it('are computed as they are written in mathematics', () => {
    const values: Record<string, number> = { n: 3, k: 2, größe: 10 };
    for (const [text, value] of [
      ['1 + 2*3 - 4/8', 6.5],
      ['-n^2', -9],
      ['2^-1', 0.5],
      ['2^3^2', 512],
      ['2**3', 8],
      ['2n(n+1)', 24],
      ['(n+1)(n-1)', 8],
      ['1/2n', 1.5],
      ['- -n', 3],
      ['2 × n − 1', 5],
      ['1,5e1 n', 45],
      ['sqrt(16) + log2(8) + log10(100) + abs(-k)', 11],
      ['log(exp(k))', 2],
      ['größe ÷ 4', 2.5],
      ['10 - 3 - 2', 5],
    ] as const)
      assert.equal(
        read(text)((name) => values[name] ?? Number.NaN),
        value,
        text,
      );
  });

  it('are nothing else', () => {
    const wrong = [
      '',
      ' ',
      '1 2',
      'n 2',
      '2 +',
      '*2',
      '(n',
      'n)',
      '()',
      'sqrt',
      'sqrt n',
      'n!',
      'a.b',
      'a[0]',
      "'a'",
      'f(1, 2)',
      '1..2',
    ];
    const hostile = [
      'process.exit()',
      '`1`',
      'n;n',
      'a=1',
      'constructor(1',
      '__proto__',
      '('.repeat(1000),
      `${'-'.repeat(999)}1`,
    ];
    const names = Array.from({ length: 21 }, (_, index) => `v${index}`);
    assert.ok(expressionOf(names.slice(1).join('+')));
    for (const text of [...wrong, ...hostile, `${'1+'.repeat(500)}1`, names.join('+')])
      assert.equal(expressionOf(text), undefined, text);
    assert.ok(Number.isNaN(read('toString(1) + constructor')(() => Number.NaN)), 'a variable as any other');
  });

  it('are the same in each form', () => {
    for (const [one, other] of [
      ['n*(n-1)/2', '(n^2 - n)/2'],
      ['2^(32-p) - 2', '4*2^(30-p)-2'],
      ['sqrt(x^2)', 'x'],
      ['log(a*b)', 'log(a) + log(b)'],
      ['(x+1)^2 - x^2 - 2x', '1'],
      ['x - x', '0'],
      ['x/1000000', '1e-6 x'],
      ['1/3', '0.3333333333'],
    ] as const)
      assert.ok(isSame(one, other), `${one} = ${other}`);
    for (const [one, other] of [
      ['n^2', 'n^3'],
      ['n', 'm'],
      ['x/2000000', 'x/1000000'],
      ['-x^2', '(-x)^2'],
      ['1e30 - 1e30 + n', 'm'],
      ['1/0', 'n'],
      ['1/0', '1/0'],
      ['sqrt(0-n)', 'log(0-n)'],
      ['0.333', '1/3'],
    ] as const)
      assert.ok(!isSame(one, other), `${one} is not ${other}`);
  });
});
