import { parseInSteps, type Step, type TextToParse } from './parse-in-steps.ts';

export type Request = TextToParse & { id: number };
export type Answer = { id: number } & ({ step: Step } | { isFailed: true });

/** Converts texts apart from the page, which stays responsive. */
addEventListener('message', ({ data: { id, ...text } }: MessageEvent<Request>) => {
  const answer = (message: Answer): void => postMessage(message);
  try {
    parseInSteps(text, (step) => answer({ id, step }));
  } catch {
    answer({ id, isFailed: true });
  }
});
