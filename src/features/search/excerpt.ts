/** A part of an excerpt. */
export type Piece = { text: string; is_match: boolean };
/** A part of a text around the first word that was found. */
export type Window = { text: string; is_begun: boolean; is_continued: boolean };

/** A shorter beginning marks whole words only: `a` is the beginning of too many. */
const minBeginning = 3;

/**
 * The text with its matches. A word matches if it begins with a stem of the query.
 * @param stems and words of the query, in lower case
 */
export function excerptOf({ text, is_begun, is_continued }: Window, stems: readonly string[]): Piece[] {
  const whole = new Set(stems);
  // The stem of `study` is `studi`.
  const beginnings = stems
    .map((stem) => (stem.length > minBeginning ? stem.replace(/i$/, '') : stem))
    .filter((stem) => stem.length >= minBeginning);
  const isMatch = (word: string): boolean => whole.has(word) || beginnings.some((stem) => word.startsWith(stem));
  const begun = is_begun ? text.replace(/^\S*\s/, '') : text;
  const cut = is_continued ? begun.replace(/\s\S*$/, '') : begun;
  const pieces: Piece[] = [];
  const add = (piece: string, is_match: boolean): void => {
    const last = pieces.at(-1);
    if (last?.is_match === is_match) last.text += piece;
    else pieces.push({ text: piece, is_match });
  };
  if (is_begun) add('… ', false);
  for (const [part] of cut.matchAll(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu)) add(part, isMatch(part.toLowerCase()));
  if (is_continued) add(' …', false);
  return pieces;
}
