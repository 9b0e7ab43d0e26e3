import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { UnavailableError } from '../../errors.ts';
import { DiskGuard, type DiskGuardParts } from './disk-guard.ts';

/** An engine with containers whose disk usage a test sets. Each container's reference is its number. */
class Disks {
  readonly uses = new Map<number, { bytes: number; files: number }>();
  /** Containers whose files cannot be counted. */
  readonly hidden = new Set<number>();
  readonly warned: number[] = [];
  readonly full: number[] = [];
  readonly stopped: number[] = [];
  /** How often sizes, and files, were measured. */
  looks = 0;
  counts = 0;
  /** The clock, and the time that each measurement takes on it. */
  now = 0;
  milliseconds = 0;
  hasSizes = true;
  hasDatabase = true;
  /** Files of the storage outside the containers, or what it reports instead of a number. */
  others: number | 'unlimited' | undefined = 5000;

  use(id: number, { bytes = 0, files = 0 }): void {
    this.uses.set(id, { bytes, files });
  }

  guard(): DiskGuard {
    const rows = () => [...this.uses].filter(([id]) => !this.stopped.includes(id));
    const parts: DiskGuardParts = {
      engine: {
        filesInUse: async () => {
          const inContainers = rows().reduce((sum, [, { files }]) => sum + files, 0);
          return typeof this.others === 'number' ? this.others + inContainers : this.others;
        },
        fileCounts: async (most) => {
          this.counts += 1;
          this.now += this.milliseconds;
          return rows().map(([id, { files }]) => ({
            ref: `${id}`,
            files: this.hidden.has(id) ? undefined : Math.min(files, most),
          }));
        },
        layerSizes: async () => {
          this.looks += 1;
          if (!this.hasSizes) throw new UnavailableError('engine_unavailable', 'The sizes are not had in time');
          this.now += this.milliseconds;
          return rows().map(([id, { bytes }]) => ({ ref: `${id}`, bytes }));
        },
        stop: async (ref) => void this.stopped.push(Number(ref)),
      },
      store: {
        usedByRef: async (refs) => {
          if (!this.hasDatabase) throw new UnavailableError('engine_unavailable', 'The database does not answer');
          return new Map(refs.map((ref) => [ref, { id: Number(ref), name: `container-${ref}`, full_at: null }]));
        },
        setFull: async (id) => this.full.push(id) > 0,
      },
      limits: { bytes: 1000, files: 100 },
      warn: (id) => void this.warned.push(id),
      log: pino({ level: 'silent' }),
    };
    return new DiskGuard(parts, () => this.now);
  }
}

