import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** The folder of the manifests. */
export const folder = join(import.meta.dirname, '../../deploy/kubernetes');

// biome-ignore lint/suspicious/noExplicitAny: manifests have the fields of their kinds
export type Manifest = { apiVersion: string; kind: string; metadata: any; spec?: any; [field: string]: any };
export type Kustomization = {
  path: string;
  kind: string;
  resources?: string[];
  components?: string[];
  configMapGenerator?: { name: string; envs?: string[]; literals?: string[]; files?: string[] }[];
  patches?: { target: { kind: string; name?: string }; patch: string }[];
  images?: { name: string; newTag: string }[];
};

const read = (path: string): unknown[] =>
  parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`);
    return document.toJS();
  });

const isKustomization = (path: string): boolean => path.endsWith('kustomization.yaml');
const files = globSync('**/*.yaml', { cwd: folder })
  .sort()
  .map((path) => join(folder, path));

export const kustomizations = (): Kustomization[] =>
  files.filter(isKustomization).flatMap((path) => read(path).map((one) => ({ ...(one as Kustomization), path })));

export const manifests = (): Manifest[] =>
  files.filter((path) => !isKustomization(path)).flatMap((path) => read(path) as Manifest[]);

/** The one manifest of a kind, or the one of that name. */
export function manifest(kind: string, name?: string): Manifest {
  const [found, ...others] = manifests().filter(
    (one) => one.kind === kind && (name === undefined || one.metadata.name === name),
  );
  if (!found || others.length > 0) throw new Error(`${others.length + 1} of ${kind}`);
  return found;
}

/** `NAME=VALUE` lines and literals: the settings that the manifests give to the service. */
export function settings(): Record<string, string> {
  const lines = kustomizations().flatMap(({ path, configMapGenerator = [] }) =>
    configMapGenerator.flatMap(({ envs = [], literals = [] }) => [
      ...envs.flatMap((file) => readFileSync(join(dirname(path), file), 'utf8').split('\n')),
      ...literals,
    ]),
  );
  const pairs = lines.filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(pairs.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}
