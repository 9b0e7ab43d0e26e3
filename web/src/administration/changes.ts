import type { Strings } from '../strings/en/index.ts';

/** Longer values say little in a table. */
const longest = 60;

/** What an administrative act has changed, field by field: of an entry's `details` with its `old` and `new` values. */
export function changesOf(details: object | null, t: Strings): { name: string; text: string }[] {
  const { old, new: next } = (details ?? {}) as { old?: unknown; new?: unknown };
  // What is created or deleted as a whole is not a change of its fields.
  if (!isRecord(old) || !isRecord(next)) return [];
  return Object.keys(next).map((name) => ({
    name,
    text: t.administration.from(shown(old[name], t), shown(next[name], t)),
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function shown(value: unknown, t: Strings): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  const text = typeof value === 'object' ? '…' : `${value}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
