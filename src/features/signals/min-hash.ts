/** Of a signature. The standard error of a likeness is 1 / sqrt(64): about 12 percentage points at most, half of that near 0 and 1. */
export const signatureSize = 64;

/** FNV-1a, with a last mixing step: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return mixed(value);
}
function mixed(given: number): number {
  let value = Math.imul(given ^ (given >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
const seeds = Array.from({ length: signatureSize }, (_, index) => mixed(index + 1));

/**
 * The MinHash signature of a set of texts: 64 numbers, whatever the size of the set. Of two sets, the share of equal numbers estimates how
 * much of both they have in common (A. Broder, On the resemblance and containment of documents, 1997).
 */
export class MinHash {
  readonly signature = new Int32Array(signatureSize).fill(0x7fffffff);

  add(text: string): void {
    const value = hash(text);
    for (let index = 0; index < signatureSize; index += 1) {
      const own = mixed(value ^ (seeds[index] ?? 0));
      if (own < (this.signature[index] ?? 0)) this.signature[index] = own;
    }
  }
}

/** 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  let same = 0;
  for (let index = 0; index < signatureSize; index += 1) if (one[index] === other[index]) same += 1;
  return same / signatureSize;
}
