import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WatchNotice } from './output/session-output.ts';

const watched = '\x1b]0;Somebody is watching this terminal\x07';
const unwatched = '\x1b]0;Nobody is watching this terminal any more\x07';

function client(hasMessages: boolean) {
  const got: unknown[] = [];
  const send = (bytes: Buffer) => void got.push(bytes.toString('latin1'));
  return { got, hasMessages, send, notify: (message: object) => void (hasMessages && got.push(message)) };
}

it('notifies of a watcher in a message only', () => {
  const writer = client(true);
  const notice = new WatchNotice();
  notice.notify(writer, true);
  notice.follow(writer, Buffer.from('$ '));
  notice.notify(writer, false);
  notice.notify(undefined, true);
  notice.follow(writer, Buffer.from('$ '));
  const told = (reason: string) => ({ type: 'notice', reason, seconds_left: null });
  assert.deepEqual(writer.got, [told('watched'), told('unwatched')]);
});

// Long: a table of sequences.
it('writes the title between characters and sequences', () => {
  const whole = [
    '',
    '$ ',
    'é',
    '\x1b[31mred',
    '\x1b[?2004h',
    '\x1b]0;title\x07',
    '\x1b]8;;\x1b\\',
    '\x1b(B',
    '\x1b7',
    '\x1b=',
  ];
  for (const text of whole) {
    const writer = client(false);
    const notice = new WatchNotice();
    notice.follow(writer, Buffer.from(text));
    notice.notify(writer, true);
    assert.deepEqual(writer.got, [watched], JSON.stringify(text));
  }
  for (const [first, ...rest] of [
    ['\x1b', '[m'],
    ['\x1b[', '3', '1m'],
    ['\x1b]0;a', ' title', '\x07'],
    ['\x1b]0;a', '\x1b', '\\'],
    ['\x1bPq#0', '\nmore', '\x1b\\'],
    ['\x1b(', 'B'],
    ['\xc3', '\xa9'],
    ['\xf0', '\x9f', '\x98', '\x80'],
  ]) {
    const writer = client(false);
    const notice = new WatchNotice();
    notice.follow(writer, Buffer.from(first ?? '', 'latin1'));
    notice.notify(writer, true);
    for (const text of rest) {
      assert.deepEqual(writer.got, [], JSON.stringify([first, text]));
      notice.follow(writer, Buffer.from(text, 'latin1'));
    }
    assert.deepEqual(writer.got, [watched], JSON.stringify(first));
  }
});

it('reports the final state after several changes', () => {
  const writer = client(false);
  const notice = new WatchNotice();
  notice.follow(writer, Buffer.from('\x1b['));
  notice.notify(writer, true);
  notice.notify(writer, false);
  notice.follow(writer, Buffer.from('m'));
  assert.deepEqual(writer.got, [unwatched]);
  // An unterminated sequence does not hold it back forever.
  notice.follow(writer, Buffer.from(`\x1bP${'x'.repeat(5000)}`));
  notice.notify(writer, true);
  assert.equal(writer.got.length, 1);
  notice.follow(writer, Buffer.from('x'.repeat(5000)));
  assert.deepEqual(writer.got, [unwatched, watched]);
});
