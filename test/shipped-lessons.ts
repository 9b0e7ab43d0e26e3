import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { pino } from 'pino';
import { createLessonSource } from '../src/adapters/git/create-lesson-source.ts';
import { loadConfig } from '../src/config.ts';
import type { LessonSource } from '../src/features/lesson-repositories/lesson-source.ts';

const shippedFolder = join(import.meta.dirname, '../content/lessons');
/** Files of themes that tests create, beside the shipped ones: students complete only themes that have a text. */
const filesOfTests = [
  'c.md',
  'a.md',
  'x.md',
  'a/b.md',
  ...['Linux', 'Networks'].flatMap((name) => [`${name}/One.md`, `${name}/Two.md`]),
];
const isTest = process.env['NODE_TEST_CONTEXT'] !== undefined;
let preparing: Promise<{ source: LessonSource; dataDir: string }> | undefined;
let servers = 0;

/**
 * The shipped lessons for all test servers of a process. A service runs Git eight times to create its copy of them, and few tests read a
 * lesson. The end of the tests closes them; where there are none, the end of the last server does.
 */
export function shippedLessons(): LessonSource {
  preparing ??= prepare();
  servers += 1;
  const ready = preparing;
  return {
    open: async () => await (await ready).source.open(),
    refresh: async () => await (await ready).source.refresh(),
    [Symbol.asyncDispose]: async () => {
      servers -= 1;
      if (!isTest && servers === 0) await close();
    },
  };
}

async function prepare() {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-lessons-'));
  const { lessons } = loadConfig({});
  const folder = join(dataDir, 'folder');
  await cp(shippedFolder, folder, { recursive: true });
  for (const file of filesOfTests) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '# Text\n');
  }
  const source = createLessonSource({ ...lessons, dataDir, shippedFolder: folder, log: pino({ level: 'silent' }) });
  return { source, dataDir };
}

async function close(): Promise<void> {
  const prepared = await preparing;
  preparing = undefined;
  if (!prepared) return;
  await prepared.source[Symbol.asyncDispose]();
  await rm(prepared.dataDir, { recursive: true, force: true });
}

if (isTest) after(close);
