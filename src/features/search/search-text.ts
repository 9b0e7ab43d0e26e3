/** Front matter that is longer is searched as text. */
const maxFrontMatter = 64 * 1024;

/**
 * The text of a Markdown file as the search stores and shows it, on one line. Code is kept as it is, because commands are what readers look
 * for. The running time is proportional to the length.
 * @param max characters of the file that are read
 */
export function searchText(markdown: string, max: number): string {
  let fence = '';
  const lines = withoutFrontMatter(markdown.slice(0, max))
    .split('\n')
    .map((line) => {
      const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && mark.startsWith(fence)) fence = '';
      else return fence === '' ? lineText(line) : line;
      return '';
    });
  return lines
    .join('\n')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

/** A line outside of a block of code. Cells of a table are separated by commas. */
function lineText(line: string): string {
  if (/^[ \t>]*\|[ \t|:-]*$/.test(line)) return '';
  const isRow = /^[ \t>]*\|/.test(line);
  const start = line.replace(/^[ \t>]+/, '').replace(/^(?:#{1,6}|[-*+])[ \t]+(?:\[[ x]\][ \t]+)?/, '');
  const text = start.replace(/^\[![a-z]+\]/i, '').replace(/^\|/, '');
  // A code span has an odd index. Its first and last marks are those that the pattern split at.
  const parts = text.replace(/\|[ \t]*$/, isRow ? '' : '$&').split('`');
  return parts.map((part, index) => (index % 2 === 1 ? part : proseText(part, isRow))).join('');
}

const proseText = (text: string, isRow: boolean): string =>
  text
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>|<!--|-->/gi, ' ')
    .replace(/\*\*|~~/g, '')
    .replace(/(^|[\s("'])[*_]([^\s*_](?:[^*_]*[^\s*_])?)[*_](?=$|[\s)"'.,;:!?])/g, '$1$2')
    .replace(/[ \t]*\|[ \t]*/g, isRow ? ', ' : '$&');

function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, '');
  if (!/^---[ \t]*\r?\n/.test(plain)) return plain;
  const end = /\n(?:---|\.\.\.)[ \t]*\r?\n/.exec(plain.slice(0, maxFrontMatter));
  return end ? plain.slice(end.index + end[0].length) : plain;
}
