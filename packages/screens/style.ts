import type { IBufferCell } from '@xterm/headless';

/** The level of detail of a cell. */
export type Detail = 'full' | 'sixteen colours' | 'plain';

/** Colours and flags as the parameters that set them; '39' and '49' are the default colours. */
export type Style = { foreground: string; background: string; flags: number };

export const plainStyle: Style = { foreground: '39', background: '49', flags: 0 };

/** The style properties of a cell and of the pen in the emulator. */
export type Styled = Pick<
  IBufferCell,
  | 'isFgRGB'
  | 'isFgPalette'
  | 'isBgRGB'
  | 'isBgPalette'
  | 'isInverse'
  | 'isBold'
  | 'isUnderline'
  | 'isOverline'
  | 'isBlink'
  | 'isInvisible'
  | 'isItalic'
  | 'isDim'
  | 'isStrikethrough'
  | 'getFgColor'
  | 'getBgColor'
>;

const setters = [1, 2, 3, 4, 5, 7, 8, 9, 53];

export function styleOf(cell: Styled, detail: Detail): Style {
  return {
    foreground: colourOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), 30, detail),
    background: colourOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), 40, detail),
    flags: detail === 'plain' ? 0 : flagsOf(cell),
  };
}

const flagsOf = (cell: Styled): number =>
  bit(cell.isBold(), 0) |
  bit(cell.isDim(), 1) |
  bit(cell.isItalic(), 2) |
  bit(cell.isUnderline(), 3) |
  bit(cell.isBlink(), 4) |
  bit(cell.isInverse(), 5) |
  bit(cell.isInvisible(), 6) |
  bit(cell.isStrikethrough(), 7) |
  bit(cell.isOverline(), 8);

const bit = (isSet: number, position: number): number => (isSet ? 1 << position : 0);

/** @param base 30 for the foreground, 40 for the background */
function colourOf(isRgb: boolean, isPalette: boolean, colour: number, base: number, detail: Detail): string {
  if ((!isRgb && !isPalette) || detail === 'plain') return `${base + 9}`;
  if (detail === 'sixteen colours') return basic(isRgb ? nearest(colour) : paletteNearest(colour), base);
  if (isRgb) return `${base + 8};2;${(colour >> 16) & 255};${(colour >> 8) & 255};${colour & 255}`;
  return colour < 16 ? basic(colour, base) : `${base + 8};5;${colour}`;
}

const basic = (colour: number, base: number): string => `${base + (colour & 7) + (colour & 8 ? 60 : 0)}`;

/** Red, green and blue are each on or off, and brightness is shared. */
function nearest(rgb: number): number {
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
  const brightest = Math.max(red, green, blue);
  if (brightest < 64) return 0;
  const isThere = (part: number): number => (part > brightest / 2 ? 1 : 0);
  return isThere(red) | (isThere(green) << 1) | (isThere(blue) << 2) | (brightest > 170 ? 8 : 0);
}

/** 16 to 231 are a colour cube with six steps per side, the rest shades of grey. */
function paletteNearest(colour: number): number {
  if (colour < 16) return colour;
  if (colour >= 232) return nearest((8 + (colour - 232) * 10) * 0x01_01_01);
  const steps = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  const [red, green, blue] = [steps[Math.floor(at / 36)] ?? 0, steps[Math.floor(at / 6) % 6] ?? 0, steps[at % 6] ?? 0];
  return nearest((red << 16) | (green << 8) | blue);
}

/** The sequence that changes one style to another. */
export function diffStyle(from: Style, to: Style): string {
  if (from.flags === to.flags && from.foreground === to.foreground && from.background === to.background) return '';
  if (to.flags === 0 && to.foreground === plainStyle.foreground && to.background === plainStyle.background)
    return '\x1b[m';
  // Flags are reset together with the colours.
  const isReset = (from.flags & ~to.flags) !== 0;
  const before = isReset ? plainStyle : from;
  const parameters = [
    ...(isReset ? [0] : []),
    ...setters.filter((_setter, position) => to.flags & ~before.flags & (1 << position)),
    ...(to.foreground === before.foreground ? [] : [to.foreground]),
    ...(to.background === before.background ? [] : [to.background]),
  ];
  return `\x1b[${parameters.join(';')}m`;
}
