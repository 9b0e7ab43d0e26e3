/**
 * Questions between the processes of the service through PostgreSQL (opening a terminal takes two), with 2 to 32 processes on one
 * database: how many a second, and the processor time that each costs PostgreSQL and all processes together.
 */
import pg from 'pg';
import { ChangeFeed } from '../src/database/processes/change-feed.ts';
import { Peers } from '../src/database/processes/peers.ts';
import { addressOf, templateName } from '../test/database.ts';
import { prepareEnvironment } from './environment.ts';
import { databaseSeconds } from './processor-time.ts';

const concurrency = 16;
const seconds = Number(process.env['BENCH_SECONDS'] ?? '5');

await using environment = await prepareEnvironment();

for (const count of [2, 4, 8, 16, 32]) {
  const feeds = Array.from(
    { length: count },
    () => new ChangeFeed({ newClient: () => new pg.Client(addressOf(templateName)), onError: () => {} }),
  );
  const peers = feeds.map((feed) => new Peers({ feed, patience: 60_000 }));
  for (const one of peers) one.answer('find', () => undefined);
  for (const feed of feeds) await feed.start();
  const end = performance.now() + 1000 * seconds;
  const before = { database: databaseSeconds(environment.databasePid), own: process.cpuUsage() };
  let asked = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, index) => {
      while (performance.now() < end) {
        await peers[index % count]?.ask('find', '[12345,null]');
        asked += 1;
      }
    }),
  );
  const own = process.cpuUsage(before.own);
  const database = (1e6 * (databaseSeconds(environment.databasePid) - before.database)) / asked;
  const processes = (own.user + own.system) / asked;
  process.stdout.write(
    `| questions between ${count} processes | ${Math.round(asked / seconds)} a second | PostgreSQL ${Math.round(database)} µs, all processes ${Math.round(processes)} µs a question | | |\n`,
  );
  for (const feed of feeds) await feed[Symbol.asyncDispose]();
}
process.exit();
