/** A line shorter than this was ended on purpose, not wrapped by an editor. */
const shortLine = 60;

/** The line that opens an admonition or a tab, which is no text: `> [!NOTE]`. */
const opening = /^[\s>]*\[!\w+\]/;

/**
 * Markdown reads a line end as a space. Authors who type plain text into a form mean a line break. In files that are wrapped at a fixed
 * width, the line ends have no meaning. Short lines outside of code keep their line ends.
 */
export function keepLineBreaks(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
      if (mark && (fence === undefined || mark.startsWith(fence))) {
        fence = fence === undefined ? mark : undefined;
        return line;
      }
      const isLine = fence === undefined && line.trim() !== '' && !opening.test(line);
      const isText = isLine && line.trimEnd().length < shortLine;
      return isText ? `${line.trimEnd()}  ` : line;
    })
    .join('\n');
}
