import { connectDatabase, newClient } from '../database/connection/connect.ts';
import { Jobs } from '../database/jobs.ts';
import { Agreement } from '../database/processes/agreement.ts';
import { ChangeFeed } from '../database/processes/change-feed.ts';
import { Peers } from '../database/processes/peers.ts';
import { Presence } from '../database/processes/presence.ts';
import { Work } from '../work.ts';
import type { Surroundings } from './parts.ts';

/** The database, the messages between processes through it, and its job queue. */
export async function composeDatabase({ config, overrides, log, cleanup }: Surroundings) {
  const { db, pool } = connectDatabase({
    address: overrides.database,
    ...config.database,
    onError: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  });
  cleanup.defer(() => db.destroy());
  const feed = cleanup.use(
    new ChangeFeed({
      newClient: () => newClient(overrides.database),
      onError: (error) => log.warn({ err: error }, 'listening for changes was interrupted'),
      patience: config.database.silenceTimeout,
      onSilence: (since) => pool.shutIfSilent(since),
      onAnswer: () => pool.open(),
    }),
  );
  const peers = new Peers({ feed });
  const agreement = new Agreement(feed, peers);
  const jobs = new Jobs({ pool, onError: (error) => log.warn({ err: error }, 'the job queue was interrupted') });
  const presence = cleanup.use(
    await Presence.begin({
      db,
      newClient: () => newClient(overrides.database),
      onError: (error) => log.warn({ err: error }, 'the heartbeat of this process was interrupted'),
    }),
  );
  return { db, pool, feed, peers, agreement, presence, work: new Work({ jobs, log }) };
}

export type DatabaseParts = Awaited<ReturnType<typeof composeDatabase>>;
