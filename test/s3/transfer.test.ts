import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { ObjectFolder } from '../../src/adapters/disk/object-folder.ts';
import { connectDatabase } from '../../src/database/connection/connect.ts';
import type { ObjectStore } from '../../src/ports/object-store.ts';
import { contentOf, keysOf } from '../contracts/object-store.ts';
import { addressOf, createDatabase, createTestDatabase } from '../database.ts';
import { describeLong } from '../rounds.ts';
import { oneRowEach } from '../rows-of-every-table.ts';
import { serviceProgram } from '../service-program.ts';
import { S3Server, s3Skip } from './s3-server.ts';

const run = promisify(execFile);
const max = { maxBytes: 1024 * 1024 };

async function command(args: string[], variables: Record<string, string>) {
  return await run(process.execPath, [serviceProgram, ...args], { env: { ...process.env, ...variables } }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, output: error.stdout + error.stderr }),
  );
}

describeLong('files in S3', { skip: s3Skip }, () => {
  const held = new AsyncDisposableStack();
  let s3: S3Server;
  before(async () => {
    s3 = held.use(await S3Server.start());
  });
  after(() => held.disposeAsync());

  async function temporary(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'transfer-'));
    held.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function all(store: ObjectStore): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const folder of ['avatars', 'recordings', 'evidence'])
      for (const key of await keysOf(store, folder)) found[key] = (await contentOf(store, key))?.toString('hex') ?? '';
    return found;
  }

  it('come from the data folder, in several runs, and go back to it', async () => {
    const dataDir = await temporary();
    const env = { DATA_DIR: dataDir, ...s3.environment('moving') };
    const [folder, bucket] = [new ObjectFolder(dataDir), s3.store({ prefix: 'moving' })];
    const names = [1, 2, 3].map(() => randomBytes(20).toString('hex'));
    for (const name of names) await folder.put(`avatars/${name}.webp`, randomBytes(1000), max);
    await folder.put(`evidence/${names[0]}.tar`, randomBytes(1000), max);
    const recording = await folder.begin(`recordings/${names[0]}.cast`);
    await recording.append('{"version":2}\n');
    const first = await command(['copy-files'], env);
    assert.equal(first.code, 0, first.output);
    assert.match(first.output, /^avatars +3 copied \(0\.0 MB\), 0 there already$/m);
    assert.deepEqual(await all(bucket), await all(folder));

    await recording.append('[1,"o","more"]\n');
    await recording.close();
    const second = await command(['copy-files'], env);
    assert.match(second.output, /^avatars +0 copied \(0\.0 MB\), 3 there already$/m);
    assert.match(second.output, /^recordings +1 copied/m);
    assert.deepEqual(await all(bucket), await all(folder));

    const grown = await bucket.begin(`recordings/${names[1]}.cast`);
    await grown.append('{"version":2}\n');
    await grown.close();
    const other = await temporary();
    const back = await command(['copy-files', '--to-folder'], { ...env, DATA_DIR: other });
    assert.equal(back.code, 0, back.output);
    assert.deepEqual(await all(new ObjectFolder(other)), await all(bucket));
    assert.ok(!`${first.output}${second.output}${back.output}`.includes(s3.settings.secretAccessKey));
  });

  it('are not moved without a bucket, or with one that refuses', async () => {
    const env = { DATA_DIR: await temporary(), ...s3.environment('refused') };
    const none = await command(['copy-files'], { DATA_DIR: env.DATA_DIR });
    assert.deepEqual([none.code, none.output], [1, 'S3_ENDPOINT is not set: there is no bucket to copy to or from\n']);
    const wrong = await command(['copy-files'], { ...env, S3_SECRET_ACCESS_KEY: 'wrong' });
    assert.deepEqual([wrong.code, wrong.output], [1, 'The object storage cannot be used\n']);
  });

  it('are reported by the doctor, with the reason where the bucket cannot be used', async () => {
    const env = { DATA_DIR: await temporary(), DOCKER_HOST: 'unix:///none.sock', ...s3.environment('checked') };
    const good = await command(['doctor'], env);
    assert.match(good.output, /^ok +files +http:\/\/127\.0\.0\.1:\d+\/platform\/checked$/m);
    const wrong = await command(['doctor'], { ...env, S3_SECRET_ACCESS_KEY: 'wrong' });
    assert.match(wrong.output, /^missing +files +http:.*checked: GET the bucket: 403 SignatureDoesNotMatch$/m);
    assert.match(
      (await command(['doctor'], { DATA_DIR: env.DATA_DIR, DOCKER_HOST: env.DOCKER_HOST })).output,
      /^ok +files +in the data folder$/m,
    );
  });

  // Long: a backup and its restoration into the other storage.
  it('are in a backup, and are restored to a bucket or to a data folder', async () => {
    await using database = await createTestDatabase();
    const source = { DATABASE_URL: database.address.connectionString, DATA_DIR: await temporary() };
    const limits = { maxConnections: 2, statementTimeout: 60_000, acquireTimeout: 10_000, onError: () => {} };
    const { db } = connectDatabase({ address: database.address, ...limits });
    const bucket = s3.store({ prefix: 'source' });
    const [avatar, recording] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')];
    await bucket.put(`avatars/${avatar}.webp`, randomBytes(1000), max);
    const file = await bucket.begin(`recordings/${recording}.cast`);
    await file.append('{"version":2}\n[0,"o","Grüße"]\n');
    await file.close();
    const user = { username: 'ada', email: 'ada@example.com', password_hash: 'x', avatar_key: avatar };
    const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow();
    await oneRowEach(db, id);
    await db.updateTable('recordings').set({ key: recording }).execute();
    await db.destroy();

    const path = join(await temporary(), 'backup.tar.gz');
    const made = await command(['backup', path], { ...source, ...s3.environment('source') });
    assert.equal(made.code, 0, made.output);
    assert.match(made.output, /^files +avatars: 1, recordings: 1$/m);
    const expected = await all(bucket);
    const dataDir = await temporary();
    const targets: [Record<string, string>, ObjectStore][] = [
      [{ DATA_DIR: await temporary(), ...s3.environment('target') }, s3.store({ prefix: 'target' })],
      [{ DATA_DIR: dataDir }, new ObjectFolder(dataDir)],
    ];
    for (const [env, store] of targets) {
      const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
      await createDatabase(name);
      const put = await command(['restore', path], { ...env, DATABASE_URL: addressOf(name).connectionString });
      assert.equal(put.code, 0, put.output);
      assert.deepEqual(await all(store), expected);
    }
    assert.deepEqual(await readdir(targets[0]?.[0]['DATA_DIR'] ?? ''), [], 'nothing is in the data folder');
  });
});
