import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { writeArchive } from '../adapters/disk/archive.ts';
import { createObjectStore } from '../compose/storage.ts';
import { recordBackup } from '../database/backup/records.ts';
import { Snapshot } from '../database/backup/snapshot.ts';
import type { DatabaseAddress } from '../database/connection/connect.ts';
import { BackupContent, type Manifest } from './backup-content.ts';
import { openDatabase, withDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report, secondsSince } from './steps.ts';

export const command = new Command('backup')
  .summary('Back up into one file')
  .description('Write database, avatars, recordings and keys into one file. The service may be running.')
  .argument('<file>', 'the file, or an existing directory for a file with a generated name')
  .action((place) => runCommand((context) => backUp(context, place)));

async function backUp({ config, stop }: CommandContext, place: string): Promise<number> {
  const begin = performance.now();
  const path = await fileOf(place);
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await using snapshot = await Snapshot.open(database.address);
  const objects = createObjectStore(config);
  const content = new BackupContent(snapshot, {
    ...{ objects, dataDir: config.dataDir },
    // With SECRET_KEY, one that is left in the data folder is not used: it was replaced, or is the same.
    hasKey: config.secretKey === undefined,
  });
  let manifest: Manifest | undefined;
  let describe: Awaited<ReturnType<typeof content.describe>> | undefined;
  async function* entries() {
    yield* content.entries();
    describe = await content.describe();
  }
  await writeArchive(path, {
    entries: entries(),
    manifest: (files) => {
      manifest = describe?.(files);
      return manifest;
    },
    signal: stop,
  });
  if (manifest) tell(manifest);
  await record(database.address, path);
  if (config.secretKey !== undefined) report('note', 'SECRET_KEY is in the environment, so it is not in the backup');
  if (config.lessons.sshKeyPath !== undefined) report('note', 'the file of LESSONS_SSH_KEY_PATH is not in the backup');
  report('done', `${path}, ${((await stat(path)).size / 1e6).toFixed(1)} MB in ${secondsSince(begin)}`);
  return 0;
}

/** The pages show administrators the last backup. A database of an older release, or one that is read only, does not record them. */
async function record(address: DatabaseAddress, path: string): Promise<void> {
  try {
    await withDatabase(address, (db) => recordBackup(db, path));
  } catch (error) {
    report(
      'note',
      `the database does not record the backup: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function tell({ tables, files, missing }: Manifest): void {
  const count = (prefix: string) => Object.keys(files).filter((name) => name.startsWith(prefix)).length;
  report('rows', `${tables.reduce((sum, { rows }) => sum + rows, 0)} in ${tables.length} tables`);
  report('files', `avatars: ${count('avatars/')}, recordings: ${count('recordings/')}`);
  const gone = missing.avatars.length + missing.recordings.length;
  if (gone > 0) report('note', `missing files that rows refer to: ${gone}`);
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** @throws Error where its directory does not exist: a file of that name would block the next backup */
async function fileOf(place: string): Promise<string> {
  const path = resolve(place);
  const folder = place.endsWith('/') || (await isFolder(path)) ? path : dirname(path);
  if (!(await isFolder(folder))) throw new Error(`${folder} is not an existing directory: create it first`);
  const moment = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  return folder === path ? join(path, `learning-platform-${moment}.tar.gz`) : path;
}
