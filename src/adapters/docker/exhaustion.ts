import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { askContainer } from './ask-container.ts';

/**
 * A fork or memory bomb reaches its limit repeatedly, not constantly: a process that uses too much memory is killed, and the bomb
 * continues.
 */
const looks = { count: 6, pause: 150 };
const memoryShare = 0.9;
/** Processes that may be free at the time of a check, because some exit constantly. */
const freeProcesses = 2;

type Stats = {
  pids_stats?: { current?: number; limit?: number };
  memory_stats?: { usage?: number; limit?: number; stats?: { inactive_file?: number; total_inactive_file?: number } };
};

/** Shared memory has a separate limit, which the engine's figures do not include. Our login needs one page of it. */
const script = `page=$(/.grader/bin/busybox mktemp /dev/shm/page.XXXXXX) || exit 1
echo page >"$page" && /.grader/bin/busybox echo room; /.grader/bin/busybox rm -f "$page"`;

/** Milliseconds for the container to answer. */
const defaultPatience = 10_000;

/** Whether a container has used up its processes, memory or shared memory. Takes a second if it has not. */
export async function isExhausted(docker: Docker, ref: string, patience = defaultPatience): Promise<boolean> {
  for (let look = 1; look <= looks.count; look += 1) {
    if (look > 1) await delay(looks.pause);
    const stats = await docker.getContainer(ref).stats({ stream: false, 'one-shot': true });
    if (isAtLimit(stats as Stats)) return true;
  }
  return !(await hasSharedMemory(docker, ref, AbortSignal.timeout(patience)));
}

/** A container that does not answer counts as having free shared memory, because nothing is known about it. */
async function hasSharedMemory(docker: Docker, ref: string, abortSignal: AbortSignal): Promise<boolean> {
  try {
    return (await askContainer(docker, ref, { script, abortSignal })) === 'room\n';
  } catch (error) {
    if (!abortSignal.aborted) throw error;
    return true;
  }
}

function isAtLimit({ pids_stats: pids = {}, memory_stats: memory = {} }: Stats): boolean {
  if (pids.current && pids.limit && pids.current >= pids.limit - freeProcesses) return true;
  if (!memory.usage || !memory.limit) return false;
  // The page cache is reclaimable memory. Control groups 2 and 1 name it differently.
  const files = memory.stats?.inactive_file ?? memory.stats?.total_inactive_file ?? 0;
  return memory.usage - files >= memoryShare * memory.limit;
}
