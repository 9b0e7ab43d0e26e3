import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ShellConnection } from '../../packages/ssh/container-shell.ts';
import { verdictOf } from '../../src/features/grading/verdict.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { connectGrader } from './grader-connection.ts';

describe('the PATH of checks', { skip: engineSkip }, () => {
  const cleanup = new AsyncDisposableStack();
  let connection: ShellConnection;

  before(async () => {
    connection = await connectGrader(cleanup, 'platform-exam-linux-services');
  });
  after(() => cleanup.disposeAsync());

  const limits = { seconds: 20, outputBytes: 65_536 };
  const run = async (script: string): Promise<string> => {
    const { output, ending } = await connection.runScript(script, limits);
    assert.equal(ending, 'exit', output);
    return output;
  };
  /** A program that prints `planted`, at a path. */
  const planted = (path: string) => `printf '#!/bin/sh\\necho planted\\n' >${path}; chmod 755 ${path}`;

  it('has the programs that students find, as root and as the student', async () => {
    const isActive = async () => (await run('systemctl is-active cron 2>&1')) === 'active\n';
    await until(isActive, 'cron to start');
    assert.equal(await run('systemctl is-active nginx 2>&1; echo $?'), 'inactive\n3\n');
    assert.equal(
      await run('as_student systemctl is-active cron; as_stranger systemctl is-active cron'),
      'active\nactive\n',
    );
    assert.match(await run('command -v service'), /^\/usr\/local\/sbin\/service\n$/);
  });

  it('does not let a negated check pass because its program is not found', async () => {
    const check = 'if ! systemctl is-active cron >/dev/null 2>&1; then echo PASS; else echo FAIL; fi';
    assert.equal(verdictOf(await connection.runScript(check, limits), limits).passed, false);
  });

  it('prefers the programs of the grader', async () => {
    await run(`${planted('/usr/local/bin/stat')}\n${planted('/usr/local/sbin/head')}`);
    assert.equal(
      await run('command -v stat head service'),
      '/.grader/bin/stat\n/.grader/bin/head\n/usr/local/sbin/service\n',
    );
    await run('rm /usr/local/bin/stat /usr/local/sbin/head');
  });

  for (const [how, spoil, mend] of [
    ['belongs to the student', 'chown 1000 /usr/local/bin', 'chown 0 /usr/local/bin'],
    ['can be written by a group', 'chmod 775 /usr/local/bin', 'chmod 755 /usr/local/bin'],
    ['can be written by all', 'chmod 1777 /usr/local/bin', 'chmod 755 /usr/local/bin'],
    ['can be replaced', 'chmod 777 /usr/local', 'chmod 755 /usr/local'],
    [
      'is a link',
      'mv /usr/local/bin /usr/local/moved; ln -s moved /usr/local/bin',
      'rm /usr/local/bin; mv /usr/local/moved /usr/local/bin',
    ],
  ] as const) {
    it(`leaves out a folder that ${how}`, async () => {
      await run(`${planted('/usr/local/bin/answer')}\n${spoil}`);
      try {
        const ways = ['command -v answer', 'system answer', 'as_stranger answer', 'as_other "" answer'];
        assert.equal(await run(ways.map((way) => `${way} 2>/dev/null || echo none`).join('; ')), 'none\n'.repeat(4));
        assert.equal(await run('as_student answer'), 'planted\n', 'as at a login');
      } finally {
        await run(`${mend}\nrm /usr/local/bin/answer`);
      }
      assert.equal(await run('systemctl is-active nginx'), 'inactive\n');
    });
  }
});
