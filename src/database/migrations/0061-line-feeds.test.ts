import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { sql } from 'kysely';
import { addressOf, createDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../connection/connect.ts';
import { migrate, migrationNames } from '../migrate.ts';

// Long: one database before and after the migration.
it('mends scripts and texts, those of running attempts and the files that are scripts', async () => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  const limits = { maxConnections: 1, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
  const { db } = connectDatabase({ address: addressOf(name), ...limits });
  const windows = '\uFEFFprintf "a\\r\\n"\r\necho\rPASS\r\n';
  const mended = 'printf "a\\r\\n"\necho\nPASS\n';
  try {
    await migrate(db, migrationNames[migrationNames.indexOf('0061-line-feeds') - 1]);
    await sql`insert into exams (title, container_image, time_limit_minutes, passing_score, conclusion, setup_script)
      values ('Exam', 'i', 5, 0, ${'one\r\ntwo'}, null)`.execute(db);
    await sql`insert into exam_tasks (exam_id, title, points, verification_script) values (1, 'Task', 1, ${windows})`.execute(
      db,
    );
    const content = JSON.stringify({ tasks: [{ verification_script: windows }], files: [] });
    await sql`insert into users (username, email, password_hash) values ('student', 's@example.com', 'x')`.execute(db);
    for (const status of ['in_progress', 'abandoned']) {
      await sql`insert into subject_states (digest, container_image, passing_score, max_score, is_sequential, content)
        values (${status}, 'i', 0, 0, false, ${content}::jsonb)`.execute(db);
      await sql`insert into attempts (kind, user_id, title, container_name, status, expires_at, max_score, passing_score, state_id)
        select 'exam', 1, 'Exam', ${status}, ${status}, now(), 0, 0, max(id) from subject_states`.execute(db);
    }
    const files: [string, string, string][] = [
      ['/bin/tool', '#!/bin/sh\r\ntrue\r\n', '#!/bin/sh\ntrue\n'],
      ['/srv/data.txt', 'a\r\n', 'a\r\n'],
    ];
    for (const [path, text] of files) {
      await sql`insert into setup_contents (digest, bytes) values (${path}, ${text.length})`.execute(db);
      await sql`insert into setup_content_parts (digest, part, content) values (${path}, 0, ${Buffer.from(text)})`.execute(
        db,
      );
      await sql`insert into setup_files (exam_id, path, owner, mode, bytes, digest)
        values (1, ${path}, 'root', '0755', ${text.length}, ${path})`.execute(db);
    }
    await migrate(db, '0061-line-feeds');
    const [exam] = await db.selectFrom('exams').select('conclusion').execute();
    const [task] = await db.selectFrom('exam_tasks').select('verification_script').execute();
    assert.deepEqual([exam?.conclusion, task?.verification_script], ['one\ntwo', mended]);
    const states = await db.selectFrom('subject_states').select('content').orderBy('id').execute();
    assert.deepEqual(
      states.map((state) => state.content.tasks[0]?.verification_script),
      [mended, windows],
      'what an ended attempt was graded by stays',
    );
    const stored = await db
      .selectFrom('setup_files')
      .innerJoin('setup_content_parts as part', 'part.digest', 'setup_files.digest')
      .select(['path', 'bytes', 'part.content'])
      .orderBy('path')
      .execute();
    assert.deepEqual(
      stored.map((file) => [file.path, file.bytes, `${file.content}`]),
      files.map(([path, , text]) => [path, text.length, text]),
    );
  } finally {
    await db.destroy();
  }
});
