import { knownModes } from './skipped-modes.ts';
import type { ScreenSize } from './terminal-screens.ts';

/** A parameter and its subparameters after colons, such as `4:3`. */
export type Parameter = { value: number; parts: number[] };

/** The output for the emulator for one sequence, and its approximate cost in written cells. */
type Allowed = { text: string; cost: number };

/** Maximum parameters of one sequence, including subparameters, as in the emulator. */
export const mostParameters = 32;
/** Larger than any meaningful mode, colour or position. */
const largest = 9999;

type Rule = (parameters: Parameter[], size: ScreenSize, sequence: Sequence) => Allowed | undefined;
export type Sequence = { prefix: string; intermediates: string; final: string };

/** The base cost of a sequence, in cells. */
export const sequenceCost = 150;

const nothing: Allowed = { text: '', cost: sequenceCost };
const first = (parameters: readonly Parameter[]): number => parameters[0]?.value ?? 0;

/** One count, which has no effect beyond `most`. `each`: the cost per unit. */
const counted =
  (most: (size: ScreenSize) => number, each: (size: ScreenSize) => number): Rule =>
  (parameters, size, { intermediates, final }) => {
    const count = Math.min(first(parameters), most(size));
    return { text: `\x1b[${count}${intermediates}${final}`, cost: sequenceCost + Math.max(1, count) * each(size) };
  };

/** Positions: any beyond the screen means its edge. */
const placed: Rule = (parameters, _size, { prefix, intermediates, final }) => {
  const values = parameters.slice(0, 2).map(({ value }) => Math.min(value, largest));
  return { text: `\x1b[${prefix}${values.join(';')}${intermediates}${final}`, cost: sequenceCost };
};

const erasing =
  (cells: (size: ScreenSize) => number): Rule =>
  (parameters, size, { prefix, final }) => ({
    text: `\x1b[${prefix}${Math.min(first(parameters), largest)}${final}`,
    cost: sequenceCost + 2 * cells(size),
  });

const switching: Rule = (parameters, size, { prefix, final }) => {
  const known = prefix === '?' ? knownModes : new Set([4, 20]);
  const modes = parameters.map(({ value }) => value).filter((mode) => known.has(mode));
  if (modes.length === 0) return nothing;
  const isOtherScreen = modes.filter((mode) => mode === 47 || mode === 1047 || mode === 1049).length;
  return {
    text: `\x1b[${prefix}${modes.join(';')}${final}`,
    cost: sequenceCost + 40 * modes.length + isOtherScreen * (20_000 + 6 * size.cols * size.rows),
  };
};

/**
 * Colours and styles. The emulator allocates an object for each cell with a styled or coloured underline. A picture shows neither,
 * so a plain underline replaces them.
 */
const styling: Rule = (parameters) => {
  const texts: string[] = [];
  for (let at = 0; at < parameters.length; at += 1) {
    const { value, parts } = parameters[at] as Parameter;
    const isIndexed = parameters[at + 1]?.value === 5;
    const taken = value === 38 || value === 48 || value === 58 ? colourLength(parts, isIndexed, parameters[at + 1]) : 0;
    const group = parameters.slice(at, at + taken + 1);
    at += taken;
    if (value === 58 || value === 59) continue;
    if (value === 4 && parts.length > 0) texts.push(parts[0] === 0 ? '24' : '4');
    else if (value === 21) texts.push('4');
    else texts.push(group.map(parameterText).join(';'));
  }
  // Without a parameter it would mean a full reset.
  return texts.length === 0 ? nothing : { text: `\x1b[${texts.join(';')}m`, cost: sequenceCost + 40 * texts.length };
};

const colourLength = (parts: readonly number[], isIndexed: boolean, kind: Parameter | undefined): number => {
  if (parts.length > 0) return 0;
  return isIndexed ? 2 : kind?.value === 2 ? 4 : 0;
};

const parameterText = ({ value, parts }: Parameter): string =>
  [value, ...parts].map((part) => (part < 0 ? '' : `${Math.min(part, largest)}`)).join(':');

const { cols, rows, all } = {
  cols: (size: ScreenSize) => size.cols,
  rows: (size: ScreenSize) => size.rows,
  all: (size: ScreenSize) => size.cols * size.rows,
};
const lines = counted(rows, (size) => 16 * size.rows + size.cols + 100);
const cells = counted(cols, () => 10);
const columns = counted(cols, (size) => 10 * size.rows);
const moves = counted(
  (size) => Math.max(size.cols, size.rows),
  () => 20,
);

/** Sequences that the emulator supports and a picture can show. All others are dropped: titles, queries, window sizes. */
const rules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries('ABCDEFIZae'.split('').map((final) => [final, moves])),
  ...Object.fromEntries('GHdf`rsug'.split('').map((final) => [final, placed])),
  ...Object.fromEntries('LMST'.split('').map((final) => [final, lines])),
  ...Object.fromEntries(
    '@PX'.split('').map((final) => [final, (p, size, s) => addCost(cells(p, size, s), 10 * size.cols)]),
  ),
  // Each repetition writes a whole cell with its combining marks.
  b: counted(cols, () => 100),
  ' @': (p, size, s) => addCost(columns(p, size, s), 10 * all(size)),
  ' A': (p, size, s) => addCost(columns(p, size, s), 10 * all(size)),
  "'}": (p, size, s) => addCost(columns(p, size, s), 10 * all(size)),
  "'~": (p, size, s) => addCost(columns(p, size, s), 10 * all(size)),
  J: erasing(all),
  '?J': erasing(all),
  K: erasing(cols),
  '?K': erasing(cols),
  h: switching,
  l: switching,
  '?h': switching,
  '?l': switching,
  m: styling,
  '!p': placed,
  '"q': placed,
};

const addCost = (allowed: Allowed | undefined, cost: number): Allowed | undefined =>
  allowed && { text: allowed.text, cost: allowed.cost + cost };

/** The replacement of a control sequence for the emulator; undefined for none. */
export function allowedSequence(sequence: Sequence, parameters: Parameter[], size: ScreenSize): Allowed | undefined {
  const { prefix, intermediates, final } = sequence;
  const rule = rules[`${prefix}${intermediates}${final}`];
  const allowed = rule?.(parameters, size, sequence);
  return allowed && allowed.text !== '' ? allowed : undefined;
}
