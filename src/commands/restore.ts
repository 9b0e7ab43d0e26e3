import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { type ArchiveEntry, checkArchive, manifestName, readArchive } from '../adapters/disk/archive.ts';
import { writePrivately } from '../adapters/disk/private-file.ts';
import { createObjectStore } from '../compose/storage.ts';
import { checkMigrations, checkTarget, type LoadedRows, loadContent } from '../database/backup/load.ts';
import { recordTrial } from '../database/backup/records.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import { isKeyFile, type Manifest, objectForm, rowsForm } from './backup-content.ts';
import { openDatabase, withDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report, secondsSince } from './steps.ts';

export const command = new Command('restore')
  .summary('Restore a backup')
  .description('Restore a backup into an empty database and data folder. The service must be stopped.')
  .argument('<file>', 'the backup')
  .option('--force', 'replace existing data')
  .option(
    '--trial',
    'only find out whether it can be restored: into a temporary database and folder; the service may be running',
  )
  .action((place, { force = false, trial = false }) =>
    runCommand((context) => (trial ? tryRestore(context, place) : restore(context, place, force))),
  );

/** The service learns of it, because its pages show when that was tried last. */
async function tryRestore({ config, stop }: CommandContext, place: string): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'learning-platform-trial-'));
  try {
    const database = { ...config.database, url: undefined };
    await restore({ config: { ...config, dataDir, s3: undefined, database }, stop }, place, false);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await withDatabase(database.address, (db) => recordTrial(db, resolve(place)));
  report('done', 'the backup can be restored; what the trial restored is deleted again');
  return 0;
}

async function restore({ config, stop }: CommandContext, place: string, isForced: boolean): Promise<number> {
  const begin = performance.now();
  const path = resolve(place);
  const manifest = await checkArchive<Manifest>(path);
  if (manifest.format !== 1)
    throw new Error(`${path} was created by a newer release: restore it with that release or a later one`);
  checkMigrations(manifest.migrations);
  report('backup', `of ${manifest.madeAt}, by release ${manifest.service}: no problem was found`);

  const { dataDir } = config;
  await using database = await openDatabase(config, { report, isShared: false, stop });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const objects = createObjectStore(config);
  const files = new KeptFiles(path, { objects, dataDir });
  await withDatabase(database.address, async (db) => {
    await checkTarget(db, isForced);
    await files.check(isForced);
    // An existing file with the same random name has the same content. If the rest fails, the service removes these files later.
    await files.writeObjects();
    stop.throwIfAborted();
    await loadContent(db, {
      content: manifest,
      rows: rowsOf(path, stop),
      reason: `The service was restored from its backup of ${manifest.madeAt}, and this attempt's container is lost`,
      beforeCommit: () => files.writeKeys(),
    });
  });
  report('rows', `${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} in ${manifest.tables.length} tables`);
  report('files', `${files.written}, in ${objects.place}`);
  report(
    'done',
    `in ${secondsSince(begin)}: start the service. All users must log in again, and active attempts were abandoned.`,
  );
  return 0;
}

async function* rowsOf(path: string, stop: AbortSignal): AsyncGenerator<LoadedRows> {
  for await (const { name, body } of readArchive(path)) {
    stop.throwIfAborted();
    const table = rowsForm.exec(name)?.[1];
    if (table !== undefined) yield { table, lines: (await bytesOf(body)).toString() };
    else if (name !== manifestName && !objectForm.test(name) && !isKeyFile(name))
      throw new Error(`The backup contains ${name}, which this release does not know`);
  }
}

/** The files of a backup. */
class KeptFiles {
  readonly #archive: string;
  readonly #objects: ObjectStore;
  readonly #dataDir: string;
  written = 0;

  constructor(archive: string, { objects, dataDir }: { objects: ObjectStore; dataDir: string }) {
    this.#archive = archive;
    this.#objects = objects;
    this.#dataDir = dataDir;
  }

  /** @throws Error where a different key exists and `isForced` is false: the folder may belong to another service */
  async check(isForced: boolean): Promise<void> {
    if (isForced) return;
    for await (const { name, body } of this.#entries(isKeyFile)) {
      const there = await readFile(join(this.#dataDir, name)).catch(() => undefined);
      if (there && !there.equals(await bytesOf(body))) {
        throw new Error(
          `${join(this.#dataDir, name)} already exists: use an empty data folder, or replace it with --force`,
        );
      }
    }
  }

  /** Pictures and recordings, in the storage of the configuration. It can differ from the one that was backed up. */
  async writeObjects(): Promise<void> {
    for await (const { name, body, bytes, modified } of this.#entries((name) => objectForm.test(name))) {
      await this.#objects.put(name, body, { maxBytes: bytes, changedAt: modified });
      this.written += 1;
    }
  }

  async writeKeys(): Promise<void> {
    for await (const { name, body } of this.#entries(isKeyFile)) {
      await writePrivately(join(this.#dataDir, name), body);
      this.written += 1;
    }
  }

  async *#entries(isWanted: (name: string) => boolean): AsyncGenerator<ArchiveEntry> {
    for await (const entry of readArchive(this.#archive)) {
      if (isWanted(entry.name)) yield entry;
    }
  }
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
