import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { sql } from 'kysely';
import { addressOf, createDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../connection/connect.ts';
import { migrate, migrationNames } from '../migrate.ts';

it('keeps the contents of files, those of equal files once', async () => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  const limits = { maxConnections: 1, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
  const { db } = connectDatabase({ address: addressOf(name), ...limits });
  try {
    await migrate(db, migrationNames[migrationNames.indexOf('0033-pinned') - 1]);
    await sql`insert into exams (title, container_image, time_limit_minutes, passing_score) values ('Exam', 'i', 5, 0)`.execute(
      db,
    );
    await sql`insert into setup_files (exam_id, path, owner, mode, bytes, digest) values
      (1, '/a', 'root', '0644', 3, 'one'), (1, '/b', 'root', '0644', 3, 'one'), (1, '/c', 'root', '0644', 0, 'none')`.execute(
      db,
    );
    await sql`insert into setup_file_parts values (1, 0, 'xy'), (1, 1, 'z'), (2, 0, 'xy'), (2, 1, 'z')`.execute(db);
    await migrate(db, '0033-pinned');
    const contents = await db.selectFrom('setup_contents').select(['digest', 'bytes']).orderBy('digest').execute();
    assert.deepEqual(contents, [
      { digest: 'none', bytes: 0 },
      { digest: 'one', bytes: 3 },
    ]);
    const parts = await db.selectFrom('setup_content_parts').selectAll().orderBy('part').execute();
    assert.deepEqual(
      parts.map(({ digest, part, content }) => [digest, part, content.toString()]),
      [
        ['one', 0, 'xy'],
        ['one', 1, 'z'],
      ],
    );
    await assert.rejects(db.deleteFrom('setup_contents').where('digest', '=', 'one').execute(), /setup_files/);
  } finally {
    await db.destroy();
  }
});
