import { loadEmoji, mayHaveEmoji } from './emoji.ts';
import type { Answer, Request } from './markdown-worker.ts';
import type { Step, TextToParse } from './parse-in-steps.ts';
import type { Node } from './tree-plugins.ts';

type Job = Request & { report: (step: Step) => void; fail: () => void };

let worker: Worker | undefined;
let lastId = 0;
const jobs = new Map<number, Job>();

/** Starts the thread that converts texts, so that it is there when a text arrives. */
export function prepareParser(): void {
  if (worker) return;
  worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module', name: 'markdown' });
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const job = jobs.get(data.id);
    if (!job) return;
    if ('isFailed' in data) {
      jobs.delete(data.id);
      job.fail();
    } else {
      if (data.step.isWhole) jobs.delete(data.id);
      job.report(data.step);
    }
  });
  // The script of the thread could not be loaded.
  worker.addEventListener('error', () => {
    stop();
    for (const { fail } of drained()) fail();
  });
}

function stop(): void {
  worker?.terminate();
  worker = undefined;
}

function drained(): Job[] {
  const all = [...jobs.values()];
  jobs.clear();
  return all;
}

/**
 * Converts a text in a thread, or in the page where there is no thread. A text that cannot be converted is shown as it is written.
 * @returns ends the conversion: a text can take any time
 */
export function parse(text: TextToParse, report: (step: Step) => void): () => void {
  lastId += 1;
  const id = lastId;
  let isWanted = true;
  const reportWanted = (step: Step): void => {
    if (isWanted) report(step);
  };
  const start = (emoji?: Record<string, string>): void => {
    const whole = { ...text, emoji };
    const fail = (): void => void parseHere(whole, reportWanted);
    if (isWanted) send({ ...whole, id, report: reportWanted, fail });
  };
  // The thread itself may load nothing.
  if (mayHaveEmoji(text.markdown)) loadEmoji().then(start, () => start());
  else start();
  return () => {
    isWanted = false;
    if (!jobs.delete(id)) return;
    // The thread has not finished. What else waits for it begins again in another one.
    stop();
    for (const other of drained()) send(other);
  };
}

function send(job: Job): void {
  prepareParser();
  jobs.set(job.id, job);
  const { report: _report, fail: _fail, ...request } = job;
  worker?.postMessage(request satisfies Request);
}

async function parseHere(text: TextToParse, report: (step: Step) => void): Promise<void> {
  try {
    const { parseInSteps } = await import('./parse-in-steps.ts');
    parseInSteps(text, report);
  } catch {
    const asWritten: Node = { type: 'text', value: text.markdown };
    const block: Node = { type: 'element', tagName: 'pre', properties: {}, children: [asWritten] };
    report({ blocks: [block], headings: [], from: 0, isWhole: true });
  }
}
