import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imagesFolder, sharedFolder } from './definitions.ts';

/**
 * Creates a build context in a new folder, which the caller removes. It contains only the files of the definition, with modes and
 * times that do not depend on this machine.
 * @param packageFiles a folder of package files to include as `debs`
 */
export function stageContext(folder: string, packageFiles: string | undefined, sourceDateEpoch: number): string {
  const context = mkdtempSync(join(tmpdir(), 'platform-image-'));
  try {
    for (const part of [sharedFolder, folder])
      cpSync(join(imagesFolder, part), join(context, part), { recursive: true });
    if (packageFiles !== undefined && existsSync(packageFiles)) {
      mkdirSync(join(context, 'debs'));
      cpSync(packageFiles, join(context, 'debs'), { recursive: true });
    }
    for (const entry of readdirSync(context, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
      utimesSync(path, sourceDateEpoch, sourceDateEpoch);
    }
    return context;
  } catch (error) {
    rmSync(context, { recursive: true, force: true });
    throw error;
  }
}
