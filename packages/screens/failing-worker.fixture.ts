/** The regular worker, plus words in the output that make it fail. */
import { KeptScreen } from './kept-screen.ts';

const failures: Record<string, () => void> = {
  HANG: () => {
    for (;;);
  },
  HEAP: () => {
    let last: object = {};
    for (;;) last = { last };
  },
  THROW: () => {
    throw new Error('thrown');
  },
  EXIT: () => process.exit(1),
  // As on a machine whose cores are busy with something else.
  WAIT: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  },
};

const { write, step } = KeptScreen.prototype;
const next = new WeakMap<KeptScreen, () => void>();
KeptScreen.prototype.write = function written(bytes, skipped) {
  const text = Buffer.from(bytes).toString('latin1');
  for (const [word, fail] of Object.entries(failures)) if (text.includes(word)) next.set(this, fail);
  write.call(this, bytes, skipped);
};
KeptScreen.prototype.step = function stepped() {
  next.get(this)?.();
  return step.call(this);
};
await import('./worker.ts');
