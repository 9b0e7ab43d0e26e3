import { type DatabaseAddress, newClient } from '../connection/connect.ts';
import { Agreement } from './agreement.ts';
import { ChangeFeed } from './change-feed.ts';
import { Peers } from './peers.ts';

/**
 * Waits until every running process of the service knows the changes that were committed before. For commands, which change the database
 * of a running service. Never throws: where it cannot listen, the processes learn of the changes a moment later by themselves.
 */
export async function changesAreKnown(address: DatabaseAddress): Promise<void> {
  await using feed = new ChangeFeed({ newClient: () => newClient(address), onError: () => {} });
  const agreement = new Agreement(feed, new Peers({ feed }));
  await feed.start();
  feed.changed();
  await agreement.reached();
}
