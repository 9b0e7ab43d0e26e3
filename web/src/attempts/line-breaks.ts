/** A line that was ended before this many characters was ended on purpose, and not by an editor that wraps. */
const shortLine = 60;

/**
 * Markdown takes the end of a line for a blank. Authors who write plain text into a form mean a new line; files that are wrapped at some width do
 * not. Short lines outside of code keep their ends.
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
