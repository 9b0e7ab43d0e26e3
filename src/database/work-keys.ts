import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** A result of an attempt that somebody grades, and how often the attempt was reopened before: each time it gets other results. */
export type Work = { attemptId: number; taskId: number; reopenings: number };

/**
 * Names of results that tell nobody whose they are, and that nobody can make up: the numbers in one block, encrypted with a key of the
 * installation. The rest of the block is zero, which tells a made up name.
 */
export class WorkKeys {
  readonly #key: Buffer;
  /** What attempts are ordered by without names, together with their ids. */
  readonly salt: string;

  constructor(secretKey: string) {
    this.#key = createHash('sha256').update(`names of graded results ${secretKey}`).digest().subarray(0, 16);
    this.salt = createHash('sha256').update(`order of graded results ${secretKey}`).digest('hex');
  }

  of({ attemptId, taskId, reopenings }: Work): string {
    const block = Buffer.alloc(16);
    block.writeUInt32BE(attemptId, 0);
    block.writeUInt32BE(taskId, 4);
    block.writeUInt32BE(reopenings, 8);
    const cipher = createCipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
  }

  /** @returns undefined for what this installation has not named */
  read(name: string): Work | undefined {
    const sent = Buffer.from(name, 'base64url');
    if (sent.length !== 16) return undefined;
    const decipher = createDecipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(sent), decipher.final()]);
    if (block.readUInt32BE(12) !== 0) return undefined;
    return { attemptId: block.readUInt32BE(0), taskId: block.readUInt32BE(4), reopenings: block.readUInt32BE(8) };
  }
}
