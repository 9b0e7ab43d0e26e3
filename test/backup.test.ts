import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp from 'sharp';
import { connectDatabase, type Database } from '../src/database/connection/connect.ts';
import { migrate, migrationNames } from '../src/database/migrate.ts';
import { addressOf, createDatabase, createTestDatabase } from './database.ts';
import { describeLong, rounds } from './rounds.ts';
import { oneRowEach, oneRowEachOfBaseline } from './rows-of-every-table.ts';
import { TestServer, type TestUser } from './server.ts';
import { serviceProgram } from './service-program.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const held = new AsyncDisposableStack();

type Place = { db: Database; url: string; dataDir: string };

/** The command as an operator runs it. */
async function command(args: string[], { url, dataDir }: Pick<Place, 'url' | 'dataDir'>, settings = {}) {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, ...settings };
  return await run(process.execPath, [serviceProgram, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, output: error.stdout + error.stderr }),
  );
}

/** An empty database that was never migrated, and a data folder. */
async function newPlace(): Promise<Place> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  const limits = { maxConnections: 2, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
  // Restoring wants to be alone, and knows a service by the name of its connections.
  const connectionString = `${addressOf(name).connectionString}?application_name=test`;
  const { db } = connectDatabase({ address: { connectionString }, ...limits });
  held.defer(() => db.destroy());
  return { db, url: addressOf(name).connectionString, dataDir: await temporary() };
}

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  held.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const tablesOf = async (db: Database): Promise<string[]> =>
  (
    await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(
      db,
    )
  ).rows.map(({ name }) => name);

/** Every row of a table as text, in a fixed order. */
const rowsOf = async (db: Database, table: string): Promise<string[]> =>
  (await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(db)).rows
    .map(({ row }) => row)
    .sort();

