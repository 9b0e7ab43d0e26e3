import type { Claims } from '../auth/tokens.ts';
import type { Size } from './protocol.ts';
import type { RelayPass, RelayPasses } from './relays/passes.ts';

/** A client's request, from the URL. */
export type TerminalRequest = {
  /** Undefined where the URL contains none. */
  containerId: number | undefined;
  token: string;
  /** `invalid` where a value was given and cannot be parsed. */
  size: Size | 'invalid' | undefined;
  sessionId: string | undefined;
  /** Whether a new shell is a plain one. */
  isPlain?: boolean;
  /** Of the client. */
  network?: string;
  /** From another process that has found the terminal here. A pass takes precedence over the URL. */
  pass: string | undefined;
};

/** The request after authentication. */
export type Asked = Omit<RelayPass, 'containerId' | 'protocol'> & {
  containerId: number | undefined;
  isRelayed: boolean;
};

export type RequestParts = {
  passes: Pick<RelayPasses, 'accept'>;
  sessions: {
    /** The claims of a token. @throws UnauthorizedError */
    claimsOf(token: string): Claims;
  };
};

/** A request through another process is authenticated only by its pass, every other request only by its token. @throws UnauthorizedError */
export function identify(
  { passes, sessions }: RequestParts,
  protocol: string,
  { pass, token, containerId, size, sessionId }: TerminalRequest,
): Asked {
  if (pass === undefined) return { claims: sessions.claimsOf(token), containerId, size, sessionId, isRelayed: false };
  // A refusal is not logged here: anybody can send such a header. The process that sent a refused one logs it (`Relays`).
  return { ...passes.accept(pass, { containerId, protocol }), isRelayed: true };
}
