import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import type { TestSettings } from '../settings.ts';

const kib64 = 65_536;
/** A script, whether it passes, its output and the codes of its remark. */
type Case = [script: string, passed: boolean, output: string, codes: string[]];

const long = (tail: string) => 'x'.repeat(kib64 - tail.length) + tail;
const cases: Record<string, Case> = {
  'without a newline at its end': ['printf "  a\\n\\nPASS"', true, '  a\n\nPASS', []],
  'with blank lines and a FAIL': ['printf "\\n\\n- no\\nFAIL\\n"', false, '\n\n- no\nFAIL\n', []],
  'with a line after the verdict': ['printf "PASS\\n\\n"', false, 'PASS\n\n', ['verdict_inexact']],
  'of Windows': ['printf "a\\r\\nPASS\\r\\n"', false, 'a\r\nPASS\r\n', ['verdict_inexact']],
  'that is not UTF-8': ['printf "\\xff\\xc3\\nPASS\\n"', true, '\uFFFD\uFFFD\nPASS\n', []],
  'with NUL': ['printf "a\\0b\\0\\nPASS\\n"', true, 'a\uFFFDb\uFFFD\nPASS\n', []],
  'with a byte order mark': ['printf "\\xef\\xbb\\xbfPASS\\n"', false, '\uFEFFPASS\n', ['verdict_inexact']],
  'of 10 MB': ['head -c 10000000 /dev/zero | tr "\\0" x; printf "\\nPASS\\n"', true, long('\nPASS\n'), ['output_cut']],
  'of 64 KiB': [`head -c ${kib64 - 6} /dev/zero | tr "\\0" x; printf "\\nPASS\\n"`, true, long('\nPASS\n'), []],
  'that is empty': ['true', false, '', ['verdict_missing']],
  'that it closes': ['echo PASS; exec >&-; echo FAIL', true, 'PASS\n', []],
  'of a program that replaces it': ['exec /usr/bin/printf "PASS"', true, 'PASS', []],
  'of its trap': ['trap "echo PASS" EXIT; echo FAIL; exit 3', true, 'FAIL\nPASS\n', []],
  'with a child in the background': ['sleep 60 & echo PASS', true, 'PASS\n', []],
  'until it is killed': ['echo PASS; kill -KILL $$', false, 'PASS\n', ['check_killed']],
  'of a helper that was stopped': ['as_student -t 1 /usr/bin/sleep 9; echo PASS', false, '', ['check_gave_up']],
};
/** They take all the time that a script has. */
const slowCases: Record<string, Case> = {
  'that a child keeps open': ['setsid sleep 60 & sleep 0.2; echo PASS', false, 'PASS\n', ['check_held']],
  'until its time is over': ['echo PASS; sleep 60', false, 'PASS\n', ['check_timeout']],
};

describeLong('the output of a check', { skip: engineSkip, timeout: 600_000 }, () => {
  async function compare(some: Record<string, Case>, settings: TestSettings = {}): Promise<void> {
    await using room = await Classroom.open(settings);
    const { server } = room;
    const user = await server.user();
    const id = await room.make(
      'exam',
      Object.values(some).map(([script]) => script),
    );
    await room.start(user, 'exam', id);
    const { status, body, text } = await server.post(`/api/exams/${id}/submit`, user.token);
    assert.equal(status, 200, text);
    for (const [index, [how, [, passed, output, codes]]] of Object.entries(some).entries()) {
      const found = body.results[index];
      const foundCodes = (found.remark_codes ?? []).map(({ code }: { code: string }) => code);
      assert.deepEqual([found.passed, foundCodes], [passed, codes], `${how}: ${found.remark}`);
      assert.ok(found.output === output, `${how}: ${JSON.stringify(found.output.slice(-300))}`);
      assert.equal(typeof found.remark, codes.length > 0 ? 'string' : 'object', how);
    }
  }

  it('is what the script has printed, byte for byte, and the remark says the rest', () => compare(cases));
  it('is what it has printed until its time is over', () => compare(slowCases, { scriptSeconds: 10 }));
});

describeLong('an exam or a laboratory without tasks', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  for (const [kind, path] of [
    ['exam', 'exams'],
    ['laboratory', 'laboratories'],
  ] as const)
    it(`starts as any other ${kind}: its score is 0 of 0, and it is passed where 0 is enough`, async () => {
      const { server, admin } = room;
      const user = await server.user();
      for (const [passing_score, passed] of [
        [0, true],
        [1, false],
      ] as const) {
        const id = await room.make(kind, [], { passing_score });
        await room.start(user, kind, id);
        const { status, body, text } = await server.post(`/api/${path}/${id}/submit`, user.token);
        assert.equal(status, 200, text);
        const { score, max_score, results } = body;
        assert.deepEqual([score, max_score, body.passed, body.status, results], [0, 0, passed, 'finished', []]);
      }
      const id = await room.make(kind, []);
      const tried = await server.post(`/api/admin/${path}/${id}/try`, admin.token);
      assert.deepEqual([tried.status, tried.body.is_ok, tried.body.problem_code], [200, false, 'no_tasks'], tried.text);
      assert.deepEqual([tried.body.setup, tried.body.tasks], [null, []]);
    });
});

describeLong('scripts with the line ends of Windows', { skip: engineSkip, timeout: 600_000 }, () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

  // Long: each way in stores the same.
  it('are stored with line feeds, so that checks, set-ups and solutions work', async () => {
    await using room = await Classroom.open();
    const { server, admin } = room;
    const id = await room.make('laboratory', [], { setup_script: windows('mkdir /srv/place\n'), conclusion: 'a\r\nb' });
    const laboratory = `/api/admin/laboratories/${id}`;
    const script = windows(
      'if [ -x /usr/local/bin/tool ] && /usr/local/bin/tool; then\n  echo PASS\nelse\n  echo FAIL\nfi\n',
    );
    const solution_script = windows('touch /tmp/done\n');
    const fields = { title: 'Task', description: 'a\r\nb', points: 1, verification_script: script, solution_script };
    const { body: task } = await server.post(`${laboratory}/tasks`, admin.token, fields);
    const tool = windows('#!/bin/bash\n[ -d /srv/place ] && [ -e /tmp/done ]\n');
    for (const [path, content] of [
      ['/usr/local/bin/tool', tool],
      ['/srv/windows.txt', 'a\r\n'],
    ] as const) {
      const query = new URLSearchParams({ path, mode: '0755' });
      const put = await server.request('PUT', `${laboratory}/files?${query}`, {
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
        body: Buffer.from(content),
      });
      assert.equal(put.status, 201, put.text);
    }
    const { body } = await server.get(laboratory, admin.token);
    for (const text of [
      body.setup_script,
      body.conclusion,
      ...['description', 'verification_script', 'solution_script'].map((name) => body.tasks[0][name]),
    ])
      assert.doesNotMatch(text, /[\r\uFEFF]/);
    const files = (await server.get(`${laboratory}/files`, admin.token)).body;
    const bytes = Object.fromEntries(files.map((file: { path: string; bytes: number }) => [file.path, file.bytes]));
    assert.deepEqual(bytes, { '/usr/local/bin/tool': 50, '/srv/windows.txt': 3 });
    const unsaved = await server.post(`${laboratory}/tasks/${task.id}/try`, admin.token, {
      verification_script: `${script}\r`,
    });
    for (const tried of [unsaved, await server.post(`${laboratory}/try`, admin.token)])
      assert.deepEqual([tried.body.setup, tried.body.tasks[0].after.passed], [null, true], tried.text);
  });
});
