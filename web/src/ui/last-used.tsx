import { Ago } from './ago.tsx';

/** When a key was last used: how long ago, or that it never was. */
export function LastUsed({ time, words }: { time: string | null; words: { used: string; never: string } }) {
  if (time === null) return words.never;
  return (
    <>
      {words.used} <Ago time={time} />
    </>
  );
}
