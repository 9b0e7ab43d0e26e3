import type { TextQuery } from './store.ts';

/** Characters of a word. */
const word = /[\p{L}\p{N}\p{M}]+/gu;
/** Letters that the stem of a word can lack at its end, and letters that remain of it. */
const ending = { max: 4, rest: 4 };

/** Letters that a word needs to be searched as the beginning of others, beside other words. */
const minBeginning = 3;
/**
 * Words of questions. They are optional beside other words, because the lesson that answers `how do I delete a file` need not contain them.
 * Alone they count: `who`, `for` and `while` are commands.
 */
const ofQuestions = new Set(
  (
    'a an the i me my we you your it its this that do does did is are was be been can could should would will how what where when why ' +
    'which who in on at of to from for with by and not no there if than then as about into want need get use using make ' +
    'как что где когда почему какой какая какие кто в на с со к из у и не мне я это для по от до ли'
  ).split(' '),
);

/**
 * What a user types. Its words must be found, but for those of questions; `"..."` is a phrase, `or` an alternative. Other punctuation
 * separates words: `ls -l` is not `ls` without `l`. The last word may be incomplete, unless a space or a quotation mark follows it.
 * @returns undefined without any word
 */
export function textQuery(text: string): TextQuery | undefined {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{N}\p{M}"]+/gu, ' ');
  const words = [...new Set(plain.toLowerCase().match(word) ?? [])];
  if (words.length === 0) return undefined;
  const typed = text.normalize('NFC').toLowerCase().replaceAll('"', '').replace(/\s+/g, ' ').trim();
  const telling = words.filter((each) => !ofQuestions.has(each));
  const isPlain = !plain.includes('"') && !words.includes('or');
  const isQuestion = isPlain && telling.length > 0 && telling.length < words.length;
  const sought = isQuestion ? telling : words;
  const needed = isQuestion
    ? plain
        .match(word)
        ?.filter((each) => !ofQuestions.has(each.toLowerCase()))
        .join(' ')
    : plain;
  const end = plain.endsWith(' ') ? ' ' : '';
  const whole = {
    text: isQuestion ? `${needed}${end}` : plain,
    words: sought,
    alternatives: isPlain ? sought : [],
    typed,
  };
  const last = /[\p{L}\p{N}\p{M}]+$/u.exec(whole.text)?.[0] ?? '';
  if (last.length < (words.length > 1 ? minBeginning : 1)) return whole;
  const before = whole.text.slice(0, whole.text.length - last.length);
  return { ...whole, beginning: { before, terms: beginningTerms(last.toLowerCase()) } };
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
