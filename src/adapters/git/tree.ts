export type TreeEntry = { readonly kind: 'file' | 'folder' | 'link' | 'other'; readonly id: string };

/** By the type in a mode, in octal digits: old repositories have other rights, and leading zeros. Links are not followed, and submodules not supported. */
function kindOf(mode: string): TreeEntry['kind'] {
  const type = Number.parseInt(mode, 8) & 0o170_000;
  if (type === 0o100_000) return 'file';
  if (type === 0o120_000) return 'link';
  return type === 0o040_000 ? 'folder' : 'other';
}

/**
 * Looks up a name in a tree object, whose entries are `<mode> <name>\0<id>`, one after the other. Names are compared as bytes: as
 * in Git, another Unicode normal form is another name.
 */
export function findInTree(tree: Buffer, name: string, idBytes: number): TreeEntry | undefined {
  const wanted = Buffer.from(name);
  for (let start = 0; start < tree.length; ) {
    const space = tree.indexOf(0x20, start);
    const nul = tree.indexOf(0, space);
    if (space < 0 || nul < 0) return undefined;
    const end = nul + 1 + idBytes;
    if (nul - space - 1 === wanted.length && tree.compare(wanted, 0, wanted.length, space + 1, nul) === 0) {
      const mode = tree.toString('latin1', start, space);
      return { kind: kindOf(mode), id: tree.toString('hex', nul + 1, end) };
    }
    start = end;
  }
  return undefined;
}

/** All entries of a tree object by their names, as Latin-1 strings of the names' bytes. */
export function entriesOfTree(tree: Buffer, idBytes: number): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let start = 0; start < tree.length; ) {
    const space = tree.indexOf(0x20, start);
    const nul = tree.indexOf(0, space);
    if (space < 0 || nul < 0) break;
    const end = nul + 1 + idBytes;
    const name = tree.toString('latin1', space + 1, nul);
    const kind = kindOf(tree.toString('latin1', start, space));
    // Of a name that an old tree has twice, the first counts, as above.
    if (!entries.has(name)) entries.set(name, { kind, id: tree.toString('hex', nul + 1, end) });
    start = end;
  }
  return entries;
}

/** A name in the form in which `entriesOfTree` has it. */
export const nameInTree = (name: string): string => Buffer.from(name).toString('latin1');

/**
 * The segments of a path relative to the repository's root. Undefined for an invalid path: absolute, with a `..`, a backslash, a
 * control character, an empty segment, or invalid Unicode.
 */
export function pathSteps(path: string): string[] | undefined {
  if (path.length > 4096 || !path.isWellFormed() || /[\p{Cc}\\]/u.test(path)) return undefined;
  const steps = path.split('/');
  return steps.some((step) => step === '' || step === '.' || step === '..' || step.toLowerCase() === '.git')
    ? undefined
    : steps;
}
