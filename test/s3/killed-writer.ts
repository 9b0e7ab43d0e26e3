import { randomBytes } from 'node:crypto';
import { createObjectStore } from '../../src/compose/storage.ts';
import { loadConfig } from '../../src/config.ts';

/** Writes to the storage of its environment until it is killed: one file that never ends, and one that grows line by line. */
const [whole = '', grown = ''] = process.argv.slice(2);
const store = createObjectStore(loadConfig());

async function* endless() {
  for (let sent = 1; sent <= 30; sent += 1) {
    yield randomBytes(1024 * 1024);
    process.send?.({ sent });
  }
  await new Promise(() => undefined);
}

const file = await store.begin(grown);
void store.put(whole, endless(), { maxBytes: Number.MAX_SAFE_INTEGER });
for (let line = 0; ; line += 1) {
  await file.append(`${line}\n`);
  process.send?.({ line, at: Date.now() });
  await new Promise((resolve) => setTimeout(resolve, 20));
}
