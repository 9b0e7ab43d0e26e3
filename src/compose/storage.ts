import { ObjectFolder } from '../adapters/disk/object-folder.ts';
import type { S3Log } from '../adapters/s3/bucket.ts';
import { S3Store } from '../adapters/s3/s3-store.ts';
import type { Config } from '../config.ts';
import type { ObjectStore } from '../ports/object-store.ts';

/** The storage of files: the bucket of the configuration, or the data folder. */
export const createObjectStore = ({ s3, dataDir }: Config, log?: S3Log): ObjectStore =>
  s3 ? new S3Store(s3, log) : new ObjectFolder(dataDir);

/** Why the storage cannot be used now, for operators; undefined if it can. */
export async function problemOf(objects: ObjectStore): Promise<string | undefined> {
  try {
    await objects.check();
    return undefined;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
