/**
 * Checks who imports whom below src/ and web/src/, and that only config.ts reads the environment. `node test/boundaries.ts [FOLDER]`
 * prints what is wrong and ends with 1 if anything is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** Features from the ground up: one may import the services of its own level and of those before, never of those after. */
const levels = [
  ['system', 'auth', 'activity', 'containers', 'grading'],
  ['attempts'],
  ['lessons', 'subjects', 'profile', 'recordings', 'terminal'],
  ['trials'],
  ['dashboard', 'admin', 'instructors', 'content', 'killercoda'],
];

/** Stores by another name: they talk to the database themselves. */
const stores = ['src/features/auth/throttle.ts'];

/** What a service may use of database/: copies of rows in memory, hearing of their changes, and the other processes. */
const serviceParts = ['src/database/cache.ts', 'src/database/change-feed.ts', 'src/database/peers.ts'];

/** Stores that services of features above hold too: what they change there belongs into one transaction with their own. */
const sharedStores = ['src/features/containers/store.ts', 'src/features/attempts/store.ts'];

/** The words that all parts share: who calls, which page, a row's or the configuration's type. Only their types are free. */
const vocabulary = ['src/database/tables.ts', 'src/http/access.ts', 'src/http/paging.ts', 'src/config.ts'];

/** Who may import a package that only one part of the service is to know. */
const packageRooms: Record<string, readonly string[]> = {
  dockerode: ['adapters/docker', 'commands'],
  ssh2: ['adapters/ssh'],
  kysely: ['database', 'store', 'compose'],
  pg: ['database'],
  '@xterm/headless': ['workers'],
};

type Import = { target: string; isType: boolean };
type Place = { room: string; feature?: string };

