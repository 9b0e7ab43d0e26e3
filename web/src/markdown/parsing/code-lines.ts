/** It can be the first line of a list's item. */
const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;

/** Whether each line belongs to a fenced block of code. */
export function codeLinesOf(lines: readonly string[]): boolean[] {
  let open: string | undefined;
  return lines.map((line) => {
    if (open === undefined) {
      open = fence.exec(line)?.[1];
      return open !== undefined;
    }
    if (closes(line, open)) open = undefined;
    return true;
  });
}

function closes(line: string, open: string): boolean {
  const mark = fence.exec(line)?.[1];
  return mark?.startsWith(open) === true && line.replace(/^[ \t>]+/, '').trim() === mark;
}

/** The line after a fenced block that opens in a line. */
export function codeEnd(lines: readonly string[], start: number): number {
  const open = fence.exec(lines[start] ?? '')?.[1] ?? '';
  for (let at = start + 1; at < lines.length; at += 1) if (closes(lines[at] ?? '', open)) return at + 1;
  return lines.length;
}

const withSpaces = (line: string): string => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length));

/** The lines after an opening that are indented by four more columns, and the line after them. */
export function indentedLines(
  lines: readonly string[],
  start: number,
  indent: string,
): { content: string[]; end: number } {
  const inner = `${indent}    `;
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = withSpaces(lines[at] ?? '');
    if (line.trim() === '') continue;
    if (!line.startsWith(inner)) break;
    end = at + 1;
  }
  const content = lines.slice(start + 1, end).map((line) => withSpaces(line).slice(inner.length));
  return { content, end };
}

/** Lines without the indentation that all of them have. */
export function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const common = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
  return lines.map((line) => line.slice(common));
}
