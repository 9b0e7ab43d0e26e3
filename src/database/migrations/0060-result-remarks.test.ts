import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { sql } from 'kysely';
import { addressOf, createDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../connection/connect.ts';
import { migrate, migrationNames } from '../migrate.ts';

it('makes remarks of the notes in the output of old results', async () => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  const limits = { maxConnections: 1, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
  const { db } = connectDatabase({ address: addressOf(name), ...limits });
  const cut = '[the output was longer; these are its last 64 KiB]';
  const cases: [passed: boolean, output: string, shown: string, remark: string | null][] = [
    [true, 'PASS', 'PASS', null],
    [false, 'no\nFAIL', 'no\nFAIL', null],
    [false, 'a\n[no verdict: it was stopped]', 'a', 'no verdict: it was stopped'],
    [false, '[exit status 3]', '', 'exit status 3'],
    [true, `${cut}\ntail\nPASS`, 'tail\nPASS', 'the output was longer; these are its last 64 KiB'],
    [false, `${cut}\ntail\n[exit status 1]`, 'tail', 'the output was longer; these are its last 64 KiB; exit status 1'],
    [false, 'a\n[no verdict: x]\nFAIL', 'a\n[no verdict: x]\nFAIL', null],
    [true, '[exit status 3]', '[exit status 3]', null],
  ];
  try {
    await migrate(db, migrationNames[migrationNames.indexOf('0060-result-remarks') - 1]);
    await sql`insert into users (username, email, password_hash) values ('student', 's@example.com', 'x')`.execute(db);
    await sql`insert into attempts (kind, user_id, title, container_name, status, submitted_at, expires_at, score, max_score, passing_score, passed)
      values ('exam', 1, 'Exam', 'c', 'finished', now(), now(), 0, 0, 0, true)`.execute(db);
    for (const [index, [passed, output]] of cases.entries())
      await sql`insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output)
        values (1, ${index + 1}, 'Task', 0, 0, 0, ${passed}, ${output})`.execute(db);
    await migrate(db, '0060-result-remarks');
    const rows = await db.selectFrom('task_results').selectAll().orderBy('task_id').execute();
    assert.deepEqual(
      rows.map(({ passed, output, remark }) => [passed, output, remark]),
      cases.map(([passed, , shown, remark]) => [passed, shown, remark]),
    );
  } finally {
    await db.destroy();
  }
});
