import type { Claims } from '../auth/tokens.ts';
import type { Size } from './protocol.ts';
import type { RelayPass, RelayPasses } from './relay-passes.ts';

/** What a client asked for in the address. */
export type TerminalRequest = {
  /** Undefined where the address names none. */
  containerId: number | undefined;
  token: string;
  /** Invalid where it was given and makes no sense. */
  size: Size | 'invalid' | undefined;
  sessionId: string | undefined;
  /** Of another process, which has found the terminal here. Where there is one, it counts and not the address. */
  pass: string | undefined;
};

/** What is asked for, once it is known who asks. */
export type Asked = Omit<RelayPass, 'containerId' | 'protocol'> & {
  containerId: number | undefined;
  isRelayed: boolean;
};

export type RequestParts = {
  passes: Pick<RelayPasses, 'accept'>;
  sessions: {
    /** What a token says. @throws Unauthorized */
    claimsOf(token: string): Claims;
  };
  log: { warn: (details: object, message: string) => void };
};

/** A request over another process is identified by its pass alone, every other request by its token alone. @throws Unauthorized */
export function identify(
  { passes, sessions, log }: RequestParts,
  protocol: string,
  { pass, token, containerId, size, sessionId }: TerminalRequest,
): Asked {
  if (pass === undefined) return { claims: sessions.claimsOf(token), containerId, size, sessionId, isRelayed: false };
  try {
    return { ...passes.accept(pass, { containerId, protocol }), isRelayed: true };
  } catch (error) {
    // A stranger's; or a process of ours that has another key, which somebody has to be told.
    log.warn({ container_id: containerId }, 'a request of another process was refused: all need the same SECRET_KEY');
    throw error;
  }
}
