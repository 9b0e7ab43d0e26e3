import { AsyncLocalStorage } from 'node:async_hooks';

const clients = new AsyncLocalStorage<string>();

/**
 * Whose request the current work belongs to: `user:7`, or the network of a client without a token. Undefined for work of the process
 * itself. It follows the work through its promises, so that limits of each client need no parameter.
 */
export const requestClient = (): string | undefined => clients.getStore();

/** Runs work of a client. */
export const asClient = <T>(client: string, work: () => T): T => clients.run(client, work);

/** Runs work that several clients share, although the request of one has begun it. */
export const asService = <T>(work: () => T): T => clients.exit(work);
