import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { waitForTurn } from './turn.ts';

const options = { skip: process.platform !== 'linux' && 'turns are taken on Linux only' };

test('a second taker of a turn waits for the first', options, async () => {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const order: string[] = [];
  const first = await waitForTurn(name, () => assert.fail('nobody else is there'));
  const isWaiting = Promise.withResolvers<void>();
  const second = waitForTurn(name, isWaiting.resolve).then((turn) => {
    order.push('second has it');
    return turn;
  });
  await isWaiting.promise;
  order.push('first lets go');
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();
  assert.deepEqual(order, ['first lets go', 'second has it']);
});

test('the turn of a process that was killed is free again', options, async () => {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const module = pathToFileURL(`${import.meta.dirname}/turn.ts`).href;
  const code = `await (await import('${module}')).waitForTurn('${name}', () => {}); console.log('mine'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(holder.stdout, 'data');
    const isWaiting = Promise.withResolvers<void>();
    const turn = waitForTurn(name, isWaiting.resolve);
    await isWaiting.promise;
    holder.kill('SIGKILL');
    await (await turn)[Symbol.asyncDispose]();
  } finally {
    holder.kill('SIGKILL');
  }
});
