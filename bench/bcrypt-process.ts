/** The reference: bcrypt alone, with one concurrent hash per core. Runs for the given milliseconds and prints hashes per second. */
import { availableParallelism } from 'node:os';
import { genSaltSync, verify } from '@node-rs/bcrypt';

const [milliseconds = 4000] = process.argv.slice(2).map(Number);
const stored = genSaltSync({ cost: 12 }) + '.'.repeat(31);
const begin = performance.now();
let count = 0;
const line = async () => {
  while (performance.now() - begin < milliseconds) {
    await verify('a password', stored);
    count += 1;
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, line));
process.stdout.write(`${(count * 1000) / (performance.now() - begin)}\n`);
