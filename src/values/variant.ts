import { createHmac, randomBytes } from 'node:crypto';
import { sizeOf, type TaskParameters, type Values, valueAt } from './parameters.ts';
import { sumOfPoints } from './points.ts';

/** What an attempt has drawn. It is kept as it was drawn, whatever becomes of the parameters or of the way they are drawn. */
export type Variant = {
  /** What those who take the same share, and the turn of this attempt among them. */
  seed: string;
  /** By the ids of the tasks that have parameters. */
  values: Readonly<Record<string, Values>>;
  /** Those that were drawn, where there are pools. Absent: all. */
  task_ids?: number[];
};

/** How many tasks are drawn of each pool. */
export type Counts = Readonly<Record<string, number>> | null;
type PooledTask = { id: number; pool?: string | null };

type DrawnTask = PooledTask & { parameters?: TaskParameters | null };

/** The pools of which not all tasks are drawn, with the number that is. */
const poolsOf = <Task extends PooledTask>(tasks: readonly Task[], counts: Counts | undefined) =>
  [...Map.groupBy(tasks, ({ pool }) => pool ?? '')].flatMap(([pool, own]) => {
    const count = counts && pool !== '' && Object.hasOwn(counts, pool) ? (counts[pool] ?? 0) : own.length;
    return count < own.length ? [{ tasks: own, count }] : [];
  });

/** Whether attempts differ. */
export const isVaried = (tasks: readonly DrawnTask[], counts?: Counts): boolean =>
  tasks.some(({ parameters }) => parameters) || poolsOf(tasks, counts).length > 0;

/** The tasks that every attempt has. */
export function commonTasks<Task extends PooledTask>(tasks: readonly Task[], counts: Counts | undefined): Task[] {
  const pooled = new Set(poolsOf(tasks, counts).flatMap((pool) => pool.tasks));
  return tasks.filter((task) => !pooled.has(task));
}

/** How many tasks an attempt has, and the points of all: those of a pool have the same. */
export function totalsOf(tasks: readonly (PooledTask & { points: number })[], counts: Counts | undefined) {
  const drawn = [
    ...commonTasks(tasks, counts),
    ...poolsOf(tasks, counts).flatMap((pool) => pool.tasks.slice(0, pool.count)),
  ];
  return { task_count: drawn.length, max_score: sumOfPoints(drawn.map(({ points }) => points)) };
}

/** The seed of the next attempt after one with the seed `last`. */
export function nextSeed(last: string | undefined): string {
  const [shared, turn = -1] = last?.split('.') ?? [];
  return `${shared ?? randomBytes(16).toString('hex')}.${Number(turn) + 1}`;
}

/**
 * Draws by a seed, always the same. Attempts with the same shared part take turns in a shuffled order of the values of each parameter, so
 * that none repeats until all were drawn.
 */
export function draw(seed: string, tasks: readonly DrawnTask[], counts?: Counts): Variant {
  const [shared = '', turn = 0] = seed.split('.');
  const values = tasks.flatMap(({ id, parameters }) => {
    if (!parameters) return [];
    const drawn = Object.entries(parameters).map(([name, parameter]) => {
      const size = sizeOf(parameter);
      return [name, valueAt(parameter, shuffled(`${shared} ${id} ${name}`, Number(turn) % size, size))];
    });
    return [[id, Object.fromEntries(drawn)]];
  });
  const pools = poolsOf(tasks, counts);
  const lot = ({ id }: PooledTask): string => createHmac('sha256', seed).update(`${id}`).digest('hex');
  const left = new Set(
    pools.flatMap((pool) => pool.tasks.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1)).slice(pool.count)),
  );
  const task_ids = tasks.filter((task) => !left.has(task)).map(({ id }) => id);
  return { seed, values: Object.fromEntries(values), ...(pools.length > 0 && { task_ids }) };
}

/** The place of an index below `size` in a shuffled order: a Feistel network of four rounds, repeated until it ends below the size. */
function shuffled(key: string, index: number, size: number): number {
  const half = 2 ** Math.ceil(Math.log2(Math.max(2, size)) / 2);
  let place = index;
  do {
    let [left, right] = [Math.floor(place / half), place % half];
    for (let round = 0; round < 4; round += 1) {
      const mixed = createHmac('sha256', key).update(`${round} ${right}`).digest().readUInt32BE(0);
      [left, right] = [right, (left + mixed) % half];
    }
    place = left * half + right;
  } while (place >= size);
  return place;
}
