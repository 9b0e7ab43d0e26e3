const opening = /^\uFEFF?---[ \t]*\r?\n/;
const closing = /^(?:---|\.\.\.)[ \t]*\r?$/;
/** What a line of YAML begins with: a key, an item of a list, a comment, or the indentation of a value. Or it is empty. */
const lineOfYaml = /^(?:[\w"'][^:]*:(?:\s|$)|- |#|[ \t]|\r?$)/;
const maxLines = 200;

/** Markdown without the settings of a site generator (`---`, YAML, `---`) at its beginning, which readers should not see. */
export function withoutFrontMatter(markdown: string): string {
  const begin = opening.exec(markdown)?.[0];
  if (begin === undefined) return markdown;
  let at = begin.length;
  for (let count = 0; count < maxLines && at < markdown.length; count += 1) {
    const end = markdown.indexOf('\n', at);
    const line = end === -1 ? markdown.slice(at) : markdown.slice(at, end);
    const next = end === -1 ? markdown.length : end + 1;
    // Without any setting, the first line is a rule between paragraphs.
    if (closing.test(line)) return count > 0 ? markdown.slice(next) : markdown;
    if (!lineOfYaml.test(line)) return markdown;
    at = next;
  }
  return markdown;
}
