import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { StudentAccount } from '../../../src/database/tables.ts';
import { matchesPattern } from './wildcards.ts';

/** The images of ours by the names of Killercoda's, which can be patterns. Null: no laboratory, only lessons. */
export type ImageTable = ReadonlyMap<string, string | null>;

/** It has services and grants root, as Killercoda's machine does. */
const usual: ImageTable = new Map([['ubuntu*', 'platform-exam-linux-services']]);
/** Those of this project that do not grant root. */
const withoutRoot = ['platform-exam-linux-basics'];

/** Students are root, as at Killercoda. Nothing is known of other images: a trial finds those that do not grant root. */
export const userOf = (image: string): StudentAccount =>
  withoutRoot.includes(imageNameOf(image)) ? 'student' : 'root';

/** Without registry and tag. */
export const imageNameOf = (image: string): string => image.replace(/^.*\//, '').replace(/[:@].*$/, '');

/** The image of a scenario, or undefined. A name precedes patterns, the table precedes the defaults. `otherwise` is for the rest. */
export function imageFor(name: string, table: ImageTable = new Map(), otherwise?: string): string | undefined {
  const wanted = name === '' ? 'ubuntu' : name.toLowerCase();
  if (table.has(wanted)) return table.get(wanted) ?? undefined;
  for (const [pattern, image] of table) if (matchesPattern(wanted, pattern)) return image ?? undefined;
  if (otherwise !== undefined) return otherwise;
  for (const [pattern, image] of usual) if (matchesPattern(wanted, pattern)) return image ?? undefined;
  return undefined;
}

/**
 * Reads a table from a YAML file: `kubernetes-kubeadm-1node: registry.example.com/kubernetes`, or `null` for lessons only.
 * @throws Error when it is not such a table
 */
export async function readImages(path: string): Promise<ImageTable> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${path} ${cause.code === 'ENOENT' ? 'does not exist' : 'cannot be read'}`, { cause });
  });
  const value: unknown = parse(text);
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  const rows = isTable ? Object.entries(value) : [];
  for (const [name, image] of rows) {
    if (image !== null && (typeof image !== 'string' || image.trim() === ''))
      throw new Error(`${path}: ${name} is neither the name of an image nor null`);
  }
  if (!isTable) throw new Error(`${path} is not a table with one line for each image: NAME: IMAGE`);
  return new Map(rows.map(([name, image]) => [name.toLowerCase(), image as string | null]));
}

/** The home folder of a laboratory's students. */
export const homeOf = (user: StudentAccount): string => (user === 'root' ? '/root' : '/home/student');

const rootHome = /(?<![\w./~-])\/root(?![\w.-])|(?<![\w/])~root(?=\/|\s|$)/g;

/** The users of Killercoda are root. Where students are not root, files of the home folder of root are in that of the student. */
export const inHomeOf = (user: StudentAccount, text: string): string =>
  user === 'root' ? text : text.replace(rootHome, homeOf(user));
