import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { sql } from 'kysely';
import { addressOf, createDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../connection/connect.ts';
import * as initial from './0001-initial.ts';
import * as authoring from './0003-authoring.ts';

// Long: the rows before and after are written out.
it('assigns exams an order and missing slugs in a database with data', async () => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  const limits = { maxConnections: 1, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
  const { db } = connectDatabase({ address: addressOf(name), ...limits });
  try {
    await initial.up(db as never);
    await sql`insert into exams (title, slug, container_image, time_limit_minutes, passing_score) values
      ('Shell basics!', null, 'i', 5, 0), ('Second', 'shell-basics', 'i', 5, 0), ('Ещё', null, 'i', 5, 0)`.execute(db);
    await sql`insert into laboratories (title, container_image, passing_score) values ('Lab', 'i', 0), ('lab', 'i', 0)`.execute(
      db,
    );
    await sql`insert into exam_tasks (exam_id, title, points, verification_script) values
      (1, 'One', 1, 'x'), (1, 'One', 1, 'x'), (2, 'One', 1, 'x')`.execute(db);
    await sql`insert into laboratory_tasks (laboratory_id, title, points, verification_script) values (1, 'One', 1, 'x')`.execute(
      db,
    );
    await authoring.up(db as never);
    const exams = await db.selectFrom('exams').select(['slug', 'order_index']).orderBy('id').execute();
    assert.deepEqual(exams, [
      { slug: 'shell-basics-2', order_index: 1 },
      { slug: 'shell-basics', order_index: 2 },
      { slug: 'exam', order_index: 3 },
    ]);
    const slugs = async (table: 'laboratories' | 'exam_tasks' | 'laboratory_tasks') =>
      (await db.selectFrom(table).select('slug').orderBy('id').execute()).map(({ slug }) => slug);
    assert.deepEqual(await slugs('laboratories'), ['lab', 'lab-2']);
    assert.deepEqual(await slugs('exam_tasks'), ['one', 'one-2', 'one']);
    assert.deepEqual(await slugs('laboratory_tasks'), ['one']);

    const trial = { name: 'trial', kind: 'trial', image: 'i', status: 'creating' } as const;
    await assert.rejects(db.insertInto('containers').values(trial).execute(), /containers_trial_check/);
    const ends = sql<Date>`now()`;
    await db
      .insertInto('containers')
      .values({ ...trial, expires_at: ends })
      .execute();
    const orphan = { ...trial, name: 'exam', kind: 'exam' } as const;
    await assert.rejects(db.insertInto('containers').values(orphan).execute(), /containers_check/);
  } finally {
    await db.destroy();
  }
});
