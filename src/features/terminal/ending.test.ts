import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ContainerShell, ShellConnectionLostError } from '../../../packages/ssh/container-shell.ts';
import { ContainerNotRunningError } from '../../ports/container-engine.ts';
import type { TerminalContainer, TerminalContainers } from './containers.ts';
import { findReason } from './ending.ts';

const caller = { id: 1, username: 'ada', role: 'student', scope: 'classes' } as const;
const container = { ref: 'c', status: 'running', expires_at: null, is_full: false, is_of_attempt: true };
const containers = {
  forTerminal: async () => container as unknown as TerminalContainer,
} as unknown as TerminalContainers;

/** A container whose first connection attempts fail. */
const shellThatFails = (times: number): ContainerShell => {
  let tries = 0;
  const connect = async () => {
    tries += 1;
    if (tries <= times) throw new ContainerNotRunningError('c');
    return { [Symbol.asyncDispose]: async () => {} };
  };
  return { connect } as unknown as ContainerShell;
};

describe('the end of a shell without an exit code', () => {
  it('has no reason while the container is running', async () => {
    assert.equal(await findReason({ containers, shell: shellThatFails(0) }, caller, 1), undefined);
  });

  it('is a lost connection, even while the container is running', async () => {
    const lost = new ShellConnectionLostError('of this test');
    const reason = await findReason({ containers, shell: shellThatFails(0) }, caller, 1, lost);
    assert.deepEqual([reason?.code, reason?.cause], [1013, lost]);
    assert.equal((await findReason({ containers, shell: shellThatFails(1) }, caller, 1, lost))?.code, 4409);
  });

  it('is a stopped container, even if it was started again', async () => {
    const reason = await findReason({ containers, shell: shellThatFails(1) }, caller, 1);
    assert.deepEqual([reason?.code, reason?.message], [4409, 'The container is not running']);
  });
});
