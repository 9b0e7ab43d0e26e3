import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../../database/connection/connect.ts';
import { LostStore } from './lost-store.ts';

describe('the replacement of a lost container', () => {
  let database: TestDatabase;
  let connection: ReturnType<typeof connectDatabase>;
  let userId: number;
  before(async () => {
    database = await createTestDatabase();
    connection = connectDatabase({
      address: database.address,
      maxConnections: 2,
      statementTimeout: 15_000,
      acquireTimeout: 5000,
      onError: () => {},
    });
    const user = { username: 'ada', email: 'ada@example.com', password_hash: 'x' };
    userId = (await connection.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()).id;
  });
  after(async () => {
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  /** The minutes that an attempt gets whose home folder was saved 20 minutes ago. */
  async function givenTo(name: string, paused_at: Date | null): Promise<number> {
    const { db } = connection;
    const expires_at = minutesAgo(-30);
    const attempt = await db
      .insertInto('attempts')
      .values({
        ...{ kind: 'exam', user_id: userId, title: 'Exam', container_name: name, max_score: 1, passing_score: 1 },
        ...{ status: 'in_progress', started_at: minutesAgo(40), expires_at, paused_at },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = await db
      .insertInto('containers')
      .values({
        ...{ name, user_id: userId, kind: 'exam', image: 'none', attempt_id: attempt.id, status: 'creating' },
        home_saved_at: minutesAgo(20),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await new LostStore(db, 0).setReplaced(row, { ref: `new-${name}`, hasHome: true, isHomeAll: true });
    const query = db.selectFrom('attempts').select('expires_at').where('id', '=', attempt.id);
    const moved = (await query.executeTakeFirstOrThrow()).expires_at?.getTime() ?? 0;
    await db.updateTable('attempts').set({ status: 'abandoned' }).where('id', '=', attempt.id).execute();
    return Math.round((moved - expires_at.getTime()) / 60_000);
  }

  it('gives an attempt the time since its home folder was saved', async () => {
    assert.equal(await givenTo('running', null), 20);
  });

  it('does not give the time of a pause, which the resume gives', async () => {
    assert.equal(await givenTo('paused', minutesAgo(15)), 5);
    assert.equal(await givenTo('saved-in-the-pause', minutesAgo(25)), 0);
  });
});
