import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnreceivedInput } from '../../web/src/terminal/unreceived-input.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (sent: Uint8Array) => new TextDecoder().decode(sent);

describe('input that the container has not confirmed', () => {
  it('is sent again from where the service continues', () => {
    const input = new UnreceivedInput();
    input.add(bytes('before'));
    assert.equal(text(input.ready(100)), 'before');
    input.add(bytes(' and after'));
    input.received(103);
    // The same process has accepted more than the container has confirmed.
    assert.equal(text(input.ready(110)), ' after'.slice(0));
    // Another process knows of the confirmed part only.
    assert.equal(text(input.ready(103)), 'ore and after');
    input.received(116);
    assert.equal(text(input.ready(116)), '');
  });

  it('is counted by keys, with the time that the first has waited', () => {
    const input = new UnreceivedInput();
    input.ready(0);
    for (const key of ['a', '\x1b[A', 'й']) input.add(bytes(key));
    assert.equal(input.waiting.count, 3);
    assert.ok(input.waiting.milliseconds >= 0);
    input.received(3);
    assert.equal(input.waiting.count, 2, 'a key that has arrived in part still waits');
    input.received(6);
    assert.deepEqual(input.waiting, { count: 0, milliseconds: 0 });
  });

  it('is dropped where another client has typed, or where the service does not count', () => {
    const input = new UnreceivedInput();
    input.ready(0);
    input.add(bytes('mine'));
    assert.equal(text(input.ready(20)), '');
    input.add(bytes('next'));
    assert.equal(text(input.ready(20)), 'next');
    assert.equal(text(input.ready(null)), 'next');
    input.add(bytes('not kept'));
    assert.equal(text(input.ready(null)), '');
  });

  it('has a limit', () => {
    const input = new UnreceivedInput();
    input.ready(0);
    input.add(new Uint8Array(1_500_000));
    assert.equal(input.ready(500_000).length, 1_000_000);
    assert.equal(input.ready(0).length, 0);
  });
});
