import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow, imagesFolder, sharedFolder } from './definitions.ts';

/**
 * Lays a build context in a folder of its own, which the caller removes: only what the definition names, with modes
 * that do not depend on this machine.
 * @param packageFiles a folder of package files that go along, as `debs`
 */
export function stageContext(folder: string, packageFiles: string | undefined): string {
  const context = mkdtempSync(join(tmpdir(), 'platform-image-'));
  try {
    for (const part of [sharedFolder, folder])
      cpSync(join(imagesFolder, part), join(context, part), { recursive: true });
    if (packageFiles !== undefined && existsSync(packageFiles)) {
      mkdirSync(join(context, 'debs'));
      cpSync(packageFiles, join(context, 'debs'), { recursive: true });
    }
    for (const path of filesBelow(context)) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
    return context;
  } catch (error) {
    rmSync(context, { recursive: true, force: true });
    throw error;
  }
}
