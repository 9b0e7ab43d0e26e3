import { readAtMost } from '../engine/bounded-output.ts';
import { execCommand } from '../engine/gate.ts';
import type { Cluster } from './cluster.ts';
import { openExec } from './exec-stream.ts';
import { type Pod, startOf, stateOf } from './pod.ts';
import { killed, restart } from './pod-scripts.ts';

/** Maximum bytes of an answer. A list of changed files is cut before. */
const answerLimit = 8 * 1024 * 1024;

/**
 * Runs a script of ours in a container and returns its output. The script runs as root with `/.grader/bin/bash`, without a PATH. It
 * needs a free process in the container. Root in the container can stop it or forge its output.
 * @throws ApiError, the error of the connection, the signal's reason, an Error if the script could not run or failed
 */
export async function askInside(
  cluster: Cluster,
  pod: string,
  { script, signal }: { script: string; signal: AbortSignal },
): Promise<string> {
  const { stream, ended } = await openExec(cluster, pod, { command: execCommand(script), hasInput: false, signal });
  const giveUp = () => stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const output = await readAtMost(stream, answerLimit);
    const end = await ended;
    if (end === undefined) throw new Error('the connection to the container was lost');
    if ('reason' in end) throw new Error(end.reason);
    if (end.code !== 0) throw new Error(`a script in a container ended with ${end.code}`);
    return output;
  } finally {
    signal.removeEventListener('abort', giveUp);
    stream.destroy();
  }
}

/** Ends all processes of a container and starts its command again. @throws as `askInside` does */
export async function restartInside(cluster: Cluster, pod: string, signal: AbortSignal): Promise<void> {
  const { stream, ended } = await openExec(cluster, pod, { command: execCommand(restart), hasInput: false, signal });
  const giveUp = () => stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    stream.resume();
    const end = await ended;
    signal.throwIfAborted();
    if (end && !('code' in end && end.code === killed))
      throw new Error('the container did not restart', { cause: end });
  } finally {
    signal.removeEventListener('abort', giveUp);
    stream.destroy();
  }
}

/** A name can contain line feeds, but no NUL byte. */
export const countUpTo = (most: number): string =>
  `/.grader/bin/busybox find / -xdev -print0 | /.grader/bin/busybox tr -cd '\\0' | /.grader/bin/busybox head -c ${most} | /.grader/bin/busybox wc -c`;

/**
 * `SECONDS BLOCKS PATH` of each file that was created or changed after a second. A change of a file cannot be dated back. The files
 * that the kubelet mounts, such as `/etc/hosts`, are older than the container.
 */
const changedSince = (seconds: number): string =>
  `/.grader/bin/busybox find / -xdev -exec /.grader/bin/busybox stat -c '%Z %b %n' {} + 2>/dev/null | /.grader/bin/busybox awk '$1 > ${seconds}'`;

/** The paths that were changed since the container started, one a line, up to 4 MiB. */
export const changedPaths = (start: Date): string =>
  `${changedSince(start.getTime() / 1000)} | /.grader/bin/busybox cut -d ' ' -f 3- | /.grader/bin/busybox head -c 4194304`;

/** The bytes of the files that were changed since the container started. */
export const changedBytes = (start: Date): string =>
  `${changedSince(start.getTime() / 1000)} | /.grader/bin/busybox awk '{ blocks += $2 } END { printf "%.0f\\n", 512 * blocks }'`;

/**
 * Prints `exhausted` if the processes, the memory or the shared memory are used up, as seen six times within a second. It reads what
 * the kernel shows of the container's own control group, in either version. A limit of the Pod is not shown there, so the processes
 * are counted as well. Our login needs one page of shared memory.
 */
export const exhaustion = `read_number() { local value; { IFS= read -r value <"$1"; } 2>/dev/null && [[ $value =~ ^[0-9]+$ ]] && number=$value; }
inactive() { local word value; while read -r word value; do [[ $word == "$2" ]] && number=$value; done <"$1"; }
group=/sys/fs/cgroup
exec {silence}<> <(:)
for look in 1 2 3 4 5 6; do
  processes=(/proc/[0-9]*)
  ((\${#processes[@]} >= PROCESSES - 2)) && echo exhausted && exit
  used=0 most=0 cached=0
  for names in "$group/memory.current $group/memory.max inactive_file $group/memory.stat" \\
    "$group/memory/memory.usage_in_bytes $group/memory/memory.limit_in_bytes total_inactive_file $group/memory/memory.stat"; do
    read -r use limit word stat <<<"$names"
    [[ -e $use ]] || continue
    number=0; read_number "$use"; used=$number
    number=0; read_number "$limit"; most=$number
    number=0; inactive "$stat" "$word"; cached=$number
  done
  ((most > 0 && (used - cached) * 10 >= most * 9)) && echo exhausted && exit
  read -rt 0.15 -u "$silence"
done
page=$(/.grader/bin/busybox mktemp /dev/shm/page.XXXXXX) || { echo exhausted; exit 0; }
echo page >"$page" || echo exhausted
/.grader/bin/busybox rm -f "$page"`;

export type NumbersInsideParts = {
  cluster: Cluster;
  /** The Pods of the installation. */
  list: () => Promise<Pod[]>;
  /** Fails where the API server does not answer. */
  probe: () => Promise<void>;
  /** Milliseconds for each container. */
  timeout: number;
};

/**
 * Asks each running container for a number, one after the other. One that was removed in the meantime is omitted.
 * @param script prints the number in a container that has started then
 * @returns undefined for a container that does not print one
 */
export async function numbersInside(
  { cluster, list, probe, timeout }: NumbersInsideParts,
  script: (start: Date) => string,
): Promise<{ ref: string; number: number | undefined }[]> {
  const running = async (): Promise<Pod[]> => (await list()).filter((pod) => stateOf(pod).kind === 'running');
  const numbers = new Map<string, number | undefined>();
  for (const pod of await running()) {
    const start = startOf(pod);
    if (!start) continue;
    const signal = AbortSignal.timeout(timeout);
    const answer = await askInside(cluster, pod.metadata.name, { script: script(start), signal }).catch(() => '');
    const isNumber = /^\d+\n$/.test(answer);
    numbers.set(pod.metadata.name, isNumber ? Number(answer) : undefined);
    // Distinguishes a failing container from a failing API server, so that the latter does not cost one timeout per container.
    if (!isNumber) await probe();
  }
  const left = (await running()).map(({ metadata }) => metadata.name);
  return left.flatMap((ref) => (numbers.has(ref) ? [{ ref, number: numbers.get(ref) }] : []));
}
