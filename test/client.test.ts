import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { answer, connect, Refusal } from '../client/index.ts';
import { Classroom } from './classroom.ts';
import { engineSkip } from './server.ts';

const root = join(import.meta.dirname, '..');

describe('the client', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  async function run(example: string, args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<string> {
    const child = spawn(process.execPath, [join(root, 'client/examples', example), ...args], {
      env: { ...process.env, ADDRESS: room.server.url, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.equal(code, 0, errors);
    return output;
  }
  const tokenOf = async (user: { token: string }, ...scopes: string[]): Promise<string> => {
    const made = await room.server.post('/api/auth/tokens', user.token, { name: 'a script', scopes });
    assert.equal(made.status, 201, made.text);
    return made.body.token;
  };

  // Long: the way of a class from its start to its grades.
  it('takes an exam from the registration to its results, plans one, and reads grades', async () => {
    const exam = await room.make('exam', ['[ -e /home/student/made ] && echo PASS', 'echo FAIL']);
    const results = await run('learn.ts', ['anna', 'touch made'], { PASSWORD: 'a password of anna' });
    assert.match(results, /^Task 1: 1 of 1\n.*\n1 of 3\n$/m);

    const TOKEN = await tokenOf(room.instructor, 'read', 'write');
    const opens = new Date(Date.now() + 86_400_000).toISOString();
    const planned = await run('teach.ts', ['Linux 1', `${exam}`, opens, '90'], { TOKEN }, 'anna\n');
    const [, classId = '', session] = /classes\/(\d+)\/sessions\/(\d+)\n$/.exec(planned) ?? [];
    const { body } = await room.server.get(`/api/exam-sessions/${session}`, room.instructor.token);
    assert.deepEqual([body.exam_id, body.opens_at], [exam, opens]);

    const grades = await run('grades.ts', [classId], { TOKEN: await tokenOf(room.instructor, 'grades') });
    assert.match(grades, /^anna\t/);
  });

  it('throws what the service refuses, and logs in again after the end of a token', async () => {
    const { db } = room.server.application;
    const user = await room.server.user();
    const credentials = { username: user.username, password: user.password };
    await assert.rejects(connect(room.server.url, { ...credentials, password: 'wrong' }), Refusal);
    const api = await connect(room.server.url, credentials);
    const params = { path: { id: 2_000_000 } };
    await assert.rejects(answer(api.GET('/api/exams/{id}', { params })), { status: 404, code: 'not_found' });
    await db.deleteFrom('logins').where('user_id', '=', user.id).execute();
    assert.equal((await answer(api.GET('/api/auth/me'))).username, user.username);
  });

  it('says how long to wait, in seconds', () => {
    const waitOf = (value: string) =>
      new Refusal(new Response(null, { status: 403, headers: { 'Retry-After': value } }), {}).retryAfter;
    const wait = waitOf(new Date(Date.now() + 90_000).toUTCString()) ?? 0;
    assert.ok(wait > 80 && wait <= 90, `${wait}`);
    assert.deepEqual(
      [waitOf('15'), waitOf('0'), waitOf('soon'), waitOf(new Date(0).toUTCString())],
      [15, ...[0, 0, 0].map(() => undefined)],
    );
  });

  it('needs the library of its types alone, in the version of the project', async () => {
    const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));
    const { dependencies } = await read('client/package.json');
    const { devDependencies } = await read('package.json');
    assert.deepEqual(dependencies, { 'openapi-fetch': devDependencies['openapi-fetch'] });
  });
});
