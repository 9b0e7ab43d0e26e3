import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UserImports } from './import.ts';

type Running = { id: number } | undefined;

/**
 * Imports whose lines need no hashing.
 * @param afterLook called after each look for a running import, before its answer is used
 */
function someImports(stored: number[], hooks: { afterLook?: (found: Running) => void; afterTurn?: () => void }) {
  const completed: number[] = [];
  const store = {
    running: async () => {
      const [id] = stored;
      const found = id === undefined ? undefined : { id };
      hooks.afterLook?.(found);
      return found;
    },
    toHash: async () => [],
    lines: async () => [],
  };
  const users = {
    createWith: async () => {
      const id = stored.shift();
      if (id !== undefined) completed.push(id);
    },
  };
  const alone = async (work: () => Promise<void>): Promise<boolean> => {
    await work();
    hooks.afterTurn?.();
    return true;
  };
  const parts = { store, users, alone, passwords: { ofNobody: () => 'x' }, onError: assert.fail };
  return { imports: new UserImports(parts as never), completed };
}

describe('imports of users', () => {
  it('are completed where they are stored after the last look of a round', async () => {
    const stored = [1];
    let second: Promise<void> | undefined;
    const { imports, completed } = someImports(stored, {
      afterLook: (found) => {
        if (found || second) return;
        stored.push(2);
        second = imports.run();
      },
    });
    await imports.run();
    await second;
    assert.deepEqual(completed, [1, 2]);
  });

  it('of another process are completed where it left them to the one that had its turn', async () => {
    const stored = [1];
    const { imports, completed } = someImports(stored, {
      afterTurn: () => {
        if (completed.length === 1) stored.push(2);
      },
    });
    await imports.run();
    assert.deepEqual(completed, [1, 2]);
  });
});
