import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, secondsSince } from './steps.ts';

/**
 * Builds the pages where they are missing or older than their sources. An image contains the built pages and no sources. The launcher runs
 * the build because the build needs the development dependencies. The launcher installs them where they are missing.
 * @param stop aborts a running build
 * @throws Error where they cannot be built; the build has printed the cause
 */
export async function preparePages(report: Report, stop?: AbortSignal, root = projectFolder): Promise<void> {
  if (!existsSync(join(root, 'web/index.html'))) return;
  // Loaded only here, because it is part of the sources.
  const { pagesStamp } = await import('../../web/stamp.ts');
  if (builtFrom(root) === pagesStamp(root)) return;
  const begin = performance.now();
  report('pages', 'building');
  const args = [join(root, 'launch.mjs'), '--tools', 'web/build.ts'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', ...(stop && { signal: stop }) });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0) throw new Error('The pages were NOT built: see above');
  report('pages', `built in ${secondsSince(begin)}`);
}

const projectFolder = join(import.meta.dirname, '../..');

function builtFrom(root: string): string | undefined {
  const path = join(root, 'web/dist/.stamp');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
