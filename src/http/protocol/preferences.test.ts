import assert from 'node:assert/strict';
import { it } from 'node:test';
import { prefersAsync } from './preferences.ts';

it('finds the preference for an asynchronous answer among others', () => {
  const prefers = (prefer: string | undefined) => prefersAsync({ headers: prefer === undefined ? {} : { prefer } });
  for (const header of [
    'respond-async',
    'Respond-Async',
    'respond-async, wait=10',
    'return=minimal, respond-async',
    'wait=10,respond-async;foo="a, b"',
    'foo="a, \\" b" , respond-async',
  ])
    assert.equal(prefers(header), true, header);
  for (const header of [
    undefined,
    '',
    'wait=10',
    'respond-asynchronously',
    'foo="a, respond-async"',
    'foo; respond-async',
  ])
    assert.equal(prefers(header), false, header);
});
