import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folder of the definitions. */
export const imagesFolder = import.meta.dirname;

/** Names of the images, without tag. The definition of `platform-x` is the folder `x`. */
export const imageNames: readonly string[] = [
  'platform-grader',
  'platform-exam-linux-basics',
  'platform-exam-linux-services',
  'platform-sandbox',
];

/** Those that exams, laboratories and sandboxes can have. */
export const shippedImages: readonly string[] = imageNames.filter((name) => name !== 'platform-grader');

/** Files that all images are built with, in addition to their own folder. */
export const sharedFolder = 'base';

export function folderOf(name: string): string {
  return name.replace(/^platform-/, '');
}

/** Package names of a definition, in the order of its file. */
export function packagesOf(folder: string): string[] {
  return readFileSync(join(imagesFolder, folder, 'packages'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((name) => name !== '');
}

/** What a built image declares: its labels, its entry point and its working directory, as its Dockerfile has them. */
export function declaredBy(name: string): { labels: Record<string, string>; command: string[]; folder: string } {
  const text = readFileSync(join(imagesFolder, folderOf(name), 'Dockerfile'), 'utf8');
  const instruction = (word: string): string => new RegExp(`^${word} (.*)$`, 'm').exec(text)?.[1] ?? '';
  const labels = [...instruction('LABEL').matchAll(/(\S+?)=(\S*)/g)].map(([, key = '', value = '']) => [key, value]);
  const command = JSON.parse(instruction('ENTRYPOINT') || instruction('CMD') || '[]') as string[];
  return { labels: Object.fromEntries(labels), command, folder: instruction('WORKDIR') || '/' };
}

/** SHA-256 of the definition of an image: paths, executable bits and contents. The base image is not included. */
export function definitionHash(name: string, root = imagesFolder): string {
  const hash = createHash('sha256');
  for (const folder of [sharedFolder, folderOf(name)]) {
    for (const path of filesBelow(join(root, folder))) {
      const content = readFileSync(path);
      const isProgram = (statSync(path).mode & 0o100) !== 0;
      hash.update(`${relative(root, path)}\0${isProgram ? 'x' : '-'}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
