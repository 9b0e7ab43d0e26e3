import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../test/until.ts';
import type { Assessment } from './assessments.ts';
import { FolderChanges, keepTrying } from './watch.ts';

const assessment = (name: string, digest: string): Assessment =>
  ({ kind: 'exam', name, title: name, digest, files: [], tasks: [] }) as unknown as Assessment;

/** Content whose trials end when the test says so. */
class World {
  assessments = [assessment('a', '1'), assessment('b', '1')];
  problem: Error | undefined;
  readonly log: string[] = [];
  readonly stop = new AbortController();
  #end = Promise.withResolvers<void>();
  #onChange: () => void = () => {};
  readonly ended = assert.rejects(
    keepTrying(
      {
        read: async () => {
          if (this.problem) throw this.problem;
          return this.assessments;
        },
        attempt: async ({ name, digest }, signal) => {
          this.log.push(`${name}${digest}`);
          const cancelled = new Promise<never>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
          );
          await Promise.race([this.#end.promise, cancelled]);
          this.#end = Promise.withResolvers();
          this.log.push('end');
        },
        watch: (onChange) => {
          this.#onChange = onChange;
          return { [Symbol.dispose]: () => this.log.push('unwatched') };
        },
        stop: this.stop.signal,
      },
      this.assessments,
    ),
    /stopped/,
  );

  async logged(...expected: string[]): Promise<void> {
    await until(() => this.log.length >= expected.length, `${expected}`);
    assert.deepEqual(this.log.splice(0), expected);
  }

  change(...assessments: Assessment[]): void {
    this.assessments = assessments;
    this.#onChange();
  }

  end(): void {
    this.#end.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new Error('stopped'));
    await this.ended;
  }
}

describe('trials of a folder that is watched', () => {
  it('try everything once, then what changes', async () => {
    await using world = new World();
    await world.logged('a1');
    world.end();
    await world.logged('end', 'b1');
    world.end();
    await world.logged('end');
    world.change(assessment('a', '1'), assessment('b', '2'));
    await world.logged('b2');
    world.end();
    await world.logged('end');
  });

  it('start again when their assessment changes, and continue when another one does, which is next', async () => {
    await using world = new World();
    await world.logged('a1');
    world.change(assessment('a', '2'), assessment('b', '1'), assessment('c', '1'));
    await world.logged('a2');
    world.change(assessment('a', '2'), assessment('b', '1'), assessment('c', '2'));
    world.end();
    await world.logged('end', 'c2');
    world.end();
    await world.logged('end', 'b1');
    world.change(assessment('a', '2'), assessment('c', '2'));
    await until(() => world.assessments.length === 2, 'the assessment to be gone');
    world.change(assessment('a', '3'), assessment('c', '2'));
    await world.logged('a3');
  });

  it('outlast content that is not usable for a while, and end with the command', async () => {
    const world = new World();
    await world.logged('a1');
    world.problem = new Error('a.yaml:1: is not finished');
    world.change(assessment('a', '2'));
    world.problem = undefined;
    world.change(assessment('a', '3'));
    await world.logged('a3');
    await world[Symbol.asyncDispose]();
    await world.logged('unwatched');
  });
});

describe('changes in a content directory', () => {
  it('are noticed in new folders, and in folders that were replaced', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'changes-'));
    try {
      let count = 0;
      using _changes = new FolderChanges(directory, () => {
        count += 1;
      });
      const noticed = async (act: () => Promise<unknown>) => {
        const before = count;
        await act();
        await until(() => count > before, 'the change');
      };
      const tasks = join(directory, 'exams/one/tasks');
      await noticed(() => mkdir(tasks, { recursive: true }));
      await noticed(() => writeFile(join(tasks, 'verify.sh'), 'a'));
      await noticed(() => writeFile(join(tasks, 'verify.sh'), 'b'));
      await noticed(async () => {
        await rename(join(directory, 'exams'), join(directory, 'elsewhere'));
        await mkdir(tasks, { recursive: true });
      });
      await noticed(() => writeFile(join(tasks, 'verify.sh'), 'c'));
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
