import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { until } from '../../../../test/until.ts';
import { ScreenKeeper, type ScreenKeeperParts } from './screen-keeper.ts';

type Saved = Parameters<ScreenKeeperParts['save']>[0];

describe('pictures of a screen for the next process', () => {
  before(() => mock.timers.enable({ apis: ['setTimeout'] }));
  after(() => mock.timers.reset());

  function newKeeper(save?: ScreenKeeperParts['save']) {
    const saved: Saved[] = [];
    const failures: unknown[] = [];
    let at = 0;
    const keeper = new ScreenKeeper({
      screen: { capture: async () => ({ picture: Buffer.from('a picture'), at }) },
      ...{ shift: 1000, keptBytes: 400 },
      size: () => ({ cols: 80, rows: 24 }),
      save: save ?? (async (screen) => void saved.push(screen)),
      onFailure: (error) => failures.push(error),
    });
    const pass = (bytes: number) => {
      at += bytes;
      keeper.passed(bytes);
    };
    return { keeper, pass, saved, failures };
  }

  it('are stored once a second, and only for a quarter of what the holder keeps', async () => {
    const { keeper, pass, saved } = newKeeper();
    pass(99);
    mock.timers.tick(5000);
    assert.equal(saved.length, 0);
    pass(1);
    pass(150);
    mock.timers.tick(999);
    pass(20);
    assert.equal(saved.length, 0);
    mock.timers.tick(1);
    await until(() => saved.length === 1, 'a picture');
    const [{ picture, ...rest }] = saved as [Saved];
    assert.deepEqual(rest, { cols: 80, rows: 24, at: 1270 });
    assert.equal(inflateRawSync(picture).toString(), 'a picture');
    mock.timers.tick(5000);
    assert.equal(saved.length, 1);
    keeper[Symbol.dispose]();
  });

  it('are not stored during a flood', async () => {
    const { keeper, pass, saved } = newKeeper();
    pass(100);
    for (let second = 0; second < 5; second += 1) {
      pass(500);
      mock.timers.tick(1000);
    }
    assert.equal(saved.length, 0);
    mock.timers.tick(1000);
    await until(() => saved.length === 1, 'a picture after the flood');
    keeper[Symbol.dispose]();
  });

  it('are stored later where that fails, and never after the end', async () => {
    let tries = 0;
    const { keeper, pass, failures } = newKeeper(async () => {
      tries += 1;
      throw new Error('no database');
    });
    pass(100);
    mock.timers.tick(1000);
    await until(() => failures.length === 1, 'the failure');
    pass(1);
    mock.timers.tick(1000);
    await until(() => failures.length === 2, 'the second failure');
    pass(100);
    keeper[Symbol.dispose]();
    mock.timers.tick(1000);
    assert.equal(tries, 2);
  });
});
