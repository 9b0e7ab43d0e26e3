/** Front matter that is longer is searched as text. */
const maxFrontMatter = 64 * 1024;

/**
 * The text of a Markdown file as the search stores and shows it, on one line. Code is kept, because commands are what readers look for. The
 * running time is proportional to the length.
 * @param max characters of the file that are read
 */
export function searchText(markdown: string, max: number): string {
  return withoutFrontMatter(markdown.slice(0, max))
    .replace(/^[ \t>]*(?:`{3,}|~{3,})[^\n]*$/gm, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>|<!--|-->/gi, ' ')
    .replace(/^#{1,6}[ \t]+/gm, '')
    .replace(/\*\*|`/g, '')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, '');
  if (!/^---[ \t]*\r?\n/.test(plain)) return plain;
  const end = /\n(?:---|\.\.\.)[ \t]*\r?\n/.exec(plain.slice(0, maxFrontMatter));
  return end ? plain.slice(end.index + end[0].length) : plain;
}
