import type { Peers } from '../../database/processes/peers.ts';
import type { RelayPasses } from './relay-passes.ts';

export type Counts = { user: number; all: number; left: number };
/** When a terminal began, by its process's clock, where that process is, and what a request to it has to be signed with. */
export type Found = { url: string; begunAt: number; challenge: string };

/** The terminals of this process, as others ask for them. */
export type LocalTerminals = {
  /** With a session's id that one, else the newest of the container. @returns when it began */
  find(containerId: number, sessionId: string | undefined): number | undefined;
  count(userId: number): Counts;
  /** Ends a terminal that its user has left, if there is one. */
  endDetached(userId: number): void;
};

/** None of these fails: a process that does not answer in time has no part in the answer. */
export type PeerTerminals = {
  find(containerId: number, sessionId: string | undefined): Promise<Found | undefined>;
  count(userId: number): Promise<Counts>;
  endDetached(userId: number): Promise<void>;
  serve(here: LocalTerminals): void;
};

const topics = { find: 'terminal', count: 'terminals', endDetached: 'terminal-room' };

/**
 * The terminals of the other processes.
 * @param url where this process is for the others; undefined until it listens
 */
export function createPeerTerminals(
  peers: Peers,
  passes: Pick<RelayPasses, 'challenge'>,
  url: () => string | undefined,
): PeerTerminals {
  return {
    find: async (containerId, sessionId) => {
      const answers = await peers.ask(topics.find, JSON.stringify([containerId, sessionId ?? null]));
      const found = answers.map((answer) => JSON.parse(answer) as Found);
      return found.sort((a, b) => b.begunAt - a.begunAt)[0];
    },
    count: async (userId) => {
      const answers = await peers.ask(topics.count, `${userId}`);
      const sum = { user: 0, all: 0, left: 0 };
      for (const answer of answers) {
        const { user, all, left } = JSON.parse(answer) as Counts;
        sum.user += user;
        sum.all += all;
        sum.left += left;
      }
      return sum;
    },
    endDetached: async (userId) => void (await peers.ask(topics.endDetached, `${userId}`)),
    serve: (here) => {
      peers.answer(topics.find, (text) => {
        const [containerId, sessionId] = JSON.parse(text) as [number, string | null];
        const begunAt = here.find(containerId, sessionId ?? undefined);
        const own = url();
        if (begunAt === undefined || own === undefined) return undefined;
        return JSON.stringify({ url: own, begunAt, challenge: passes.challenge() } satisfies Found);
      });
      peers.answer(topics.count, (userId) => JSON.stringify(here.count(Number(userId))));
      peers.answer(topics.endDetached, (userId) => {
        here.endDetached(Number(userId));
        return undefined;
      });
    },
  };
}
