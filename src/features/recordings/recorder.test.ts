import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/until.ts';
import { CastLines } from './cast.ts';
import { Recorder } from './recorder.ts';

const mib = 1024 * 1024;
const size = { cols: 90, rows: 20 };
const header = { ...size, startedAt: new Date(1_700_000_000_999), title: 'Basics, attempt 1' };
const bytes = (text: string): Buffer => Buffer.from(text);
const parse = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the lines of a recording', () => {
  it('begin with the header and have times with six decimals', () => {
    const cast = new CastLines(mib);
    assert.deepEqual(JSON.parse(cast.header(header)), {
      version: 2,
      width: 90,
      height: 20,
      timestamp: 1_700_000_000,
      title: 'Basics, attempt 1',
      env: { TERM: 'xterm-256color' },
    });
    const events = [
      { at: 0, output: bytes('\u001b[1m$ ') },
      { at: 1001.3764, size: { cols: 120, rows: 40 } },
      { at: 62_000, output: bytes('a"b\r\n') },
    ];
    assert.equal(
      cast.lines(events),
      '[0.000000, "o", "\\u001b[1m$ "]\n[1.001376, "r", "120x40"]\n[62.000000, "o", "a\\"b\\r\\n"]\n',
    );
  });

  it('join split characters across events and flushes, and keep a byte order mark', () => {
    const cast = new CastLines(mib);
    const euro = bytes('\ufeff1 €!');
    const first = cast.lines([
      { at: 1, output: euro.subarray(0, 6) },
      { at: 2, size },
      { at: 3, output: euro.subarray(6, 7) },
    ]);
    const second = cast.lines([{ at: 4, output: euro.subarray(7) }]);
    assert.deepEqual(parse(first + second), [
      [0.001, 'o', '\ufeff1 '],
      [0.002, 'r', '90x20'],
      [0.004, 'o', '€!'],
    ]);
    assert.equal(cast.lines([{ at: 5, output: bytes('ü').subarray(0, 1) }]), '');
    assert.deepEqual(parse(cast.rest(6)), [[0.006, 'o', '\ufffd']]);
  });

  it('never exceed the limit, and end with a note in a full recording', () => {
    const cast = new CastLines(mib);
    let text = cast.header(header);
    for (let at = 0; !cast.isFull; at += 1) text += cast.lines([{ at, output: bytes('€\u0007x'.repeat(5000)) }]);
    assert.ok(Buffer.byteLength(text) <= mib && Buffer.byteLength(text) > mib - 100_000, `${Buffer.byteLength(text)}`);
    const [, , last] = parse(text).at(-1) as [number, string, string];
    assert.match(last, /The recording ends here: it has reached its limit of 1 MiB/);
    assert.equal(cast.lines([{ at: 1e6, output: bytes('more') }]) + cast.rest(1e6), '');
  });
});

/** Stores what is written. `stop` is awaited before each line, and may fail. */
function memory(stop: (count: number) => Promise<void> | void = () => {}) {
  const written: string[] = [];
  let isClosed = false;
  const file = {
    append: async (text: string) => {
      await stop(written.length);
      written.push(text);
    },
    close: async () => {
      isClosed = true;
    },
  };
  return { file, written, lines: () => parse(written.join('')), isClosed: () => isClosed };
}

function recorderOn({ file }: ReturnType<typeof memory>, now?: () => number, maxBytes = mib) {
  const failures: unknown[] = [];
  const recorder = new Recorder({
    size,
    maxBytes,
    open: async () => ({ file, title: 'Basics' }),
    onFailure: (error) => failures.push(error),
    ...(now ? { now } : {}),
  });
  return { recorder, failures };
}

describe('a recorder', () => {
  it('writes events with their times on its own, and the rest at the end', async () => {
    const kept = memory();
    let clock = 5000;
    const { recorder, failures } = recorderOn(kept, () => clock);
    clock = 5250;
    recorder.output(bytes('one'));
    clock = 5500;
    recorder.resize({ cols: 100, rows: 30 });
    recorder.mark('Ada types');
    await until(() => kept.written.length > 1, 'a line');
    clock = 6000;
    recorder.output(bytes('two'));
    recorder.end();
    recorder.output(bytes('never'));
    assert.deepEqual(await recorder.finished, { isTruncated: false });
    assert.deepEqual(kept.lines().slice(1), [
      [0.25, 'o', 'one'],
      [0.5, 'r', '100x30'],
      [0.5, 'm', 'Ada types'],
      [1, 'o', 'two'],
    ]);
    assert.deepEqual([kept.isClosed(), failures], [true, []]);
  });

  it('ends at the limit', async () => {
    const kept = memory();
    const { recorder } = recorderOn(kept);
    for (let count = 0; count < 40; count += 1) recorder.output(bytes('x'.repeat(50_000)));
    assert.deepEqual(await recorder.finished, { isTruncated: true });
    assert.match(JSON.stringify(kept.lines().at(-1)), /limit of 1 MiB/);
    assert.equal(kept.isClosed(), true);
  });

  it('stops once at a full disk and closes the file', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const kept = memory((count) => {
      if (count > 0) throw full;
    });
    const { recorder, failures } = recorderOn(kept);
    recorder.output(bytes('lost'));
    assert.deepEqual(await recorder.finished, { isTruncated: true });
    recorder.output(bytes('lost, too'));
    recorder.end();
    assert.deepEqual([failures, kept.isClosed(), kept.written.length], [[full], true, 1]);
  });

  it('keeps a bounded amount in memory while the disk hangs, drops the rest, and continues', async () => {
    const gate = Promise.withResolvers<void>();
    const kept = memory((count) => (count === 0 ? gate.promise : undefined));
    const { recorder, failures } = recorderOn(kept, undefined, 100 * mib);
    for (let count = 0; count < 100_000; count += 1) recorder.output(bytes('x'.repeat(10)));
    gate.resolve();
    await until(() => kept.written.join('').includes('some is missing here'), 'the gap');
    recorder.output(bytes('after the flood'));
    recorder.end();
    assert.deepEqual(await recorder.finished, { isTruncated: true });
    assert.ok(kept.lines().length < 40_000, `${kept.lines().length}`);
    const [last, before] = [kept.lines().at(-1), kept.lines().at(-2)];
    assert.match(JSON.stringify(before), /some is missing here/);
    assert.match(JSON.stringify(last), /after the flood/);
    assert.equal(failures.length, 1);
  });
});
