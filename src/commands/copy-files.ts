import { Command } from '@commander-js/extra-typings';
import { ObjectFolder } from '../adapters/disk/object-folder.ts';
import { S3Store } from '../adapters/s3/s3-store.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report, secondsSince } from './steps.ts';

export const command = new Command('copy-files')
  .summary('Copy pictures, recordings and evidence between the data folder and S3')
  .description(
    'Copy pictures, recordings and evidence from the data folder to the bucket of S3_ENDPOINT. Files that are there already are left out. Nothing is deleted. The service may be running.',
  )
  .option('--to-folder', 'copy from the bucket to the data folder')
  .action(({ toFolder = false }) => runCommand((context) => copyFiles(context, toFolder)));

const folders = ['avatars', 'recordings', 'evidence'];

async function copyFiles({ config, stop }: CommandContext, isToFolder: boolean): Promise<number> {
  if (!config.s3) throw new Error('S3_ENDPOINT is not set: there is no bucket to copy to or from');
  const begin = performance.now();
  const [folder, bucket] = [new ObjectFolder(config.dataDir), new S3Store(config.s3)];
  const [from, to] = isToFolder ? [bucket, folder] : [folder, bucket];
  await to.check();
  report('from', from.place);
  report('to', to.place);
  for (const name of folders) {
    const counts = { copied: 0, there: 0, bytes: 0 };
    const known = await sizesIn(to, name);
    for await (const { key, bytes, changedAt } of from.list(name)) {
      stop.throwIfAborted();
      // A recording that has grown since is copied again.
      if (known.get(key) === bytes) counts.there += 1;
      else if (await copy({ from, to, key, bytes, changedAt })) {
        counts.copied += 1;
        counts.bytes += bytes;
      }
    }
    report(name, `${counts.copied} copied (${(counts.bytes / 1e6).toFixed(1)} MB), ${counts.there} there already`);
  }
  report('done', `in ${secondsSince(begin)}`);
  return 0;
}

async function sizesIn(store: ObjectStore, folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { key, bytes } of store.list(folder)) sizes.set(key, bytes);
  return sizes;
}

type Copy = { from: ObjectStore; to: ObjectStore; key: string; bytes: number; changedAt: Date };

/** @returns false where it was removed meanwhile */
async function copy({ from, to, key, bytes, changedAt }: Copy): Promise<boolean> {
  if (bytes === 0) return false;
  const opened = await from.open(key, { start: 0, end: bytes - 1 });
  if (!opened) return false;
  await to.put(key, opened.stream, { maxBytes: bytes, changedAt });
  return true;
}
