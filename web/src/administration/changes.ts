import type { Strings } from '../strings/en/index.ts';
import type { useFormat } from '../strings/use-strings.tsx';
import { wordOf } from './queries.ts';

type Spoken = { t: Strings; format: ReturnType<typeof useFormat> };

/** Longer values are not useful in a table. */
const longest = 60;

/** The changes of an administrative action, field by field, from the `old` and `new` values in an entry's `details`. */
export function changesOf(details: object | null, spoken: Spoken): { name: string; text: string }[] {
  const { old, new: next } = (details ?? {}) as { old?: unknown; new?: unknown };
  // Creating or deleting a whole item is not a change of its fields.
  if (!isRecord(old) || !isRecord(next)) return [];
  const { administration } = spoken.t;
  return Object.keys(next).map((name) => ({
    name: wordOf(administration.fields, name),
    text: administration.from(shown(name, old[name], spoken), shown(name, next[name], spoken)),
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function shown(name: string, value: unknown, { t, format }: Spoken): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (typeof value !== 'string' && typeof value !== 'number') return '…';
  const text = `${value}`;
  if (name === 'role') return wordOf(t.common.roles, text);
  if (name.endsWith('_at') && !Number.isNaN(Date.parse(text))) return format.time(text);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
