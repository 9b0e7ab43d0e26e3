import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeLong, rounds } from '../rounds.ts';
import { TestServer } from '../server.ts';

const seconds = rounds(5, 60);
/** The time limit of a login in milliseconds. */
const patience = 20_000;
const cheap = { username: 'bystander', email: 'bystander@example.com', password: 'password of bystander' };

describeLong('hundreds of registrations', { timeout: 600_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({
      TRUST_PROXY: 'true',
      // The attack exploits the cost of a hash, so it is that of production.
      BCRYPT_COST: '12',
      // The queues must be sufficient without the hourly limit.
      PEOPLE_PER_ADDRESS: '1000000',
    });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const send = async (path: string, json: unknown, address: string): Promise<number> => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(json),
      signal: AbortSignal.timeout(patience),
    });
    await response.arrayBuffer();
    return response.status;
  };
  /** Logs in several times in sequence. Fails if a login is refused. @returns their times in milliseconds */
  async function logins(address: string, isOver: () => boolean, least: number): Promise<number[]> {
    const times: number[] = [];
    while (!isOver() || times.length < least) {
      const begin = performance.now();
      const status = await send('/api/auth/login', cheap, address).catch(() => 0);
      times.push(performance.now() - begin);
      assert.equal(status, 200, `login ${times.length} of ${address}, after ${times.at(-1)} ms`);
      await delay(100);
    }
    return times;
  }
  const p95 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

  it(`from one network, 50 a second for ${seconds} s, do not keep another network from logging in`, async () => {
    assert.equal(await send('/api/auth/register', cheap, '198.51.100.7'), 200);
    const quiet = p95(await logins('198.51.100.7', () => true, 5));

    const begin = performance.now();
    const isOver = () => performance.now() - begin > seconds * 1000;
    const pending: Promise<unknown>[] = [];
    const statuses = new Map<number, number>();
    const attack = (async () => {
      for (let count = 0; !isOver(); count += 1) {
        // One network with many addresses. Every second name is taken.
        const name = count % 2 === 0 ? cheap.username : `flood${count}`;
        const json = { username: name, email: `flood${count}@example.com`, password: 'a long password' };
        const answer = send('/api/auth/register', json, `203.0.113.${count % 250}`).catch(() => 0);
        pending.push(answer.then((status) => statuses.set(status, (statuses.get(status) ?? 0) + 1)));
        await delay(Math.max(0, begin + count * 20 - performance.now()));
      }
    })();
    // One from a network that the account has used, and one from an unknown network.
    const [known, unknown] = await Promise.all([
      logins('198.51.100.7', isOver, 5),
      logins('192.0.2.9', isOver, 5),
      attack,
    ]);
    await Promise.all(pending);
    const said = JSON.stringify({ quiet, statuses: [...statuses], known, unknown });
    // The attack's own requests wait until their time limit. A machine that is busy with other tests is slow even without the attack.
    const bound = Math.max(patience / 4, 8 * quiet);
    assert.ok(p95(known) < bound && p95(unknown) < bound, said);
    assert.equal(statuses.get(400), Math.ceil([...statuses.values()].reduce((sum, one) => sum + one) / 2), said);
  });
});
