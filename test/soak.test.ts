import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe } from 'node:test';
import { promisify } from 'node:util';
import { itLong } from './rounds.ts';
import { engineSkip } from './server.ts';

const run = promisify(execFile);

describe('a soak', { skip: engineSkip, timeout: 600_000 }, () => {
  itLong('leaves no resources after a few seconds of many users', async () => {
    const options = ['--minutes', '0.1', '--warm-up', '0.07', '--students', '10', '--think', '0.7'];
    const { code, output } = await run(process.execPath, [join(import.meta.dirname, 'soak/main.ts'), ...options]).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    );
    assert.equal(code, 0, output);
    assert.match(output, /Everything was let go of, after \d{2,} requests/);
  });
});
