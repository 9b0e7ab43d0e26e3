import { createHash } from 'node:crypto';

/** An expression. It is computed with the values of its variables. */
export type Expression = (value: (variable: string) => number) => number;

const functions: Readonly<Record<string, (value: number) => number>> = {
  ...{ sqrt: Math.sqrt, exp: Math.exp, abs: Math.abs },
  ...{ log: Math.log, log2: Math.log2, log10: Math.log10 },
};

const maxCharacters = 1000;
/** Brackets, signs and powers within each other. */
const maxDepth = 50;
/** Each is computed at several points. */
const maxVariables = 20;
const tokenForm = /\s*(?:(\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)|(\p{L}[\p{L}\p{N}_]*)|(\*\*|[-+*/^()]))/iuy;
const spellings: readonly [RegExp, string][] = [
  [/[·×]/g, '*'],
  [/[÷:]/g, '/'],
  [/[−–]/g, '-'],
];

type Token = { number?: string | undefined; name?: string | undefined; sign?: string | undefined };

function tokensOf(text: string): Token[] | undefined {
  const written = spellings.reduce((result, [form, sign]) => result.replace(form, sign), text).trimEnd();
  const tokens: Token[] = [];
  for (tokenForm.lastIndex = 0; tokenForm.lastIndex < written.length; ) {
    const match = tokenForm.exec(written);
    if (!match) return undefined;
    tokens.push({ number: match[1], name: match[2], sign: match[3] === '**' ? '^' : match[3] });
  }
  return tokens;
}

/**
 * Reads an expression of numbers, variables, + - * / ^, brackets and the functions above. The sign of a product can be left out: 2n(n+1).
 * A power is stronger than a sign before it, and is read from the right.
 * @returns undefined for anything else
 */
export function expressionOf(text: string): Expression | undefined {
  const tokens = text.length > maxCharacters ? undefined : tokensOf(text);
  let at = 0;
  let depth = 0;
  const variables = new Set<string>();
  const isNext = (...signs: string[]): boolean => signs.includes(tokens?.[at]?.sign ?? '');
  const wrong = (): never => {
    throw new SyntaxError('This is no expression');
  };
  const deeper = (read: () => Expression): Expression => {
    at += 1;
    depth += 1;
    const inner = depth > maxDepth ? wrong() : read();
    depth -= 1;
    return inner;
  };
  const sum = (): Expression => {
    let left = product();
    while (isNext('+', '-')) {
      const factor = tokens?.[at++]?.sign === '-' ? -1 : 1;
      const [before, right] = [left, product()];
      left = (of) => before(of) + factor * right(of);
    }
    return left;
  };
  const product = (): Expression => {
    let left = signed();
    while (isNext('*', '/', '(') || tokens?.[at]?.name !== undefined) {
      const isDivision = isNext('/');
      const isWritten = isDivision || isNext('*');
      if (isWritten) at += 1;
      const [before, right] = [left, isWritten ? signed() : power()];
      left = isDivision ? (of) => before(of) / right(of) : (of) => before(of) * right(of);
    }
    return left;
  };
  const signed = (): Expression => {
    if (!isNext('-', '+')) return power();
    const isNegative = isNext('-');
    const inner = deeper(signed);
    return isNegative ? (of) => -inner(of) : inner;
  };
  const power = (): Expression => {
    const base = atom();
    if (!isNext('^')) return base;
    const exponent = deeper(signed);
    return (of) => base(of) ** exponent(of);
  };
  const bracket = (): Expression => {
    if (!isNext('(')) return wrong();
    const inner = deeper(sum);
    if (!isNext(')')) return wrong();
    at += 1;
    return inner;
  };
  const atom = (): Expression => {
    const { number, name } = tokens?.[at] ?? {};
    if (number === undefined && name === undefined) return bracket();
    at += 1;
    if (name === undefined) return () => Number(number?.replace(',', '.'));
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!called) return variables.add(name).size > maxVariables ? wrong() : (of) => of(name);
    const inner = bracket();
    return (of) => called(inner(of));
  };
  try {
    const whole = tokens && tokens.length > 0 ? sum() : undefined;
    return at === tokens?.length ? whole : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const rounds = 12;
/** Points at which the right expression has to have a value. */
const minPoints = 3;
const precision = 1e-9;

/** The same in each process, and between 0.5 and 3.5. */
function sampleOf(round: number): (variable: string) => number {
  const known = new Map<string, number>();
  return (variable) => {
    const value = known.get(variable) ?? 0.5 + (3 * hashOf(`${round} ${variable}`)) / 2 ** 32;
    known.set(variable, value);
    return value;
  };
}
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/** Whether two expressions have the same values at points with positive variables, of those where the right one has a value. */
export function isSameExpression(given: Expression, right: Expression): boolean {
  let points = 0;
  for (let round = 0; round < rounds; round += 1) {
    const sample = sampleOf(round);
    const expected = right(sample);
    if (!Number.isFinite(expected)) continue;
    points += 1;
    // Written so that no number is not equal.
    if (!(Math.abs(given(sample) - expected) <= precision * (Math.abs(expected) || 1))) return false;
  }
  return points >= minPoints;
}
