import type { TextQuery } from './store.ts';

/** Characters of a word. */
const word = /[\p{L}\p{N}\p{M}]+/gu;
/** Letters that the stem of a word can lack at its end, and letters that remain of it. */
const ending = { max: 4, rest: 4 };

/**
 * What a user types. All words must be found; `"..."` is a phrase, `or` an alternative. Other punctuation separates words: `ls -l` is not
 * `ls` without `l`. The last word may be incomplete, unless a space or a quotation mark follows it.
 * @returns undefined without any word
 */
export function textQuery(text: string): TextQuery | undefined {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{N}\p{M}"]+/gu, ' ');
  const words = plain.toLowerCase().match(word) ?? [];
  if (words.length === 0) return undefined;
  const whole = { text: plain, words: [...new Set(words)] };
  const last = /[\p{L}\p{N}\p{M}]+$/u.exec(plain);
  if (!last) return whole;
  return { ...whole, beginning: { before: plain.slice(0, last.index), terms: beginningTerms(last[0].toLowerCase()) } };
}

/**
 * Texts are stored as stems. `permissi` is the beginning of no stem, but one of its own beginnings, `permiss`, is the stem of the word that is
 * being typed.
 */
function beginningTerms(last: string): string {
  const forms = [...new Set([last, last.replaceAll('ё', 'е')])];
  const terms = forms.flatMap((form) => {
    const characters = Array.from(form);
    const shortest = Math.max(ending.rest, characters.length - ending.max);
    const lengths = Array.from({ length: Math.max(0, characters.length - shortest) }, (_, index) => shortest + index);
    return [`'${form}':*`, ...lengths.map((length) => `'${characters.slice(0, length).join('')}'`)];
  });
  return terms.join(' | ');
}
