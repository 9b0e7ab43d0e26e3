import { useEffect, useRef, useState } from 'react';
import { digestOf, dropDraft, keepDraft, keptDraft } from '../../api/drafts.ts';

/** Milliseconds after the last change until it is kept: what a crashed tab loses. */
const delay = 400;

export type DraftState = {
  /** What the form began with: nothing, kept input, or kept input for something that has been changed since. */
  restored: 'none' | 'same' | 'outdated';
  /** When it was kept, in milliseconds since 1970. */
  at: number;
  /** Forgets the kept input, without a change of the form. */
  drop: () => void;
  /** Hides the note about it. */
  accept: () => void;
};

/**
 * Keeps the unsaved input of a form in the browser, and restores it when the form is opened again: after a reload, a lost session, a crashed
 * tab. It is forgotten when nothing differs any more, as after it was saved.
 * @param name of the thing, such as `exam-5`; undefined where nothing is kept
 * @param base what the input changes
 * @param restore puts kept input into the form
 */
export function useDraft<Values>(
  name: string | undefined,
  {
    values,
    base,
    isDirty,
    restore,
  }: { values: Values; base: unknown; isDirty: boolean; restore: (values: Values) => void },
): DraftState {
  const [found, setFound] = useState(() => (name === undefined ? undefined : keptDraft<Values>(name)));
  const [first] = useState(() => digestOf(base));
  const latest = useRef({ values, base, isDirty });
  latest.current = { values, base, isDirty };
  /** What was last changed is saved or given up. */
  const isOver = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is there
  useEffect(() => {
    if (found) restore(found.values);
  }, []);
  const flush = (): void => {
    const { values: now, base: before, isDirty: isChanged } = latest.current;
    if (name !== undefined && isChanged && !isOver.current) keepDraft(name, now, digestOf(before));
  };
  const text = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the values
  useEffect(() => {
    if (name === undefined) return;
    isOver.current = false;
    const timer = setTimeout(() => {
      flush();
      if (!latest.current.isDirty) dropDraft(name);
    }, delay);
    addEventListener('pagehide', flush);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', flush);
    };
  }, [name, text, isDirty]);
  // The form of another thing takes its place sooner than the delay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the name that it had
  useEffect(() => () => flush(), [name]);
  return {
    restored: found === undefined ? 'none' : found.base === first ? 'same' : 'outdated',
    at: found?.at ?? 0,
    drop: () => {
      if (name !== undefined) dropDraft(name);
      isOver.current = true;
      setFound(undefined);
    },
    accept: () => setFound(undefined),
  };
}
