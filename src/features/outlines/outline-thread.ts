import { runInThread } from '../../limits/run-in-thread.ts';
import type { OutlineResult, OutlineTask } from '../../workers/outline.ts';
import { unreadableLessons } from '../lesson-repositories/problems.ts';

const program = new URL('../../workers/outline.ts', import.meta.url);

/** @throws UnavailableError where the repository takes too much time or memory */
export async function outlineInThread(
  files: OutlineTask['files'],
  { name, language }: { name: string; language: string | undefined },
  { seconds = 30, heapMb = 512 } = {},
): Promise<OutlineResult> {
  const task: OutlineTask = { files, name, language };
  return await runInThread(program, task, { seconds, heapMb }, tooSlow);
}

const tooSlow = (cause?: unknown) => unreadableLessons('read_timeout', 'The repository takes too long to read', cause);
