import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const jobs = join(import.meta.dirname, 'exam-linux-services/files/usr/local/lib/units/jobs.bash');

/** A server of jobs whose answer comes in two parts, and the reader's second is over between them. */
const script = `state_root=$2 unit_full=a.service
. "$1"
mkdir -p "$jobs" && mkfifo "$jobs/requests"
jobs_served() { true; }
(
  read -r folder verb id <>"$jobs/requests"
  exec {answer}<>"$folder/code"
  printf %s "$3" >&$answer
  sleep 1.5
  echo >&$answer
) &
have_changed start
echo "status $?"`;

for (const status of ['0', '3'])
  test(`the status ${status} of a job arrives whole, also around a time-out of the reader`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unit-jobs-'));
    try {
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script, 'bash', jobs, folder, status]);
      assert.deepEqual([stdout, stderr], [`status ${status}\n`, '']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
