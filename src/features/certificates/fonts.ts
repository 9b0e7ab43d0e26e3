import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const font = '@fontsource/noto-sans';
/** Scripts whose letters stand side by side in the order of the text. Others need shaping, and fonts of many megabytes. */
const scripts = ['latin', 'cyrillic', 'greek', 'latin-ext', 'cyrillic-ext', 'greek-ext', 'vietnamese'] as const;
export type FontScript = (typeof scripts)[number];

/** The characters of each file of the font, as its package describes them. */
const ranges = scripts.map((script) => {
  const described = (require(`${font}/unicode.json`) as Record<string, string>)[script] ?? '';
  const bounds = described.split(',').map((range) => {
    const [from = '', to = from] = range.replace('U+', '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
  });
  return { script, has: (code: number) => bounds.some(([from, to]) => code >= from && code <= to) };
});
const graphemes = new Intl.Segmenter();

const scriptOf = (grapheme: string): FontScript | undefined =>
  ranges.find(({ has }) => Array.from(grapheme).every((character) => has(character.codePointAt(0) ?? 0)))?.script;

export const fontFile = (script: FontScript): string =>
  require.resolve(`${font}/files/noto-sans-${script}-400-normal.woff`);

/** Whether a certificate can show a name as it is: accents without a letter are none. */
export const isPrintable = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !/\p{C}/u.test(text) &&
  [...graphemes.segment(text)].every(({ segment }) => scriptOf(segment) !== undefined);

/** A text in parts of one file of the font each. What no file has is shown as an empty box. */
export function fontRuns(text: string): { script: FontScript; text: string }[] {
  const runs: { script: FontScript; text: string }[] = [];
  for (const { segment } of graphemes.segment(text.normalize('NFC').replace(/\p{C}/gu, ' '))) {
    const script = scriptOf(segment) ?? 'latin';
    const last = runs.at(-1);
    if (last?.script === script) last.text += segment;
    else runs.push({ script, text: segment });
  }
  return runs;
}
