import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const jobs = join(import.meta.dirname, 'exam-linux-services/files/usr/local/lib/units/jobs.bash');

/** Has a server change a unit that does in the given folder, with its pipe as $answer, what the given lines say. */
const script = (lines: string): string => `state_root=$2 unit_full=a.service
. "$1"
mkdir -p "$jobs" && mkfifo "$jobs/requests"
jobs_served() { true; }
# As the server does: who writes to a pipe that nobody has open has written to nobody.
exec {requests}<>"$jobs/requests"
(
  read -r -u "$requests" folder verb id
  exec {answer}<>"$folder/code"
  ${lines}
) &
have_changed start
echo "status $?"`;

async function change(lines: string): Promise<{ stdout: string; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'unit-jobs-'));
  try {
    return await promisify(execFile)('bash', ['-c', script(lines), 'bash', jobs, folder], { timeout: 60_000 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const status of ['0', '3'])
  test(`the status ${status} of a job arrives whole, also around a time-out of the reader`, async () => {
    // The reader's second is over between the two parts.
    const answer = await change(`printf %s ${status} >&$answer; sleep 1.5; echo >&$answer`);
    assert.deepEqual(answer, { stdout: `status ${status}\n`, stderr: '' });
  });

test('a job that the server before this one has taken fails', async () => {
  assert.deepEqual(await change('rm -r "$folder"'), { stdout: 'status 1\n', stderr: '' });
});
