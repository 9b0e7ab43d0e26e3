import type { StudentAccount } from '../../../src/database/tables.ts';
import { defaultMode, defaultOwner, pathProblem } from '../../../src/features/containers/file-rules.ts';
import { AbsentPathError, UnusablePathError } from '../../../src/features/content/content-folder.ts';
import { scriptWithLineFeeds } from '../../../src/values/line-feeds.ts';
import { homeOf, inHomeOf } from './images.ts';
import type { KillercodaSource, ScenarioEntry } from './source.ts';
import { matchesPattern } from './wildcards.ts';

const maxBytes = 10 * 1024 * 1024;
const isPattern = /[*?[{]/;

/** A file that the machine of a scenario has. */
export type Asset = { path: string; mode: string; content: Buffer };

/**
 * The assets of a scenario's machine. They lie in its folder `assets`, in older scenarios beside `index.json`. A name can be a pattern. A
 * target is a folder. The home folder is that of the student. Assets that cannot be converted are warnings.
 */
export async function assetsOf(
  source: KillercodaSource,
  { file, folder }: ScenarioEntry,
  user: StudentAccount,
): Promise<Asset[]> {
  const inHome = (text: string): string => inHomeOf(user, text);
  const assets = new Map<string, Asset>();
  const below = await filesOf(source, folder);
  for (const [index, { file: name, target = '~', chmod }] of (file.value.details?.assets?.['host01'] ?? []).entries()) {
    const place = ['details', 'assets', 'host01', index];
    const isWanted = (path: string): boolean =>
      path === name || path.startsWith(`${name}/`) || matchesPattern(path, name);
    const found = below.filter(({ path }) => isWanted(path));
    if (found.length === 0 && !isPattern.test(name))
      found.push({ path: name, from: joined(folder, name), isExecutable: false });
    if (found.length === 0) file.lose(place, `${name} matches no file`);
    const to = inHome(target.replace(/^~(?=\/|$)/, homeOf(user)).replace(/\/+$/, ''));
    if (inHome(target) !== target) file.change(place, `${target} became ${to}, the home folder of the student`);
    for (const { path: original, from, isExecutable } of found) {
      const path = `${to}/${belowPattern(original, name)}`;
      const usual = isExecutable ? '0755' : defaultMode;
      const mode = chmod?.trim() ? fileMode(chmod.trim(), usual) : usual;
      const problem = pathProblem(path)?.text;
      const content = await readAsset(source, from);
      if (problem !== undefined) file.lose(place, `${path} ${problem}: not converted`);
      else if (content instanceof UnusablePathError) file.lose(place, `${from} ${content.message}: not converted`);
      else {
        if (mode === undefined) file.change(place, `${path} gets the mode ${usual}: ${chmod} is not known`);
        assets.set(path, { path, mode: mode ?? usual, content });
        if (inHome(content.toString('latin1')) !== content.toString('latin1'))
          file.lose(place, `${from} names /root, which is ${homeOf(user)} here: it is unchanged`);
      }
    }
  }
  const bytes = [...assets.values()].reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > maxBytes) file.lose(['details', 'assets'], `have ${bytes} bytes together: an import accepts 10 MiB`);
  return [...assets.values()];
}

type SourceFile = { path: string; from: string; isExecutable: boolean };

/** The files of the folder `assets`. */
async function filesOf({ folder: source }: KillercodaSource, folder: string): Promise<SourceFile[]> {
  const top = joined(folder, 'assets');
  const below = await source.filesBelow(top).catch((error: unknown) => {
    if (error instanceof AbsentPathError) return [];
    throw error;
  });
  return below.map(({ path, isExecutable }) => ({ path, from: joined(top, path), isExecutable }));
}

const joined = (folder: string, path: string): string => (folder === '' ? path : `${folder}/${path}`);

/** The path below the folder of a pattern, as `cp -r` creates it: a name without its folders, or a folder with all that it holds. */
function belowPattern(path: string, pattern: string): string {
  const fixed = pattern.split('/').slice(0, -1);
  const depth = fixed.findIndex((step) => isPattern.test(step));
  const folders = depth < 0 ? fixed.length : depth;
  return path.split('/').slice(folders).join('/');
}

async function readAsset({ folder }: KillercodaSource, path: string): Promise<Buffer | UnusablePathError> {
  try {
    return scriptWithLineFeeds(path, await folder.readBytes(path, maxBytes, { mayBeHidden: true }));
  } catch (error) {
    if (error instanceof UnusablePathError) return error;
    throw error;
  }
}

/** The entries of `files.yaml`: what is not the default. */
export const listedAssets = (assets: readonly Asset[]): { path: string; owner: string; mode: string }[] =>
  assets
    .filter(({ mode }) => mode !== defaultMode)
    .map(({ path, mode }) => ({ path, owner: defaultOwner(path), mode }));

const modeClause = /^([ugoa]*)([-+=])([rwxXst]*)$/;
const modeBits = { r: 0o444, w: 0o222, x: 0o111 } as const;
const modeOwners = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 } as const;

/**
 * The mode of a file as four octal digits, after a change as chmod(1) takes it: octal digits, or symbolic such as `u+x,go-w`.
 * @param usual its mode before the change, in octal digits
 * @returns undefined for what chmod would refuse
 */
export function fileMode(change: string, usual: string): string | undefined {
  if (/^[0-7]{3,4}$/.test(change)) return change.padStart(4, '0');
  let mode = Number.parseInt(usual, 8);
  for (const part of change.split(',')) {
    const [, who = '', sign, what = ''] = modeClause.exec(part) ?? [];
    if (sign === undefined) return undefined;
    let mask = 0;
    for (const letter of who || 'a') mask |= modeOwners[letter as keyof typeof modeOwners];
    let wanted = 0;
    for (const letter of what) {
      if (letter === 's') wanted |= 0o6000;
      else if (letter === 't') wanted |= 0o1000;
      else if (letter !== 'X') wanted |= modeBits[letter as keyof typeof modeBits];
      else if ((mode & 0o111) !== 0) wanted |= modeBits.x;
    }
    // As with the usual umask, a change for nobody in particular adds no right to write for others.
    if (who === '' && sign !== '-') wanted &= ~0o022;
    if (sign === '-') mode &= ~(wanted & mask);
    else mode = (sign === '=' ? mode & ~(mask & 0o777) : mode) | (wanted & mask);
  }
  return mode.toString(8).padStart(4, '0');
}
