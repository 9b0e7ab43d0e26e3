import { LRUCache } from 'lru-cache';
import type { ObjectStore } from './object-reader.ts';
import type { ErrorOf } from './problems.ts';

/** Of the folders that are listed. */
const maxDepth = 20;

type At = { commit: string; tree: string };

/** The files of one commit, found by walking its trees: client input is never passed to git. */
export class MirrorVersion {
  readonly commit: string | null;
  readonly #tree: string | undefined;
  readonly #objects: ObjectStore;
  readonly #maxFileBytes: number;
  readonly #errorOf: ErrorOf;
  /** The ids of files that were found. Nothing at a commit changes. */
  readonly #ids = new LRUCache<string, string>({ max: 2000 });

  /** Without a commit: an empty repository. */
  constructor(parts: { objects: ObjectStore; maxFileBytes: number; errorOf: ErrorOf }, at?: At) {
    this.#objects = parts.objects;
    this.#maxFileBytes = parts.maxFileBytes;
    this.#errorOf = parts.errorOf;
    this.commit = at?.commit ?? null;
    this.#tree = at?.tree;
  }

  /** The id of the file at a path, without reading the file. */
  async identify(path: string): Promise<string> {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const id = await this.#find(path);
    this.#ids.set(path, id);
    return id;
  }

  async read(path: string): Promise<{ id: string; bytes: Buffer }> {
    const id = await this.identify(path);
    const object = await this.#objects.read(id);
    if (object === 'too large' || object.bytes.length > this.#maxFileBytes)
      throw this.#errorOf({ kind: 'file too large' });
    if (object.type !== 'blob') throw this.#errorOf({ kind: 'no file' });
    return { id, bytes: object.bytes };
  }

  /** Those of the paths at which there is no file. */
  async missing(paths: readonly string[]): Promise<string[]> {
    const wanted = [...new Set(paths)].map((path) => ({ path, steps: pathSteps(path) }));
    const missing = wanted.flatMap(({ path, steps }) => (steps === undefined ? [path] : []));
    const valid = wanted.flatMap(({ path, steps }) => (steps === undefined ? [] : [{ path, steps }]));
    return [...missing, ...(await this.#missingBelow(this.#tree, valid, 0))];
  }

  /** Paths without those of links and hidden files. @param isShown the hidden names that are listed as well */
  async files(max: number, isShown?: (name: string) => boolean): Promise<string[]> {
    return await this.#list('file', max, isShown);
  }

  /** Paths of symbolic links, as those of files. */
  async links(max: number, isShown?: (name: string) => boolean): Promise<string[]> {
    return await this.#list('link', max, isShown);
  }

  async #list(wanted: 'file' | 'link', max: number, isShown = (_name: string) => false): Promise<string[]> {
    const found: string[] = [];
    const waiting = this.#tree === undefined ? [] : [{ id: this.#tree, path: '', depth: 0 }];
    for (let folder = waiting.pop(); folder && found.length < max; folder = waiting.pop()) {
      const tree = await this.#objects.read(folder.id);
      if (tree === 'too large' || tree.type !== 'tree') throw this.#errorOf({ kind: 'folder too large' });
      for (const [bytes, { kind, id }] of entriesOfTree(tree.bytes, folder.id.length / 2)) {
        const name = Buffer.from(bytes, 'latin1').toString();
        const path = `${folder.path}${name}`;
        const isHidden = name.startsWith('.') && (kind === 'folder' || !isShown(name));
        if (isHidden || pathSteps(path) === undefined) continue;
        if (kind === wanted && found.length < max) found.push(path);
        if (kind === 'folder' && folder.depth < maxDepth)
          waiting.push({ id, path: `${path}/`, depth: folder.depth + 1 });
      }
    }
    return found;
  }

  /** Reads each folder once. @param depth of the folder `id` below the root */
  async #missingBelow(
    id: string | undefined,
    wanted: readonly { path: string; steps: string[] }[],
    depth: number,
  ): Promise<string[]> {
    const tree = id === undefined || wanted.length === 0 ? undefined : await this.#objects.read(id);
    if (tree === 'too large') throw this.#errorOf({ kind: 'folder too large' });
    if (id === undefined || tree?.type !== 'tree') return wanted.map(({ path }) => path);
    const entries = entriesOfTree(tree.bytes, id.length / 2);
    const missing: string[] = [];
    for (const [step, some] of Map.groupBy(wanted, ({ steps }) => steps[depth] ?? '')) {
      const entry = entries.get(nameInTree(step));
      const [files, below] = [true, false].map((isFile) =>
        some.filter(({ steps }) => (steps.length === depth + 1) === isFile),
      );
      if (entry?.kind !== 'file') missing.push(...(files ?? []).map(({ path }) => path));
      missing.push(
        ...(await this.#missingBelow(entry?.kind === 'folder' ? entry.id : undefined, below ?? [], depth + 1)),
      );
    }
    return missing;
  }

  async #find(path: string): Promise<string> {
    const steps = pathSteps(path);
    if (steps === undefined || this.#tree === undefined) throw this.#errorOf({ kind: 'no file' });
    let id = this.#tree;
    for (const [index, step] of steps.entries()) {
      const tree = await this.#objects.read(id);
      if (tree === 'too large') throw this.#errorOf({ kind: 'folder too large' });
      if (tree.type !== 'tree') throw this.#errorOf({ kind: 'no file' });
      const entry = findInTree(tree.bytes, step, id.length / 2);
      if (entry?.kind !== (index === steps.length - 1 ? 'file' : 'folder')) throw this.#errorOf({ kind: 'no file' });
      id = entry.id;
    }
    return id;
  }
}

type TreeEntry = { readonly kind: 'file' | 'folder' | 'link' | 'other'; readonly id: string };

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
function findInTree(tree: Buffer, name: string, idBytes: number): TreeEntry | undefined {
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
function entriesOfTree(tree: Buffer, idBytes: number): Map<string, TreeEntry> {
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
const nameInTree = (name: string): string => Buffer.from(name).toString('latin1');

/**
 * The segments of a path relative to the repository's root. Undefined for an invalid path: absolute, with a `..`, a backslash, a
 * control character, an empty segment, or invalid Unicode.
 */
function pathSteps(path: string): string[] | undefined {
  if (path.length > 4096 || !path.isWellFormed() || /[\p{Cc}\\]/u.test(path)) return undefined;
  const steps = path.split('/');
  return steps.some((step) => step === '' || step === '.' || step === '..' || step.toLowerCase() === '.git')
    ? undefined
    : steps;
}
