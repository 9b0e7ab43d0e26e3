import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { newEventStream, writeComment, writeEvent } from './event-stream.ts';

describe('a stream of events', () => {
  it('takes nothing after its end, and fails nobody', async () => {
    const stream = newEventStream(1024);
    const errors: Error[] = [];
    stream.on('error', (error) => errors.push(error));
    writeEvent(stream, 'room', '{}');
    stream.end();
    writeEvent(stream, 'room', '{}');
    writeComment(stream);
    await turn();
    assert.deepEqual(errors, []);
    assert.equal(String(stream.read()), 'event: room\ndata: {}\n\n');
  });

  it('is destroyed where its client does not read', () => {
    const stream = newEventStream(1024);
    const json = JSON.stringify('x'.repeat(1000));
    for (let count = 0; count < 4; count += 1) writeEvent(stream, 'room', json);
    assert.ok(stream.destroyed);
  });
});
