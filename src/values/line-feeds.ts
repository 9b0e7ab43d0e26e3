/**
 * Texts and scripts of authors are stored with line feeds: bash takes the carriage return of a line from Windows as a part of its last word,
 * and a byte order mark as a part of the first. A text that is nothing but the mark stays as it is.
 */
export const withLineFeeds = (text: string): string => text.replace(/^\uFEFF(?=[\s\S])/, '').replace(/\r\n?/g, '\n');

/** The same for all texts among the fields of a row. */
export const lineFeedsIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? withLineFeeds(value) : value]),
  ) as Fields;

/**
 * The same for a file that is a script: text in UTF-8 without NUL that begins with `#!`, or whose name ends like that of one. Any other file
 * stays as it is, because its line ends can be what a task is about.
 */
export function scriptWithLineFeeds<Content extends Uint8Array>(path: string, content: Content): Content | Buffer {
  const head = Buffer.from(content.subarray(0, 5)).toString('latin1');
  const isScript = /\.(?:sh|bash)$/i.test(path) || /^(?:ï»¿)?#!/.test(head);
  if (!isScript || content.includes(0) || !(content.includes(13) || head.startsWith('ï»¿'))) return content;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return Buffer.from(withLineFeeds(text));
  } catch {
    return content;
  }
}
