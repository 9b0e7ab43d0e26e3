import type { Peers } from '../../../database/processes/peers.ts';
import type { RelayPasses } from './passes.ts';

export type Counts = { user: number; all: number; left: number };
/** A shell of a container. `begunAt` is by the clock of its process. */
export type ShellFacts = { id: string; begunAt: number; isDetached: boolean };
/** When a terminal began, by its process's clock, the URL of that process, and the challenge that a request to it must sign. */
export type Found = { url: string; begunAt: number; challenge: string };

/** The terminals of this process, for requests of other processes. */
export type LocalTerminals = {
  /** Finds the session with the given id, or without an id the newest one of the container. @returns when it began */
  find(containerId: number, sessionId: string | undefined): Promise<number | undefined>;
  count(userId: number): Counts;
  /** Those of these containers in which their user has a terminal open. */
  connected(containerIds: readonly number[]): number[];
  shellsOf(containerId: number): ShellFacts[];
  /** Ends one detached terminal of the user, if any: that with the given id, or the first one. */
  endDetached(userId: number, sessionId?: string): void;
};

/** None of these fails: a process that does not answer in time is left out. */
export type PeerTerminals = {
  find(containerId: number, sessionId: string | undefined): Promise<Found | undefined>;
  count(userId: number): Promise<Counts>;
  connected(containerIds: readonly number[]): Promise<number[]>;
  shellsOf(containerId: number): Promise<ShellFacts[]>;
  endDetached(userId: number, sessionId?: string): Promise<void>;
  serve(here: LocalTerminals): void;
};

const topics = {
  find: 'terminal',
  count: 'terminals',
  connected: 'terminals-open',
  shells: 'terminals-of',
  endDetached: 'terminal-room',
};

/** So many ids of ten digits fit into a message. */
const idsInMessage = 500;

/**
 * The terminals of the other processes.
 * @param url the address of this process for the others; undefined until it listens
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
    connected: async (containerIds) => {
      const found: number[] = [];
      for (let from = 0; from < containerIds.length; from += idsInMessage) {
        const ids = containerIds.slice(from, from + idsInMessage);
        for (const answer of await peers.ask(topics.connected, ids.join(' ')))
          found.push(...answer.split(' ').map(Number));
      }
      return found;
    },
    shellsOf: async (containerId) =>
      (await peers.ask(topics.shells, `${containerId}`)).flatMap((answer) => JSON.parse(answer) as ShellFacts[]),
    endDetached: async (userId, sessionId) =>
      void (await peers.ask(topics.endDetached, sessionId === undefined ? `${userId}` : `${userId} ${sessionId}`)),
    serve: (here) => {
      peers.answer(topics.find, async (text) => {
        const [containerId, sessionId] = JSON.parse(text) as [number, string | null];
        const begunAt = await here.find(containerId, sessionId ?? undefined);
        const own = url();
        if (begunAt === undefined || own === undefined) return undefined;
        return JSON.stringify({ url: own, begunAt, challenge: passes.challenge() } satisfies Found);
      });
      peers.answer(topics.count, (userId) => JSON.stringify(here.count(Number(userId))));
      peers.answer(topics.connected, (ids) => here.connected(ids.split(' ').map(Number)).join(' ') || undefined);
      peers.answer(topics.shells, (containerId) => {
        const shells = here.shellsOf(Number(containerId));
        return shells.length > 0 ? JSON.stringify(shells) : undefined;
      });
      peers.answer(topics.endDetached, (text) => {
        const [userId, sessionId] = text.split(' ');
        here.endDetached(Number(userId), sessionId);
        return undefined;
      });
    },
  };
}