/** @param files paths such as `src/features/auth/routes.ts`, and their sources; tests among them are left out */
export function findViolations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const featureImports = new Map<string, Set<string>>();
  for (const [path, source] of files) {
    if (/\.(test|fixture)\.ts$/.test(path)) continue;
    const from = placeOf(path);
    const code = withoutComments(source);
    if (
      path !== 'src/config.ts' &&
      /\bprocess\s*(\.\s*env\b|\[\s*['"]env)|\benv\b[^;]*from 'node:process'/.test(code)
    ) {
      found.push(`${path}: only config.ts reads the environment`);
    }
    for (const { target, isType } of importsOf(code)) {
      const reason = target.startsWith('.')
        ? whyNot(from, posix.join(dirname(path), target), isType)
        : whyNotPackage(from, target);
      if (reason) found.push(`${path}: imports ${target}: ${reason}`);
      const to = target.startsWith('.') ? placeOf(posix.join(dirname(path), target)) : undefined;
      if (from.feature && to?.feature && from.feature !== to.feature) {
        featureImports.set(from.feature, (featureImports.get(from.feature) ?? new Set()).add(to.feature));
      }
    }
  }
  return [...found, ...circlesOf(featureImports)].sort();
}

/** The room of a file: its folder, or within a feature its part in it. */
function placeOf(path: string): Place {
  const [, top = '', second = '', name = ''] = path.split('/');
  if (top === 'features') {
    const role = /^(.*-)?(routes|schema|store)\.ts$/.exec(name)?.[2] ?? 'service';
    return { room: stores.includes(path) ? 'store' : role, feature: second };
  }
  if (top === 'adapters') return { room: `adapters/${second}` };
  return { room: top.replace(/\.ts$/, '') };
}

/** What each room may import beside the errors, the queue for turns and, of a feature, its own. */
const rooms: Record<string, (to: Place, path: string) => boolean> = {
  main: () => true,
  commands: () => true,
  compose: ({ room }) => room !== 'main' && room !== 'commands',
  server: ({ room }) => ['http', 'config'].includes(room),
  work: ({ room }) => room === 'database',
  config: ({ room }) => room === 'env-reader',
  'env-reader': () => false,
  'secret-key': () => false,
  errors: () => false,
  'queue-for-turns': () => false,
  http: ({ room }) => ['http', 'database'].includes(room),
  database: ({ room }) => room === 'database',
  ports: ({ room }) => room === 'ports',
  // Threads: whatever reaches them comes in messages.
  workers: ({ room }) => room === 'ports' || room === 'workers',
  routes: ({ room }) => room === 'http',
  schema: ({ room }) => room === 'http',
  service: ({ room }, path) => room === 'ports' || serviceParts.includes(path),
  store: ({ room }) => room === 'database',
};

function whyNot(from: Place, path: string, isType: boolean): string | undefined {
  const to = placeOf(path);
  if (to.room === 'errors' || to.room === 'queue-for-turns') return undefined;
  // What a thread is sent and sends back.
  if (isType && to.room === 'workers') return undefined;
  if (isType && vocabulary.includes(path) && !from.room.startsWith('adapters/')) return undefined;
  if (from.feature && to.feature)
    return whyNotFeature(
      { ...from, feature: from.feature },
      { ...to, feature: to.feature },
      sharedStores.includes(path),
    );
  if (from.room.startsWith('adapters/')) {
    return to.room === 'ports' || to.room === from.room
      ? undefined
      : 'an adapter imports ports, errors and its own folder';
  }
  const mayImport = rooms[from.room];
  if (!mayImport) return `${from.room} is a room that test/boundaries.ts does not know`;
  return mayImport(to, path) ? undefined : `${from.room} may not import ${to.feature ? 'features' : to.room}`;
}

function whyNotFeature(from: Required<Place>, to: Required<Place>, isShared: boolean): string | undefined {
  if (from.feature === to.feature) {
    if (to.room === 'routes') return 'nothing in a feature imports its routes';
    return from.room === 'store' && to.room === 'service' ? 'a store does not import its service' : undefined;
  }
  const [fromLevel, toLevel] = [levelOf(from.feature), levelOf(to.feature)];
  if (fromLevel < 0 || toLevel < 0) return 'test/boundaries.ts does not know the feature: put it into its levels';
  if (toLevel > fromLevel) return `${to.feature} stands above ${from.feature}`;
  if (to.room === 'schema' && (from.room === 'schema' || from.room === 'routes')) return undefined;
  if (from.room === 'service' && isShared) return undefined;
  if (to.room !== 'service') return `of another feature only the service may be imported, not its ${to.room}`;
  if (from.room === 'service' || (from.room === 'routes' && from.feature === 'admin')) return undefined;
  return `${from.room} of ${from.feature} may not import other features`;
}

const levelOf = (feature: string): number => levels.findIndex((names) => names.includes(feature));

function whyNotPackage(from: Place, name: string): string | undefined {
  const allowed = packageRooms[name];
  return allowed && !allowed.includes(from.room) ? `only ${allowed.join(', ')} may` : undefined;
}

/** What all pages stand on: it knows none of them. */
const foundation = ['api', 'session', 'strings', 'ui'];

/**
 * The pages speak HTTP and WebSocket only, so they import nothing of the service and nothing of Node.
 *
 * @param files paths such as `web/src/lessons/lesson-page.tsx`, and their sources
 */
export function findPageViolations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [path, source] of files) {
    const room = path.split('/')[2] ?? '';
    for (const { target } of importsOf(withoutComments(source))) {
      if (target.startsWith('node:')) found.push(`${path}: imports ${target}: there is no Node in a browser`);
      if (!target.startsWith('.')) continue;
      const to = posix.join(dirname(path), target);
      const toRoom = to.split('/')[2] ?? '';
      if (!to.startsWith('web/src/'))
        found.push(`${path}: imports ${target}: pages speak to the service, they are no part of it`);
      else if (foundation.includes(room) && !foundation.includes(toRoom))
        found.push(`${path}: imports ${target}: ${room} is what pages stand on, and knows none of them`);
    }
  }
  return found.sort();
}

function circlesOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(imports.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  return [...imports.keys()]
    .filter((name) => reaches(name, name))
    .map((name) => `src/features/${name}: is in a circle of imports`);
}

function importsOf(code: string): Import[] {
  const pattern =
    /\b(?:import|export)\s+(type\s+)?(?:[\w*{},\s]*?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g;
  return [...code.matchAll(pattern)].map(([, type, from, dynamic]) => ({
    target: from ?? dynamic ?? '',
    isType: type !== undefined,
  }));
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{(,])\/\/.*$/gm, '$1');

if (import.meta.main) {
  const root = process.argv[2] ?? join(import.meta.dirname, '..');
  const sourcesBelow = (folder: string): Map<string, string> => {
    if (!existsSync(join(root, folder))) return new Map();
    const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return new Map(
      paths
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => [posix.join(folder, path), readFileSync(join(root, folder, path), 'utf8')]),
    );
  };
  const [files, pages] = [sourcesBelow('src'), sourcesBelow('web/src')];
  const violations = [...findViolations(files), ...findPageViolations(pages)];
  for (const violation of violations) console.log(violation);
  console.log(`${files.size + pages.size} files, ${violations.length} imports that cross a boundary`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
