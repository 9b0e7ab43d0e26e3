/** A thread that computes bcrypt hashes one at a time, at a reduced priority. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/bcrypt';

export type HashJob = { password: string; cost: number } | { password: string; storedHash: string };
export type HashResult = { value: string | boolean } | { error: string };

/**
 * A flood of logins leaves most of the processor time to requests. At 19, the lowest priority, a login took 34 s while four processes
 * used two cores. At 5 it takes 1.7 s.
 */
const niceness = 5;
// On Linux the id 0 is the calling thread (setpriority(2)). Elsewhere it is the whole process, which must keep its priority. This
// runs after the imports: a thread inherits the priority of the thread that starts it, and no thread is started from here on.
if (process.platform === 'linux') setPriority(0, niceness);

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(resultOf(job)));

function resultOf(job: HashJob): HashResult {
  try {
    if ('storedHash' in job) return { value: verifySync(job.password, job.storedHash) };
    return { value: hashSync(job.password, { cost: job.cost }) };
  } catch (error) {
    // The message never contains the password: the binding names the wrong argument, not its value.
    return { error: error instanceof Error ? error.message : 'bcrypt failed' };
  }
}