describe('the disk guard', () => {
  let disks: Disks;
  beforeEach(() => {
    disks = new Disks();
  });

  for (const [what, full] of [
    ['bytes', { bytes: 1001 }],
    ['files', { files: 101 }],
  ] as const) {
    it(`stops what has too many ${what} in two consecutive checks, and warns at the first`, async () => {
      const guard = disks.guard();
      disks.use(1, full);
      disks.use(2, { bytes: 800, files: 80 });
      await guard.check();
      assert.deepEqual([disks.warned, disks.stopped], [[1], []]);
      await guard.check();
      assert.deepEqual([disks.warned, disks.full, disks.stopped], [[1], [1], [1]]);
    });
  }

  it('stops a container with twice the limit immediately', async () => {
    const guard = disks.guard();
    disks.use(1, { bytes: 2000 });
    disks.use(2, { files: 200 });
    disks.use(3, { bytes: 1999, files: 199 });
    await guard.check();
    assert.deepEqual(disks.stopped, [2, 1]);
  });

  it('forgives who makes room in time', async () => {
    const guard = disks.guard();
    disks.use(1, { files: 150 });
    disks.use(2, { bytes: 1500 });
    await guard.check();
    disks.use(1, { files: 90 });
    await guard.check();
    assert.deepEqual([disks.stopped, disks.warned], [[2], [1, 2, 1]]);
    await guard.check();
    assert.deepEqual(disks.stopped, [2]);
  });

  it('stops for files even if the engine cannot report sizes because of them', async () => {
    const guard = disks.guard();
    disks.hasSizes = false;
    disks.use(1, { files: 150 });
    disks.use(2, { files: 1_000_000 });
    await assert.rejects(guard.check(), UnavailableError);
    assert.deepEqual(disks.stopped, [2]);
    await assert.rejects(guard.check(), UnavailableError);
    assert.deepEqual(disks.stopped, [2, 1]);
  });

  describe('counts files', () => {
    const checked = async (guard: DiskGuard): Promise<boolean> => {
      const { counts } = disks;
      await guard.check();
      return disks.counts > counts;
    };

    it('when so many new files exist that a container can be near its limit', async () => {
      const guard = disks.guard();
      disks.use(1, { files: 30 });
      assert.equal(await checked(guard), true, 'nothing is known at first');
      disks.use(2, { files: 49 });
      assert.equal(await checked(guard), false, '30 + 49 is not yet 80');
      disks.use(2, { files: 50 });
      assert.equal(await checked(guard), true);
      assert.equal(await checked(guard), false);
      disks.use(2, { files: 80 });
      assert.equal(await checked(guard), true, 'from 50 on there is room for 30');
    });

    it('after a tenth of the limit in new files, however near a container is', async () => {
      const guard = disks.guard();
      disks.use(1, { files: 95 });
      await checked(guard);
      disks.use(1, { files: 104 });
      assert.equal(await checked(guard), false);
      disks.use(2, { files: 1 });
      assert.equal(await checked(guard), true);
      assert.equal(await checked(guard), true, 'one was over its limit');
      assert.deepEqual(disks.stopped, [1]);
    });

    it('from the minimum since the last count: deletions by others free nothing', async () => {
      const guard = disks.guard();
      await checked(guard);
      disks.others = 1000;
      assert.equal(await checked(guard), false);
      disks.use(1, { files: 80 });
      assert.equal(await checked(guard), true);
    });

    it('and blames a container that hides its files when there are too many new ones', async () => {
      const guard = disks.guard();
      await checked(guard);
      disks.hidden.add(1);
      for (const [files, counts] of [
        [50, false],
        [99, true],
        [100, true],
      ] as const) {
        disks.use(1, { files });
        assert.equal(await checked(guard), counts);
        assert.deepEqual(disks.stopped, []);
      }
      assert.equal(await checked(guard), true);
      assert.deepEqual(disks.stopped, [1]);
      assert.equal(await checked(guard), true, 'to know where all are');
      assert.equal(await checked(guard), false);
    });

    it('and spares a container that refuses access and creates none', async () => {
      const guard = disks.guard();
      disks.use(1, { files: 10 });
      disks.hidden.add(1);
      await checked(guard);
      disks.use(2, { files: 99 });
      assert.equal(await checked(guard), true);
      disks.use(2, { files: 0 });
      await checked(guard);
      assert.deepEqual([disks.stopped, disks.warned], [[], [2]]);
    });

    it('every time if no container can report a number', async () => {
      const guard = disks.guard();
      disks.others = undefined;
      disks.use(1, { files: 101 });
      assert.deepEqual([await checked(guard), await checked(guard)], [true, true]);
      assert.deepEqual(disks.stopped, [1]);
      assert.equal(await checked(guard), true);
    });

    it('never if the storage has no limit', async () => {
      const guard = disks.guard();
      disks.others = 'unlimited';
      disks.use(1, { files: 1000 });
      assert.equal(await checked(guard), false);
      assert.deepEqual(disks.stopped, []);
    });

    it('again if its findings could not be handled', async () => {
      const guard = disks.guard();
      disks.hasDatabase = false;
      disks.use(1, { files: 90 });
      await assert.rejects(guard.check(), UnavailableError);
      disks.hasDatabase = true;
      assert.equal(await checked(guard), true);
      assert.deepEqual(disks.warned, [1]);
    });
  });

  it('pauses after a check without findings, and not after one with findings', async () => {
    const guard = disks.guard();
    disks.milliseconds = 50;
    disks.use(1, { bytes: 1001 });
    await guard.check();
    await guard.check();
    assert.deepEqual([disks.looks, disks.stopped], [2, [1]]);
    await guard.check();
    await guard.check();
    assert.equal(disks.looks, 3);
    disks.now += 499;
    await guard.check();
    assert.equal(disks.looks, 3);
    disks.now += 1;
    await guard.check();
    assert.equal(disks.looks, 4);
  });

  it('counts files despite a pause when the new files reach the limit of one container', async () => {
    const guard = disks.guard();
    disks.milliseconds = 50;
    await guard.check();
    disks.use(1, { files: 99 });
    await guard.check();
    assert.equal(disks.counts, 1);
    disks.use(2, { files: 1 });
    await guard.check();
    assert.equal(disks.counts, 2);
  });
});
