import { diffArrays } from 'diff';

/** A run of lines that both texts have, or that only one of them has. */
export type DiffPart = { kind: 'same' | 'added' | 'gone'; lines: string[] };

/** Edits that are searched for, so that the page does not wait. Texts with more are shown as replaced. */
const maxEditLength = 800;

/** The differences of two texts by line. */
export function lineDiff(before: string, after: string): DiffPart[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(old, now, { maxEditLength });
  if (!changes)
    return [
      { kind: 'gone', lines: old },
      { kind: 'added', lines: now },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'gone' : 'same',
    lines: value,
  }));
}
