import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { ClientChannel } from 'ssh2';
import { ScriptRunner } from './script-runner.ts';

/** The side of the container. */
function channel() {
  const toContainer = new PassThrough();
  const fromContainer = new PassThrough();
  const events = Object.assign(fromContainer, { stderr: new PassThrough() });
  const asChannel = Object.assign(events, {
    write: (bytes: string) => toContainer.write(bytes),
  }) as unknown as ClientChannel;
  const send = (bytes: Buffer) => fromContainer.emit('data', bytes);
  const request = async () => {
    const [line = '', script = ''] = `${(await once(toContainer, 'data'))[0]}`.split('\n');
    const [seconds = '', mark = '', length = '', ...words] = line.split(' ');
    assert.equal(Number(length), script.length);
    return { seconds, mark, words, script: Buffer.from(script, 'base64').toString() };
  };
  return { asChannel, send, request };
}

const frame = (type: string, text: string): Buffer => {
  const bytes = Buffer.alloc(5 + text.length);
  bytes.write(type);
  bytes.writeUInt32BE(text.length, 1);
  bytes.write(text, 5);
  return bytes;
};
const limits = { seconds: 30, outputBytes: 100 };

describe('the runner of scripts', () => {
  it('runs one script after another, however its bytes arrive', async () => {
    const { asChannel, send, request } = channel();
    const runner = new ScriptRunner(asChannel, () => {});
    for (const size of [1, 3, 1000]) {
      const run = runner.run('echo "ü"', limits, 30_000);
      const { seconds, mark, script } = await request();
      assert.deepEqual([seconds, script], ['30', 'echo "ü"']);
      const bytes = Buffer.concat([frame('O', 'one\n'), frame('O', ''), frame('O', 'PASS\n'), frame('E', `${mark}x`)]);
      for (let at = 0; at < bytes.length; at += size) send(bytes.subarray(at, at + size));
      assert.deepEqual(await run, { output: 'one\nPASS\n', isTruncated: false, ending: 'exit' });
    }
    assert.equal(runner.isOpen, true);
  });

  it('asks for the reasons of the prologue, and keeps a bounded part of them', async () => {
    const { asChannel, send, request } = channel();
    const runner = new ScriptRunner(asChannel, () => {});
    const run = runner.run('echo PASS', { ...limits, isCheck: true }, 30_000);
    const { mark, words } = await request();
    assert.deepEqual(words, ['reasons', 'check']);
    const many = Array.from({ length: 100 }, (_, index) => frame('R', `${index}: ${'x'.repeat(100)}`));
    for (const byte of Buffer.concat([
      frame('O', 'PASS\n'),
      frame('R', 'it was killed'),
      ...many,
      frame('E', `${mark}x`),
    ]))
      send(Buffer.from([byte]));
    const { output, reasons = [] } = (await run) ?? {};
    assert.deepEqual([output, reasons[0]], ['PASS\n', 'it was killed']);
    assert.ok(reasons.length > 10 && reasons.join('').length <= 4096, `${reasons.length}`);
  });

  it('ends at a reason that is longer than any', async () => {
    const { asChannel, send, request } = channel();
    const runner = new ScriptRunner(asChannel, () => {});
    const run = runner.run('echo FAIL', limits, 30_000);
    await request();
    send(frame('R', 'x'.repeat(5000)));
    assert.equal((await run)?.ending, 'killed');
  });

  for (const [name, forged] of [
    ['an ending with another mark', () => frame('E', `${'0'.repeat(32)}x`)],
    ['an ending that does not exist', (mark: string) => frame('E', `${mark}?`)],
    ['an ending of another length', (mark: string) => frame('E', `${mark}xx`)],
    ['bytes that are no frame', () => Buffer.from('PASS\nPASS\n')],
  ] as const)
    it(`ends at ${name}`, async () => {
      const { asChannel, send, request } = channel();
      const runner = new ScriptRunner(asChannel, () => {});
      const run = runner.run('echo FAIL', limits, 30_000);
      const { mark } = await request();
      send(forged(mark));
      assert.equal((await run)?.ending, 'killed');
      await runner.ended;
      assert.equal(runner.isOpen, false);
      assert.equal(await runner.run('echo FAIL', limits, 30_000), undefined);
    });

  it('ends at what is sent before a script begins', async () => {
    const { asChannel, send } = channel();
    const runner = new ScriptRunner(asChannel, () => {});
    send(frame('E', `${'0'.repeat(32)}x`));
    await runner.ended;
    assert.deepEqual([runner.isOpen, runner.isMissing], [false, false]);
  });

  it('has the next script in advance, which does not begin where the first is killed', async () => {
    const { asChannel, send, request } = channel();
    const runner = new ScriptRunner(asChannel, () => {});
    const mark = async (run: string) => {
      const sent = request();
      const outcome = runner.run(run, limits, 30_000);
      return { outcome, ...(await sent) };
    };
    const [first, second, third] = [await mark('one'), await mark('two'), await mark('three')];
    const answers = [frame('O', 'first\n'), frame('E', `${first.mark}x`), frame('O', 'second\n')];
    send(Buffer.concat(answers));
    assert.deepEqual(await first.outcome, { output: 'first\n', isTruncated: false, ending: 'exit' });
    assert.equal(runner.isIdle, false);
    asChannel.destroy();
    assert.deepEqual(await second.outcome, { output: 'second\n', isTruncated: false, ending: 'killed' });
    assert.equal(await third.outcome, undefined);
  });

  it('reports a script that does not end in time, from its own begin', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { asChannel, send, request } = channel();
    let silences = 0;
    const runner = new ScriptRunner(asChannel, () => {
      silences += 1;
    });
    const sent = request();
    const [first] = [runner.run('sleep 1', limits, 1000), runner.run('sleep 2', limits, 1000)];
    const { mark } = await sent;
    t.mock.timers.tick(900);
    send(frame('E', `${mark}x`));
    await first;
    t.mock.timers.tick(900);
    assert.equal(silences, 0);
    t.mock.timers.tick(200);
    assert.equal(silences, 1);
  });

  it('tells a missing program from one that was killed', async () => {
    for (const [code, isMissing] of [
      [127, true],
      [null, false],
    ] as const) {
      const { asChannel } = channel();
      const runner = new ScriptRunner(asChannel, () => {});
      const run = runner.run('echo PASS', limits, 30_000);
      asChannel.emit('exit', code);
      asChannel.destroy();
      assert.equal((await run)?.ending, 'killed');
      assert.deepEqual([runner.isMissing, runner.hasExited, runner.isOpen], [isMissing, true, false]);
    }
  });
});