describeLong('backup and restore', { timeout: 600_000 }, () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let server: TestServer;
  let source: Place;
  let student: TestUser;
  let admin: TestUser;
  let avatarPath: string;
  let logoPath: string;
  let folder: string;
  let archive: string;
  const recording = randomBytes(20).toString('hex');

  before(async () => {
    folder = await temporary();
    archive = join(folder, 'quiet.tar.gz');
    database = held.use(await createTestDatabase());
    server = held.use(await TestServer.start({}, { database: database.address }));
    const { db } = server.application;
    source = { db, url: database.address.connectionString, dataDir: server.dataDir };
    student = await server.user();
    await oneRowEach(db, student.id);
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(picture)]), 'me.png');
    const uploaded = await server.request('POST', '/api/profile/avatar', { token: student.token, body: form });
    avatarPath = new URL(uploaded.body.avatar_url, server.url).pathname;
    admin = await server.user('admin');
    const logo = await server.request('PUT', '/api/admin/site/logo', { token: admin.token, body: form });
    logoPath = logo.body.logo_url;
    await mkdir(join(server.dataDir, 'recordings'));
    await writeFile(join(server.dataDir, 'recordings', `${recording}.cast`), '{"version":2}\n[0,"o","Grüße"]\n');
    await db.updateTable('recordings').set({ key: recording }).execute();
    await mkdir(join(server.dataDir, 'lessons'), { recursive: true });
    await writeFile(join(server.dataDir, 'lessons', 'known_hosts'), 'git.example.com ssh-ed25519 AAAA\n');
    const { code, output } = await command(['backup', archive], source);
    assert.equal(code, 0, output);
  });
  after(() => held.disposeAsync());

  it('is one private file, which every tar can read', async () => {
    assert.equal((await stat(archive)).mode & 0o777, 0o600);
    const { backed_up_at } = await source.db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    assert.ok(backed_up_at && Date.now() - backed_up_at.getTime() < 120_000, 'the database records it');
    const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    for (const name of [
      'secret-key',
      'lessons/known_hosts',
      `recordings/${recording}.cast`,
      'manifest.json',
      'database/users.000001.jsonl',
    ])
      assert.ok(names.includes(name), name);
    assert.equal(names.filter((name) => name.startsWith('avatars/')).length, 2);
    assert.equal(
      names.some((name) => name.includes('containers')),
      false,
    );
    const again = await command(['backup', archive], source);
    assert.deepEqual([again.code, /already exists/.test(again.output)], [1, true]);
  });

  it('is shown to administrators, with its file and a trial of its restore, which leaves nothing', async () => {
    const backups = async () => (await server.get('/api/admin/system', admin.token)).body.backups;
    const before = await backups();
    assert.deepEqual([before.last_file, before.restore_tried_at], [archive, null]);
    assert.ok(Date.now() - Date.parse(before.last_at) < 120_000);
    const trials = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('learning-platform-trial-'));
    const left = await trials();
    const broken = join(folder, 'broken.tar.gz');
    await writeFile(broken, (await readFile(archive)).subarray(0, 500));
    const failed = await command(['restore', broken, '--trial'], source);
    assert.equal(failed.code, 1, failed.output);
    assert.equal((await backups()).restore_tried_at, null);
    const rows = await rowsOf(source.db, 'users');
    const { code, output } = await command(['restore', archive, '--trial'], source);
    assert.equal(code, 0, output);
    assert.ok(Date.now() - Date.parse((await backups()).restore_tried_at) < 120_000);
    assert.deepEqual(await rowsOf(source.db, 'users'), rows, 'the service goes on as it was');
    assert.deepEqual(await trials(), left);
  });

  it('has no key of the data folder where SECRET_KEY is another one', async () => {
    const file = join(folder, 'without-key.tar.gz');
    const { code, output } = await command(['backup', file], source, { SECRET_KEY: 'k'.repeat(40) });
    assert.equal(code, 0, output);
    const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
    assert.deepEqual([names.includes('secret-key'), names.includes('lessons/known_hosts')], [false, true]);
  });

  it('reports what is missing, and creates no file instead of a directory', async () => {
    const folder = await temporary();
    for (const place of [`${folder}/absent/`, `${folder}/absent/today.tar.gz`]) {
      const { code, output } = await command(['backup', place], source);
      assert.deepEqual([code, output], [1, `${folder}/absent is not an existing directory: create it first\n`]);
    }
    assert.deepEqual(await readdir(folder), []);
    const absent = join(folder, 'absent.tar.gz');
    const { code, output } = await command(['restore', absent], source);
    assert.deepEqual([code, output], [1, `${absent} does not exist\n`]);
  });

  // Long: one restored installation is compared in every respect.
  it('is restored elsewhere: row by row, file by file, and as a service', async () => {
    const target = await newPlace();
    const { code, output } = await command(['restore', archive], target);
    assert.equal(code, 0, output);
    const tables = await tablesOf(source.db);
    assert.deepEqual(await tablesOf(target.db), tables);
    const changed = [
      'users',
      'attempts',
      'activity_log',
      'containers',
      'terminals',
      'installation',
      'kysely_migration',
      // Read from the repositories again.
      'lesson_texts',
      // Those of the transaction that restored the progress.
      'progress_versions',
      // The logins from before have ended.
      'login_cookies',
      'logins',
      'student_views',
      'attempt_evidence',
      // The running service has tried to reach it, and has compared grades with results meanwhile.
      'webhooks',
      'lti_grades',
      // They would be sent again.
      ...['mails', 'mail_tokens', 'exam_plans', 'webhook_deliveries', 'webhook_results'],
      // The exams that ran then are over.
      'silent_checks',
      'silent_looks',
      'hands',
      // Those of hands are gone.
      'notifications',
    ];
    for (const table of tables) {
      const expected = await rowsOf(source.db, table);
      // The running service reports the results.
      if (!table.startsWith('kysely_') && !['login_throttles', 'webhook_results'].includes(table))
        assert.ok(expected.length > 0, `${table} has rows`);
      if (!changed.includes(table)) assert.deepEqual(await rowsOf(target.db, table), expected, table);
    }
    const plain = (rows: string[]) => rows.map((row) => ({ ...JSON.parse(row), tokens_valid_from: null }));
    assert.deepEqual(plain(await rowsOf(target.db, 'users')), plain(await rowsOf(source.db, 'users')));
    const finished = (rows: string[]) => rows.filter((row) => row.includes('"finished"'));
    assert.deepEqual(finished(await rowsOf(target.db, 'attempts')), finished(await rowsOf(source.db, 'attempts')));
    const logged = await rowsOf(target.db, 'activity_log');
    const isLater = (row: string) => JSON.parse(row).type.startsWith('backup');
    assert.ok((await rowsOf(source.db, 'activity_log')).every((row) => isLater(row) || logged.includes(row)));
    assert.notDeepEqual(await rowsOf(target.db, 'installation'), await rowsOf(source.db, 'installation'));
    const none = [
      'containers',
      'terminals',
      'login_cookies',
      'logins',
      'student_views',
      'silent_checks',
      'silent_looks',
      'hands',
      ...['mails', 'mail_tokens', 'exam_plans', 'webhook_deliveries', 'webhook_results'],
    ];
    for (const table of none) assert.deepEqual(await rowsOf(target.db, table), []);
    for (const name of ['secret-key', 'lessons/known_hosts', `recordings/${recording}.cast`]) {
      assert.deepEqual(await readFile(join(target.dataDir, name)), await readFile(join(source.dataDir, name)));
      assert.equal((await stat(join(target.dataDir, name))).mode & 0o777, 0o600);
    }

    await using restored = await TestServer.start(
      { DATA_DIR: target.dataDir },
      { database: { connectionString: target.url } },
    );
    assert.equal((await restored.get('/api/profile/me', student.token)).status, 401, 'tokens from before are revoked');
    const { username, password } = student;
    const login = await restored.post('/api/auth/login', undefined, { username, password });
    assert.equal(login.status, 200);
    const token = login.body.access_token;
    const attempts = (await restored.get('/api/exams/attempts', token)).body as { id: number; status: string }[];
    assert.deepEqual(attempts.map(({ status }) => status).sort(), ['abandoned', 'finished']);
    const done = attempts.find(({ status }) => status === 'finished')?.id ?? 0;
    assert.equal(
      (await restored.get(`/api/exams/attempts/${done}/results`, token)).body.results[0].output,
      'PASS "quoted" \\ Ünï',
    );
    assert.equal((await restored.get('/api/exams/attempts/active', token)).status, 404);
    const { rows } = await sql<{
      grading_error: string;
      grading_error_code: string;
    }>`select grading_error, grading_error_code from attempts where status = 'abandoned'`.execute(target.db);
    assert.ok(rows.every(({ grading_error_code }) => grading_error_code === 'restored_from_backup'));
    assert.ok(
      rows.length > 0 && rows.every(({ grading_error }) => /restored from its backup of 20/.test(grading_error)),
    );
    const before = Buffer.from(await (await fetch(server.url + avatarPath)).arrayBuffer());
    const avatar = await fetch(restored.url + avatarPath);
    assert.deepEqual([avatar.status, Buffer.from(await avatar.arrayBuffer())], [200, before]);
    assert.equal((await restored.get('/api/site')).body.logo_url, logoPath);
    assert.equal((await restored.get(logoPath)).status, 200);
    await sql`update users set role = 'instructor' where id = ${student.id}`.execute(target.db);
    const again = (await restored.post('/api/auth/login', undefined, { username, password })).body.access_token;
    const [first] = (await restored.get(`/api/instructor/attempts/${done}/recordings`, again)).body;
    const cast = await restored.get(`/api/instructor/recordings/${first.id}`, again);
    assert.match(cast.text, /Grüße/);
    const newcomer = await restored.user('instructor');
    assert.ok(newcomer.id > student.id, 'ids that were given away are not given again');
  });

  // Long: most of it is the load during the backup.
  it('is consistent while requests are answered', async () => {
    const themes = (await source.db.selectFrom('themes').select('id').execute()).map(({ id }) => id);
    const users = await Promise.all(Array.from({ length: 4 }, () => server.user()));
    let isOver = false;
    let writes = 0;
    const writers = users.map(async ({ token }) => {
      while (!isOver) {
        for (const id of themes) {
          await server.post(`/api/lessons/themes/${id}/complete`, token);
          await server.delete(`/api/lessons/themes/${id}/complete`, token);
          writes += 2;
        }
        await server.put('/api/profile/me', token, { bio: `${writes}` });
      }
    });
    const target = await newPlace();
    for (let round = 0; round < rounds(2, 10); round += 1) {
      const path = join(folder, `busy-${round}.tar.gz`);
      const begin = writes;
      await until(() => writes > begin, 'somebody to write');
      const before = writes;
      const made = await command(['backup', path], source);
      assert.equal(made.code, 0, made.output);
      assert.ok(writes > before, 'somebody wrote meanwhile');
      const put = await command(['restore', path, '--force'], target);
      assert.equal(put.code, 0, put.output);
      // Of each transaction both halves or none: a completion, and its entry in the log.
      for (const { id } of users) {
        const completed = await sql<{
          n: number;
        }>`select count(*)::int as n from theme_progress where completed and user_id = ${id}`.execute(target.db);
        assert.ok((completed.rows[0]?.n ?? 2) <= 1);
        const last = await sql<{ entity_id: number }>`
          select entity_id from activity_log where user_id = ${id} and type = 'lesson_complete' order by id desc limit 1`.execute(
          target.db,
        );
        const there = await sql<{
          theme_id: number;
        }>`select theme_id from theme_progress where completed and user_id = ${id}`.execute(target.db);
        if (there.rows[0]) assert.equal(there.rows[0].theme_id, last.rows[0]?.entity_id);
      }
    }
    isOver = true;
    await Promise.all(writers);
  });

  it('replaces nothing without --force, and keeps the existing installation', async () => {
    const target = await newPlace();
    await migrate(target.db);
    await sql`insert into users (username, email, password_hash) values ('other', 'other@example.com', 'x')`.execute(
      target.db,
    );
    const id = await rowsOf(target.db, 'installation');
    const busy = await command(['restore', archive, '--force'], source);
    assert.deepEqual([busy.code, /A service is using the database: stop it first/.test(busy.output)], [1, true]);
    const refused = await command(['restore', archive], target);
    assert.deepEqual(
      [refused.code, /not empty \(users contains rows\).*--force/.test(refused.output)],
      [1, true],
      refused.output,
    );
    await writeFile(join(target.dataDir, 'secret-key'), 'k'.repeat(40));
    await sql`delete from users`.execute(target.db);
    const key = await command(['restore', archive], target);
    assert.deepEqual([key.code, /secret-key already exists/.test(key.output)], [1, true], key.output);
    const forced = await command(['restore', archive, '--force'], target);
    assert.equal(forced.code, 0, forced.output);
    assert.deepEqual(JSON.parse((await rowsOf(target.db, 'installation'))[0] ?? '').id, JSON.parse(id[0] ?? '').id);
    assert.deepEqual(
      await readFile(join(target.dataDir, 'secret-key')),
      await readFile(join(source.dataDir, 'secret-key')),
    );

    const foreign = await newPlace();
    await sql`create table theirs (id integer)`.execute(foreign.db);
    const theirs = await command(['restore', archive, '--force'], foreign);
    assert.deepEqual([theirs.code, /tables of another program \(theirs\)/.test(theirs.output)], [1, true]);
  });

  it('refuses damaged, truncated and newer backups before changing anything', async () => {
    const whole = await readFile(archive);
    const tar = gunzipSync(whole);
    const flipped = (bytes: Buffer, at: number) =>
      Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    const edited = (from: string, to: string) =>
      gzipSync(Buffer.from(tar.toString('latin1').replaceAll(from, to), 'latin1'));
    const bodyAt = tar.indexOf(`"username":"${student.username}"`) + 13;
    const manifestAt = tar.lastIndexOf('"sha256"') - 2;
    const last = migrationNames.at(-1) ?? '';
    // `npm test` has the first three.
    const damaged: [Buffer, RegExp][] = [
      [gzipSync(flipped(tar, bodyAt)), /damaged: database\/users\.000001\.jsonl does not match its checksum/],
      [whole.subarray(0, whole.length >> 1), /not a backup, or it is damaged/],
      [
        edited(last, `${last.slice(0, 3)}9-of-later`.padEnd(last.length, 'x').slice(0, last.length)),
        /created by a newer release .* restore it with that release or a later one/,
      ],
      ...[20, 300, whole.length >> 1, whole.length - 6].map((at): [Buffer, RegExp] => [flipped(whole, at), /damaged/]),
      [Buffer.from('no backup at all'), /not a backup/],
      [gzipSync(flipped(tar, manifestAt)), /or it is damaged: .*JSON/],
    ];
    const target = await newPlace();
    for (const [bytes, expected] of damaged.slice(0, rounds(damaged.length, damaged.length, 3))) {
      const path = join(folder, `damaged-${randomBytes(4).toString('hex')}.tar.gz`);
      await writeFile(path, bytes);
      const { code, output } = await command(['restore', path, '--force'], target);
      assert.equal(code, 1);
      assert.match(output, expected);
      assert.deepEqual(await tablesOf(target.db), []);
      assert.deepEqual(await readdir(target.dataDir), []);
    }
  });

  it('upgrades the backup of an older release', async () => {
    const old = await newPlace();
    await migrate(old.db, migrationNames[0]);
    await sql`insert into users (username, email, password_hash) values ('ada', 'ada@example.com', 'x')`.execute(
      old.db,
    );
    await oneRowEachOfBaseline(old.db, 1);
    // As release 0.2.0 names its migrations.
    await sql`delete from kysely_migration`.execute(old.db);
    await sql`insert into kysely_migration select unnest(array['0001-initial', '0063-ended-attempts']), now()::text`.execute(
      old.db,
    );
    const path = join(folder, 'old.tar.gz');
    const made = await command(['backup', path], old);
    assert.equal(made.code, 0, made.output);
    const target = await newPlace();
    const put = await command(['restore', path], target);
    assert.equal(put.code, 0, put.output);
    assert.deepEqual(await migrate(target.db), [], 'nothing is left to migrate');
    assert.equal(
      (await target.db.selectFrom('assessments').where('kind', '=', 'exam').select('title').execute())[0]?.title,
      'Exam',
    );
  });

  it('leaves no partial file on a full disk', {
    skip: !isRoot && 'mounting a small disk takes root',
  }, async () => {
    const small = await temporary();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
    try {
      await writeFile(join(source.dataDir, 'recordings', `${recording}.cast`), randomBytes(500_000));
      const { code, output } = await command(['backup', small], source);
      assert.deepEqual([code, /is full: nothing was written/.test(output)], [1, true], output);
      assert.deepEqual(await readdir(small), []);
    } finally {
      execFileSync('umount', [small]);
    }
  });
});
