const first = 200;
const longest = 30_000;
/** A process that served this long was healthy: its end is not blamed on its start. */
const healthyAfter = 60_000;

/**
 * Milliseconds before a process that ended is replaced: doubled while processes end soon after their start, so that one that cannot
 * run does not use up the machine.
 * @param last the delay before the process that ended, 0 for the first
 * @param servedFor milliseconds
 */
export function restartDelay(last: number, servedFor: number): number {
  return last === 0 || servedFor >= healthyAfter ? first : Math.min(longest, last * 2);
}
