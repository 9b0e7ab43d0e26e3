import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { askContainer } from './ask-container.ts';

/** A bomb is at its limit again and again, not all the time: what takes too much memory is killed, and goes on. */
const looks = { count: 6, pause: 150 };
const memoryShare = 0.9;
/** Processes that may be free at the moment of a look, as some end all the time. */
const freeProcesses = 2;

type Stats = {
  pids_stats?: { current?: number; limit?: number };
  memory_stats?: { usage?: number; limit?: number; stats?: { inactive_file?: number; total_inactive_file?: number } };
};

/** Shared memory has a bound of its own, which the engine's figures do not show. The way in needs a page of it. */
const script = `page=$(/.grader/bin/busybox mktemp /dev/shm/page.XXXXXX) || exit 1
echo page >"$page" && /.grader/bin/busybox echo room; /.grader/bin/busybox rm -f "$page"`;

/** Milliseconds that the container has to answer. */
const defaultPatience = 10_000;

/** Whether all processes, memory or shared memory that a container may have are in use. It takes a second where they are not. */
export async function isExhausted(docker: Docker, ref: string, patience = defaultPatience): Promise<boolean> {
  for (let look = 1; look <= looks.count; look += 1) {
    if (look > 1) await delay(looks.pause);
    const stats = await docker.getContainer(ref).stats({ stream: false, 'one-shot': true });
    if (isAtLimit(stats as Stats)) return true;
  }
  return !(await hasSharedMemory(docker, ref, AbortSignal.timeout(patience)));
}

/** Of a container that does not answer nothing is known; it counts as having room. */
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
  // Files that were read or written stay in memory until somebody needs the room; control groups 2 and 1 name them differently.
  const files = memory.stats?.inactive_file ?? memory.stats?.total_inactive_file ?? 0;
  return memory.usage - files >= memoryShare * memory.limit;
}
