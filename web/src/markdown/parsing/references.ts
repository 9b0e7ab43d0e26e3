/**
 * The source of a lesson's text. Relative links are resolved against its file. `lessonId` is null for a text that is being written: its
 * files are those that are written in the pages.
 */
export type Source = { lessonId: number | null; path: string };
/** What the ids in the text of a lesson begin with. */
export const lessonPrefix = 'lesson-';

export type Reference =
  | { kind: 'inside'; fragment: string }
  | { kind: 'outside'; url: string }
  | { kind: 'file'; path: string; relative: string; fragment: string };

/** The target of a link or a picture in a lesson. */
export function referenceOf(url: string, { path }: Pick<Source, 'path'>): Reference {
  const [address = '', fragment = ''] = url.split('#', 2);
  if (address === '') return { kind: 'inside', fragment: decoded(fragment) };
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address)) return { kind: 'outside', url };
  const relative = decoded(address.split('?', 1)[0] ?? '');
  const base = relative.startsWith('/') ? [] : path.split('/').slice(0, -1);
  const parts: string[] = [];
  for (const part of [...base, ...relative.split('/')]) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return { kind: 'file', path: parts.join('/'), relative, fragment: decoded(fragment) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
