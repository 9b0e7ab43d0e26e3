import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Claims } from '../auth/tokens.ts';
import { closeCodes, type Size, TerminalClosed } from './protocol.ts';

/** What one process tells another of a client whose terminal is there. */
export type RelayPass = {
  containerId: number;
  /** Of the client's socket; empty without one. */
  protocol: string;
  /** Of the token that the client showed: the other process checks its user again while the terminal is open. */
  claims: Claims;
  /** As the client gave it. */
  size: Size | 'invalid' | undefined;
  sessionId: string | undefined;
};

/** The header that carries a pass. */
export const relayHeader = 'x-terminal-relay';

/** Milliseconds from a challenge to the request that answers it. */
const lifetime = 10_000;
const mostChallenges = 10_000;
/** A pass is some 400 bytes long; a session's id and a subprotocol are checked before they come into one. */
const longest = 2000;

/**
 * Requests from process to process, in place of the user's token. The process that has the terminal gives out a challenge; the other one
 * signs it together with everything that the request says. A challenge is good once and for ten seconds by the clock of the process that
 * gave it out, so the clocks of machines need not agree.
 */
export class RelayPasses {
  readonly #key: Buffer;
  readonly #challenges: LRUCache<string, true>;

  /** @param secretKey the installation's; the key of passes is derived from it, so that neither is good for the other's purpose */
  constructor(secretKey: string, { ttl = lifetime, max = mostChallenges } = {}) {
    this.#key = Buffer.from(hkdfSync('sha256', secretKey, '', 'learning-platform terminal relay v1', 32));
    this.#challenges = new LRUCache({ max, ttl, ttlResolution: 0 });
  }

  challenge(): string {
    const challenge = randomBytes(18).toString('base64url');
    this.#challenges.set(challenge, true);
    return challenge;
  }

  sign(challenge: string, pass: RelayPass): string {
    const content = `v1.${Buffer.from(JSON.stringify({ ...pass, challenge })).toString('base64url')}`;
    return `${content}.${this.#signature(content).toString('base64url')}`;
  }

  /**
   * @param header as it came
   * @param request what it came with, which the pass has to name
   * @throws TerminalClosed in the same words for whatever is wrong
   */
  accept(header: string, request: Pick<RelayPass, 'protocol'> & { containerId: number | undefined }): RelayPass {
    const pass = this.#verified(header);
    // Taken back before anything else is compared: a pass is tried once.
    const isFresh = pass !== undefined && this.#challenges.get(pass.challenge) === true;
    if (pass) this.#challenges.delete(pass.challenge);
    if (!pass || !isFresh || pass.containerId !== request.containerId || pass.protocol !== request.protocol)
      throw new TerminalClosed(closeCodes.forbidden, 'This request of another process is not valid');
    return pass;
  }

  #verified(header: string): (RelayPass & { challenge: string }) | undefined {
    const end = header.lastIndexOf('.');
    if (header.length > longest || !header.startsWith('v1.') || end < 3) return undefined;
    const content = header.slice(0, end);
    const given = Buffer.from(header.slice(end + 1), 'base64url');
    const expected = this.#signature(content);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(content.slice(3), 'base64url').toString());
  }

  #signature(content: string): Buffer {
    return createHmac('sha256', this.#key).update(content).digest();
  }
}
