import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Claims } from '../../auth/tokens.ts';
import { closeCodes, type Size, TerminalClosedError } from '../protocol.ts';

/** One process's description of a client whose terminal is in another process. */
export type RelayPass = {
  containerId: number;
  /** The subprotocol of the client's socket. Empty without one. */
  protocol: string;
  /** The claims of the client's token. The other process checks the user again while the terminal is open. */
  claims: Claims;
  /** As sent by the client. */
  size: Size | 'invalid' | undefined;
  sessionId: string | undefined;
};

/** Why a process refuses the pass of another. */
export const passRefused = 'This request of another process is not valid';

/** The header that carries a pass. */
export const relayHeader = 'x-terminal-relay';

/** Milliseconds from a challenge to the request that uses it. */
const lifetime = 10_000;
const mostChallenges = 10_000;
/** A pass is about 400 bytes long. Session ids and subprotocols are checked before they are included. */
const longest = 2000;

/**
 * Authenticates requests between processes, instead of the user's token. The process that has the terminal issues a challenge. The other
 * process signs it together with the entire content of the request. A challenge is valid once, for ten seconds by the clock of the process
 * that issued it, so the clocks of machines may differ.
 */
export class RelayPasses {
  readonly #key: Buffer;
  readonly #challenges: LRUCache<string, true>;

  /** @param secretKey the installation's key; the key of passes is derived from it, so that neither is valid for the other's purpose */
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
   * @param header as received
   * @param request the request's own values, which the pass must match
   * @throws TerminalClosedError with the same message for any error
   */
  accept(header: string, request: Pick<RelayPass, 'protocol'> & { containerId: number | undefined }): RelayPass {
    const pass = this.#verified(header);
    // Revoked before any other comparison, so that a pass can be tried only once.
    const isFresh = pass !== undefined && this.#challenges.get(pass.challenge) === true;
    if (pass) this.#challenges.delete(pass.challenge);
    if (!pass || !isFresh || pass.containerId !== request.containerId || pass.protocol !== request.protocol)
      throw new TerminalClosedError(closeCodes.forbidden, passRefused);
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
