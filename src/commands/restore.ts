import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { type ArchiveEntry, checkArchive, manifestName, readArchive } from '../adapters/disk/archive.ts';
import { checkMigrations, checkTarget, type LoadedRows, loadContent } from '../database/backup/load.ts';
import { fileForm, isKeyFile, type Manifest, rowsForm } from './backup-content.ts';
import { openDatabase, withDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report, secondsSince } from './steps.ts';

export const command = new Command('restore')
  .summary('Restore a backup')
  .description('Restore a backup into an empty database and data folder. The service must be stopped.')
  .argument('<file>', 'the backup')
  .option('--force', 'replace existing data')
  .action((place, { force = false }) => runCommand((context) => restore(context, place, force)));

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
  const keys = new KeptFiles(path, dataDir);
  await withDatabase(database.address, async (db) => {
    await checkTarget(db, isForced);
    await keys.check(isForced);
    // An existing file with the same random name has the same content. If the rest fails, the service removes these files later.
    await keys.write(({ name }) => !isKeyFile(name));
    stop.throwIfAborted();
    await loadContent(db, {
      content: manifest,
      rows: rowsOf(path, stop),
      reason: `The service was restored from its backup of ${manifest.madeAt}, and this attempt's container is lost`,
      beforeCommit: () => keys.write(({ name }) => isKeyFile(name)),
    });
  });
  report('rows', `${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} in ${manifest.tables.length} tables`);
  report('files', `${keys.written}`);
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
    else if (name !== manifestName && !fileForm.test(name))
      throw new Error(`The backup contains ${name}, which this release does not know`);
  }
}

/** The files of a backup that belong in the data folder. */
class KeptFiles {
  readonly #archive: string;
  readonly #dataDir: string;
  written = 0;

  constructor(archive: string, dataDir: string) {
    this.#archive = archive;
    this.#dataDir = dataDir;
  }

  /** @throws Error where a different key exists and `isForced` is false: the folder may belong to another service */
  async check(isForced: boolean): Promise<void> {
    if (isForced) return;
    for await (const { name, body } of this.#entries(({ name }) => isKeyFile(name))) {
      const there = await readFile(join(this.#dataDir, name)).catch(() => undefined);
      if (there && !there.equals(await bytesOf(body))) {
        throw new Error(
          `${join(this.#dataDir, name)} already exists: use an empty data folder, or replace it with --force`,
        );
      }
    }
  }

  async write(isWanted: (entry: ArchiveEntry) => boolean): Promise<void> {
    for await (const entry of this.#entries(isWanted)) {
      const path = join(this.#dataDir, entry.name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
      try {
        await using file = await open(draft, 'wx', 0o600);
        for await (const chunk of entry.body) await file.writeFile(chunk);
        await file.sync();
        await utimes(draft, entry.modified, entry.modified);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      this.written += 1;
    }
  }

  async *#entries(isWanted: (entry: ArchiveEntry) => boolean): AsyncGenerator<ArchiveEntry> {
    for await (const entry of readArchive(this.#archive)) {
      if (fileForm.test(entry.name) && isWanted(entry)) yield entry;
    }
  }
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
