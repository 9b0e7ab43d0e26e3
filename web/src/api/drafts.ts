import { draftKeys as keys, draftPrefix as prefix } from './forgotten-drafts.ts';
import { session } from './session.ts';

/** Input that is not saved yet, as the browser keeps it. */
export type KeptDraft<Values> = {
  values: Values;
  /** A digest of what it changes: see `digestOf`. */
  base: string;
  /** Milliseconds since 1970. */
  at: number;
};

/** More than the text of a lesson can have. */
const maxCharacters = 1_200_000;
const maxDrafts = 20;
const maxAge = 7 * 24 * 3600 * 1000;

/** The key in the browser's storage. Undefined without a user. */
function keyOf(name: string): string | undefined {
  const { state } = session;
  return state.status === 'in' || state.status === 'expired' ? `${prefix}${state.user.id}:${name}` : undefined;
}

const read = (key: string): KeptDraft<unknown> | undefined => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as KeptDraft<unknown>;
  } catch {
    return undefined;
  }
};

/**
 * Keeps unsaved input of the user in this browser: per user and thing, for a week, the newest ones, each limited in size. Nothing is kept
 * where the browser stores nothing.
 */
export function keepDraft<Values>(name: string, values: Values, base: string): void {
  const key = keyOf(name);
  if (key === undefined) return;
  try {
    const text = JSON.stringify({ values, base, at: Date.now() } satisfies KeptDraft<Values>);
    if (text.length > maxCharacters) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    const byAge = keys().sort((a, b) => (read(b)?.at ?? 0) - (read(a)?.at ?? 0));
    for (const old of byAge.slice(maxDrafts)) localStorage.removeItem(old);
  } catch {
    // Private windows and full storage.
  }
}

export function keptDraft<Values>(name: string): KeptDraft<Values> | undefined {
  const key = keyOf(name);
  const draft = key === undefined ? undefined : read(key);
  return draft && Date.now() - draft.at < maxAge ? (draft as KeptDraft<Values>) : undefined;
}

export function dropDraft(name: string): void {
  const key = keyOf(name);
  if (key === undefined) return;
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing is stored.
  }
}

/** Differs where the values differ. Not for secrets. */
export function digestOf(values: unknown): string {
  const text = JSON.stringify(values);
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2_654_435_761);
    two = Math.imul(two ^ code, 1_597_334_677);
  }
  return `${text.length}-${one >>> 0}-${two >>> 0}`;
}
