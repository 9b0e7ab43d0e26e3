/** A line shorter than this was ended on purpose, not wrapped by an editor. */
const shortLine = 60;

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
      const isText = fence === undefined && line.trim() !== '' && line.trimEnd().length < shortLine;
      return isText ? `${line.trimEnd()}  ` : line;
    })
    .join('\n');
}
