import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ContainerShell,
  type ShellConnection,
  ShellConnectionLostError,
} from '../../../packages/ssh/container-shell.ts';
import { ShellPool } from './shell-pool.ts';

/** Connects on demand, and counts connections. */
class Shells implements ContainerShell {
  readonly connections: (ShellConnection & { lose(): void })[] = [];
  refusals = 0;

  async connect(): Promise<ShellConnection> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new ShellConnectionLostError('refused');
    }
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    let isOpen = true;
    const lose = () => {
      isOpen = false;
      resolve();
    };
    const unused = () => assert.fail('not of this test');
    const connection = {
      get isOpen() {
        return isOpen;
      },
      isPlain: false,
      closed,
      lose,
      runScript: unused,
      putFiles: unused,
      readFile: unused,
      writeFile: unused,
      openTerminal: unused,
      openHeldTerminal: unused,
      attach: unused,
      [Symbol.asyncDispose]: async () => lose(),
    };
    this.connections.push(connection);
    return connection;
  }
}

describe('the pool of grader connections', () => {
  it('opens one connection per container for concurrent callers', async () => {
    const shells = new Shells();
    await using pool = new ShellPool(shells);
    pool.warm('a');
    const [first, second, other] = await Promise.all([pool.get('a'), pool.get('a'), pool.get('b')]);
    assert.equal(first, second);
    assert.notEqual(first, other);
    assert.equal(shells.connections.length, 2);
  });

  it('reopens a lost connection once for all callers', async () => {
    const shells = new Shells();
    await using pool = new ShellPool(shells);
    await pool.get('a');
    shells.connections[0]?.lose();
    const [first, second] = await Promise.all([pool.get('a'), pool.get('a')]);
    assert.equal(first.isOpen, true);
    assert.equal(first, second);
    assert.equal(shells.connections.length, 2);
  });

  it('retries for each caller after a failed connection', async () => {
    const shells = new Shells();
    await using pool = new ShellPool(shells);
    shells.refusals = 1;
    const [first, second] = await Promise.allSettled([pool.get('a'), pool.get('a')]);
    assert.ok(first.status === 'rejected' && first.reason instanceof ShellConnectionLostError);
    assert.equal(second.status, 'fulfilled');
    assert.equal(shells.connections.length, 1);
  });

  it('closes all connections at its end', async () => {
    const shells = new Shells();
    {
      await using pool = new ShellPool(shells);
      await Promise.all([pool.get('a'), pool.get('b')]);
    }
    assert.deepEqual(
      shells.connections.map(({ isOpen }) => isOpen),
      [false, false],
    );
  });
});
