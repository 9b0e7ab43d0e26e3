import type { HistoryEntry } from './list-store.ts';
import type { StoredContent } from './store.ts';

/**
 * The history of all files as `git fast-import` reads it: one commit for each change, on the branch `main`. Authors are named, without
 * their addresses.
 */
export async function* fastImport(
  history: AsyncIterable<HistoryEntry>,
  read: (content: StoredContent) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  /** By digest. */
  const marks = new Map<string, number>();
  for await (const { path, previous_path, digest, bytes, message, author, created_at } of history) {
    if (digest !== null && !marks.has(digest)) {
      marks.set(digest, marks.size + 1);
      yield Buffer.from(`blob\nmark :${marks.size}\ndata ${bytes}\n`);
      yield* read({ digest, bytes });
      yield Buffer.from('\n');
    }
    const text = Buffer.from(`${message || verbOf({ path, previous_path, digest })}\n`);
    const time = `${nameOf(author)} <> ${Math.floor(created_at.getTime() / 1000)} +0000`;
    yield Buffer.from(`commit refs/heads/main\nauthor ${time}\ncommitter ${time}\ndata ${text.length}\n`);
    yield text;
    const isGone = previous_path !== null && (digest === null || previous_path !== path);
    if (isGone) yield Buffer.from(`D ${quoted(previous_path)}\n`);
    if (digest !== null) yield Buffer.from(`M 100644 :${marks.get(digest)} ${quoted(path)}\n`);
    yield Buffer.from('\n');
  }
}

function verbOf({ path, previous_path, digest }: Pick<HistoryEntry, 'path' | 'previous_path' | 'digest'>): string {
  if (digest === null) return `Delete ${path}`;
  if (previous_path === null) return `Add ${path}`;
  return previous_path === path ? `Change ${path}` : `Rename ${previous_path} to ${path}`;
}

/** Git separates the fields of an author by these. */
const nameOf = (author: string | null): string =>
  (author ?? 'Unknown').replace(/[<>\p{Cc}]/gu, ' ').trim() || 'Unknown';

const quoted = (path: string): string => `"${path.replace(/["\\]/g, String.raw`\$&`)}"`;
