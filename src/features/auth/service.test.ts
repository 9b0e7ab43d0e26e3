import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { connectDatabase, newClient } from '../../database/connection/connect.ts';
import { keyedHash } from '../../database/keyed-hash.ts';
import { ChangeFeed } from '../../database/processes/change-feed.ts';
import { BadRequestError, TooManyRequestsError, UnauthorizedError } from '../../errors.ts';
import { KnownDeviceStore } from './known-device-store.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { LoginCookieStore } from './login-cookie-store.ts';
import { LoginStore } from './login-store.ts';
import type { Passwords } from './passwords/passwords.ts';
import { AuthService, type Session } from './service.ts';
import { UserStore } from './store.ts';
import { Tokens } from './tokens.ts';

const secretKey = 'a key of the service of logins, in its test';
const nothing = async (): Promise<void> => {};

describe('a login during a change', () => {
  let database: TestDatabase;
  let connection: ReturnType<typeof connectDatabase>;
  let users: UserStore;
  let auth: AuthService;
  /** Called while a password is compared. */
  let meanwhile = nothing;
  before(async () => {
    database = await createTestDatabase();
    const limits = { maxConnections: 5, statementTimeout: 15_000, acquireTimeout: 5000, onError: () => {} };
    connection = connectDatabase({ address: database.address, ...limits });
    users = new UserStore(connection.db);
    const passwords = {
      hash: async (password: string) => `hash of ${password}`,
      verify: async (password: string, stored: string | undefined) => {
        await meanwhile();
        return stored === `hash of ${password}`;
      },
    } as unknown as Passwords;
    auth = new AuthService({
      instructorScope: 'all',
      personalTokens: { admit: async () => undefined },
      hasLocalLogin: async () => true,
      views: { admit: async () => undefined },
      users,
      tokens: new Tokens(secretKey),
      passwords,
      throttle: new LoginThrottle(
        connection.db,
        {
          failuresPerAccount: 3,
          peoplePerAddress: 50,
          blockSeconds: 60,
          maxBlockSeconds: 900,
          forgetSeconds: 3600,
        },
        keyedHash(secretKey),
      ),
      devices: new KnownDeviceStore(connection.db, { devicesPerAccount: 3, deviceDays: 90 }, keyedHash(secretKey)),
      cookies: new LoginCookieStore(connection.db, { hash: keyedHash(secretKey), lifetime: 60, onReuse: () => {} }),
      logins: new LoginStore(connection.db, 60),
      takeCode: async () => false,
      hasApp: async () => false,
      // The feed never listens, so nothing is answered from a cache.
      feed: new ChangeFeed({ newClient: () => newClient(database.address), onError: () => {} }),
    });
  });
  after(async () => {
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });

  let count = 0;
  const newUser = async () => {
    count += 1;
    meanwhile = nothing;
    const username = `user${count}`;
    const email = `${username}@example.com`;
    const user = await users.create({ username, email, password_hash: 'hash of old', role: 'student' });
    return { ...user, login: username };
  };
  const current = async (id: number) => {
    const user = await users.byId(id);
    assert.ok(user);
    return user;
  };

  it('with a replaced password gets no token', async () => {
    const user = await newUser();
    meanwhile = async () => void (await users.setPassword(user, 'hash of new'));
    await assert.rejects(auth.login(user.username, 'old', 'a'), UnauthorizedError);
  });

  it('with an ended session cannot change the password', async () => {
    const user = await newUser();
    meanwhile = () => auth.logout(user);
    await assert.rejects(auth.changePassword(user, 'old', 'new', 'a'), UnauthorizedError);
    assert.equal((await current(user.id)).password_hash, 'hash of old');
  });

  it('changes the password once for concurrent requests with the old password', async () => {
    const user = await newUser();
    const { promise: allAreThere, resolve } = Promise.withResolvers<void>();
    let waiting = 0;
    meanwhile = async () => {
      waiting += 1;
      if (waiting === 3) resolve();
      await allAreThere;
    };
    const outcomes = await Promise.allSettled(
      ['one', 'two', 'three'].map((password) => auth.changePassword(user, 'old', password, 'a')),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('has a new session after a change, and cannot refresh an ended one', async () => {
    const user = await newUser();
    const { access_token } = await auth.changePassword(user, 'old', 'new', 'a');
    const signedIn = await auth.authenticate(access_token);
    assert.ok((await auth.refresh(signedIn)).access_token);
    await auth.logout(signedIn);
    await assert.rejects(auth.refresh(signedIn), UnauthorizedError);
  });

  it('keeps its id through refreshes and changes of the password', async () => {
    const user = await newUser();
    const idOf = ({ access_token }: Session) => auth.claimsOf(access_token).login;
    const [one, other] = [await auth.login(user.username, 'old', 'a'), await auth.login(user.username, 'old', 'a')];
    assert.notEqual(idOf(one), idOf(other));
    const signedIn = await auth.authenticate(one.access_token);
    assert.equal(idOf(await auth.refresh(signedIn)), idOf(one));
    assert.equal(idOf(await auth.changePassword(signedIn, 'old', 'new', 'a')), idOf(one));
  });

  it('does nothing once an exam has locked it out, whatever it was doing', async () => {
    const user = await newUser();
    const { access_token } = await auth.login(user.username, 'old', 'a');
    const seen = await auth.authenticate(access_token);
    const lock = (locked_login: string) =>
      connection.db.updateTable('users').set({ locked_login }).where('id', '=', user.id).execute();
    meanwhile = async () => void (await lock('another'));
    await assert.rejects(auth.changePassword(seen, 'old', 'new', 'a'), UnauthorizedError);
    await assert.rejects(auth.refresh(seen), UnauthorizedError);
    await auth.logout(seen);
    const { password_hash, tokens_valid_from } = await current(user.id);
    assert.deepEqual([password_hash, tokens_valid_from], ['hash of old', seen.tokens_valid_from]);
    await lock(seen.login);
    meanwhile = nothing;
    assert.ok(await auth.authenticate((await auth.changePassword(seen, 'old', 'new', 'a')).access_token));
  });

  it('that refreshes while it is ended has no token afterwards', async () => {
    const user = await newUser();
    for (let round = 0; round < 20; round += 1) {
      const seen = { ...(await current(user.id)), login: 'one' };
      const [refreshed] = await Promise.allSettled([auth.refresh(seen), auth.logout(seen), auth.refresh(seen)]);
      if (refreshed.status === 'rejected') continue;
      await assert.rejects(async () => await auth.authenticate(refreshed.value.access_token), UnauthorizedError);
    }
  });

  it('limits guesses of the old password like a login', async () => {
    const user = await newUser();
    for (let guess = 1; guess <= 3; guess += 1)
      await assert.rejects(auth.changePassword(user, `guess ${guess}`, 'new', 'g'), BadRequestError);
    await assert.rejects(auth.changePassword(user, 'old', 'new', 'g'), TooManyRequestsError);
    await assert.rejects(auth.login(user.username, 'old', 'g'), TooManyRequestsError);
  });
});
