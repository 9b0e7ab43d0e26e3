/** A run of lines that both texts have, or that only one of them has. */
export type DiffPart = { kind: 'same' | 'added' | 'gone'; lines: string[] };

/** Edits that are searched for. Texts with more are shown as replaced from the first to the last difference. */
const maxEdits = 400;

/** The differences of two texts by line, by the algorithm of Myers. */
export function lineDiff(before: string, after: string): DiffPart[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = [old.slice(start, old.length - end), now.slice(start, now.length - end)] as const;
  const parts: DiffPart[] = [];
  add(parts, 'same', old.slice(0, start));
  for (const { kind, lines } of edits(...middle)) add(parts, kind, lines);
  add(parts, 'same', end === 0 ? [] : old.slice(-end));
  return parts;
}

function add(parts: DiffPart[], kind: DiffPart['kind'], lines: readonly string[]): void {
  const last = parts.at(-1);
  if (lines.length === 0) return;
  if (last?.kind === kind) last.lines.push(...lines);
  else parts.push({ kind, lines: [...lines] });
}

function edits(old: readonly string[], now: readonly string[]): DiffPart[] {
  const rounds = furthest(old, now);
  if (rounds === undefined) {
    return [
      { kind: 'gone', lines: [...old] },
      { kind: 'added', lines: [...now] },
    ];
  }
  const parts: DiffPart[] = [];
  let [x, y] = [old.length, now.length];
  for (let edit = rounds.length - 1; edit >= 0; edit -= 1) {
    const reached = rounds[edit] ?? new Map<number, number>();
    const isDown = comesFromAbove(reached, x - y, edit);
    const diagonal = isDown ? x - y + 1 : x - y - 1;
    const fromX = edit === 0 ? 0 : (reached.get(diagonal) ?? 0);
    const fromY = edit === 0 ? 0 : fromX - diagonal;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      parts.push({ kind: 'same', lines: [old[x] ?? ''] });
    }
    if (edit > 0)
      parts.push(isDown ? { kind: 'added', lines: [now[fromY] ?? ''] } : { kind: 'gone', lines: [old[fromX] ?? ''] });
    [x, y] = [fromX, fromY];
  }
  return parts.reverse();
}

/** For each number of edits, how far each diagonal was reached before it. Undefined with too many. */
function furthest(old: readonly string[], now: readonly string[]): Map<number, number>[] | undefined {
  const reached = new Map<number, number>([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  for (let edit = 0; edit <= Math.min(maxEdits, old.length + now.length); edit += 1) {
    rounds.push(new Map(reached));
    for (let diagonal = -edit; diagonal <= edit; diagonal += 2) {
      const isDown = comesFromAbove(reached, diagonal, edit);
      let x = isDown ? (reached.get(diagonal + 1) ?? 0) : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return rounds;
    }
  }
  return undefined;
}

const comesFromAbove = (reached: ReadonlyMap<number, number>, diagonal: number, edit: number): boolean =>
  diagonal === -edit || (diagonal !== edit && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1));
