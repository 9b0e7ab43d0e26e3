import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const services = 'platform-exam-linux-services';

describeLong('set-ups of exams and laboratories', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room[Symbol.asyncDispose]());

  const tasksOf = async (kind: 'exams' | 'laboratories', id: number) =>
    (await room.server.get(`/api/admin/${kind}/${id}`, room.admin.token)).body.tasks as { id: number }[];
  const submit = async (user: TestUser, kind: 'exams' | 'laboratories', id: number) => {
    const submitted = await room.server.post(`/api/${kind}/${id}/submit`, user.token);
    assert.equal(submitted.status, 200, submitted.text);
    return submitted.body;
  };

  it('run as root in a clean environment before the student comes in, those of the tasks after', async () => {
    const setup_script = `printf '%s|' "$(id -u)" "$PWD" "$HOME" "$PATH" "$(env | cut -d= -f1 | sort | xargs)" >/root/seen
      cat >>/root/seen; echo assessment >>/root/order; systemctl is-active nginx >/root/state; rm /etc/motd`;
    const check = 'cat /root/seen; echo; cat /root/order /root/state; [ ! -e /etc/motd ] && echo PASS';
    const id = await room.make('laboratory', [check, 'echo PASS'], { container_image: services, setup_script });
    for (const [index, task] of (await tasksOf('laboratories', id)).entries()) {
      const change = { setup_script: `echo task ${index + 1} >>/root/order` };
      const path = `/api/admin/laboratories/${id}/tasks/${task.id}`;
      assert.equal((await room.server.put(path, room.admin.token, change)).status, 200);
    }
    const student = await room.server.user();
    await room.start(student, 'laboratory', id);
    const { results } = await submit(student, 'laboratories', id);
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const names = 'HOME LANG LOGNAME PATH PWD SHELL SHLVL TERM USER _';
    assert.equal(results[0].output, `0|/|/root|${path}|${names}|\nassessment\ntask 1\ntask 2\ninactive\nPASS\n`);
  });

  it('leave their processes running, and nothing of their text', async () => {
    const setup_script = `secret=3f0c1; ( while [ -n 3f0c2 ]; do sleep 1; done ) & sleep 700 & nohup su student -c 'exec sleep 800' &
      until pgrep -f 'sleep 800'; do sleep 0.05; done; echo secret-words`;
    const look = `pgrep -x -f 'sleep 700' && pgrep -x -u student -f 'sleep 800' >/dev/null && [ "$(pgrep -fc '[3]f0c2')" = 0 ] &&
      ! grep -rsq -e 3f0c1 -e secret-words --exclude-dir=check.* /etc /home /opt /root /run /srv /tmp /usr/local /var && echo PASS`;
    const id = await room.make('exam', [look], { setup_script });
    const student = await room.server.user();
    const { container_name } = await room.start(student, 'exam', id);
    const seen = 'for file in /proc/[0-9]*/fd/*; do [ ! -f "$file" ] || ! grep -q 3f0[c]1 "$file" || exit 1; done';
    await room.asStudent(container_name, `timeout 10 bash -c '${seen}; ! cat /proc/[0-9]*/cmdline | grep -q 3f0[c]1'`);
    assert.equal((await submit(student, 'exams', id)).passed, true);
  });

  it('are not shown to students', async () => {
    const setup_script = 'echo hidden-from-students';
    const exam = await room.make('exam', ['echo PASS'], { setup_script });
    const laboratory = await room.make('laboratory', ['echo PASS'], { setup_script });
    const student = await room.server.user();
    await room.start(student, 'exam', exam);
    await room.start(student, 'laboratory', laboratory);
    const answers = [
      await submit(student, 'exams', exam),
      await room.server.post(`/api/laboratories/${laboratory}/check`, student.token),
    ];
    for (const path of ['exams', `exams/${exam}`, `laboratories/${laboratory}`, 'exams/attempts', 'containers/sandbox'])
      answers.push(await room.server.get(`/api/${path}`, student.token));
    for (const answer of answers) assert.doesNotMatch(JSON.stringify(answer), /hidden-from|setup_/);
    const { body } = await room.server.get(`/api/exams/${exam}`, room.instructor.token);
    assert.equal(body.setup_script, setup_script);
  });

  for (const [how, setup_script, reason, facts] of [
    [
      'ends with a status',
      'echo the last words; exit 7',
      /^the set-up script ended with status 7$/,
      { problem_code: 'failed', exit_status: 7 },
    ],
    [
      'does not end in time',
      'echo the last words; sleep 60',
      /^the set-up script did not end in time \(.* 10 seconds\)$/,
      { problem_code: 'timeout', seconds: 10 },
    ],
    [
      'is no Bash',
      'echo the last words\nif',
      /^the set-up script ended with status /,
      { problem_code: 'failed', exit_status: 2 },
    ],
    [
      'kills its shell',
      'echo the last words; kill -KILL $$',
      /^the set-up script ended with status 137$/,
      { problem_code: 'failed', exit_status: 137 },
    ],
  ] as const) {
    // In `npm test` one of them stands for the others.
    it(`use up no attempt and leave no container where a script ${how}`, async () => {
      // Others have all the time that a busy machine needs.
      await using hasty = how === 'does not end in time' ? await Classroom.open({ setupSeconds: 10 }) : null;
      const place = hasty ?? room;
      const { server, admin } = place;
      const id = await place.make('exam', ['echo FAIL'], { setup_script });
      const student = await server.user();
      const refused = await server.post(`/api/exams/${id}/start`, student.token);
      assert.equal(refused.status, 503, refused.text);
      assert.equal(refused.code, 'setup_failed');
      assert.doesNotMatch(refused.text, /last words/);
      assert.deepEqual((await server.get('/api/exams/attempts', student.token)).body, []);
      const left = async () =>
        (await place.names()).filter((name) => name.startsWith(place.engineName(`exam-${id}-user-`)));
      await until(async () => (await left()).length === 0, 'the container to be removed');
      const tried = await server.post(`/api/admin/exams/${id}/try`, admin.token);
      assert.equal(tried.body.is_ok, false);
      const { problem, output, ...rest } = tried.body.setup;
      assert.match(problem, reason);
      assert.deepEqual(rest, facts);
      if (how !== 'is no Bash') assert.equal(output, 'the last words\n');
      const published = await server.post(`/api/admin/exams/${id}/publish`, admin.token);
      assert.equal(published.code, 'trial_failed');
      // The next start works, with a set-up that does.
      await server.put(`/api/admin/exams/${id}`, admin.token, { setup_script: 'true' });
      await place.start(student, 'exam', id);
    });
  }

  it('prepare the containers of trials, also unsaved ones', async () => {
    const id = await room.make('exam', [], { setup_script: 'echo broken >/etc/state; chmod 666 /etc/state' });
    const task = {
      ...{ title: 'Mend', points: 1, solution_script: 'echo mended >/etc/state' },
      verification_script: 'if [ "$(cat /etc/state)" = mended ]; then echo PASS; else echo FAIL; fi',
    };
    const { body } = await room.server.post(`/api/admin/exams/${id}/tasks`, room.admin.token, task);
    const tried = await room.server.post(`/api/admin/exams/${id}/try`, room.admin.token);
    assert.equal(tried.body.is_ok, true, tried.text);
    assert.equal(tried.body.setup, null);
    const one = `/api/admin/exams/${id}/tasks/${body.id}/try`;
    const unsaved = await room.server.post(one, room.admin.token, { setup_script: 'echo mended >/etc/state' });
    assert.equal(unsaved.body.tasks[0].problem_code, 'passes_at_first');
  });
});

describeLong('the verdicts of checks', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '0' });
  });
  after(() => room[Symbol.asyncDispose]());

  it('are the last line or the exit status, and cannot be printed by what a check leaves behind', async () => {
    const forged = 'as_student /bin/bash -c "kill -KILL \\$\\$"; exit 0';
    const checks = [
      ['exit-status', 'echo fine; exit 0', true],
      ['exit-status', 'echo PASS; test -e /nothing', false],
      ['exit-status', 'set -e; false; true', false],
      ['exit-status', "cat <<'END'\n)\nEND", true],
      ['exit-status', forged, false],
      ['exit-status', 'problem this; verdict', false],
      ['exit-status', 'if', false],
      ['exit-status', '(sleep 0.2; echo; echo 0) & exit 1', false],
      ['ok', 'echo OK', true],
      ['ok', 'echo NO', false],
      ['ok', 'echo PASS', false],
      ['pass', 'echo OK; exit 0', false],
    ] as const;
    const id = await room.make(
      'exam',
      checks.map(([, script]) => script),
    );
    const { tasks } = (await room.server.get(`/api/admin/exams/${id}`, room.admin.token)).body;
    for (const [index, [verdict]] of checks.entries()) {
      const path = `/api/admin/exams/${id}/tasks/${tasks[index].id}`;
      assert.equal((await room.server.put(path, room.admin.token, { verdict })).body.verdict, verdict);
    }
    const student = await room.server.user();
    assert.equal('verdict' in (await room.server.get(`/api/exams/${id}`, student.token)).body.tasks[0], false);
    await room.start(student, 'exam', id);
    const { body } = await room.server.post(`/api/exams/${id}/submit`, student.token);
    const passed = body.results.map((result: { passed: boolean }) => result.passed);
    assert.deepEqual(
      passed,
      checks.map(([, , isPassed]) => isPassed),
      JSON.stringify(body.results),
    );
  });

  it('are explicit in a trial', async () => {
    const id = await room.make('exam', []);
    const task = {
      ...{ title: 'Answer', points: 1, verdict: 'exit-status', solution_script: 'echo 42 >~/answer' },
      verification_script: '[ "$(student_file /home/student/answer)" = 42 ]',
    };
    const path = `/api/admin/exams/${id}`;
    const { body } = await room.server.post(`${path}/tasks`, room.admin.token, task);
    const tried = await room.server.post(`${path}/try`, room.admin.token);
    assert.equal(tried.body.is_ok, true, tried.text);
    const wrong = { verification_script: 'systemcctl is-active nginx' };
    const missing = await room.server.post(`${path}/tasks/${body.id}/try`, room.admin.token, wrong);
    assert.equal(missing.body.tasks[0].problem_code, 'no_verdict');
  });
});

describeLong('warm containers with a set-up', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '1' });
  });
  after(() => room[Symbol.asyncDispose]());

  const warm = async () =>
    await room.server.application.db.selectFrom('containers').selectAll().where('status', '=', 'warm').execute();
  /** Waits until there is a warm container with each of these set-ups, and no other. */
  const filled = async (keys: readonly unknown[]) =>
    await until(async () => {
      await room.server.application.reconciler.run();
      const there = (await warm()).map(({ setup_key }) => setup_key);
      return there.length === keys.length && keys.every((key) => there.includes(key as string));
    }, 'the warm pool');
  const keyOf = async (id: number) =>
    (await sql<{ key: string }>`select setup_key_of('exam', ${id}) as key`.execute(room.server.application.db)).rows[0]
      ?.key;
  /** What the check of an attempt prints, and whether its container was one of those. */
  const attempt = async (id: number, waiting: readonly { engine_ref: string | null }[] = []) => {
    const user = await room.server.user();
    const { container_id } = await room.start(user, 'exam', id);
    const rows = room.server.application.db
      .selectFrom('containers')
      .select('engine_ref')
      .where('id', '=', container_id);
    const { engine_ref } = await rows.executeTakeFirstOrThrow();
    const { body } = await room.server.post(`/api/exams/${id}/submit`, user.token);
    return { output: body.results[0].output, wasWarm: waiting.some((row) => row.engine_ref === engine_ref) };
  };
  const change = async (path: string, setup_script: string | null) => {
    const changed = await room.server.put(`/api/admin/exams/${path}`, room.admin.token, { setup_script });
    assert.equal(changed.status, 200, changed.text);
  };

  // Long: each change of a definition is followed by the same start.
  it('have it applied, and are handed out only to exams with the same set-up', async () => {
    const check = 'cat /root/version; echo PASS';
    const id = await room.make('exam', [check], { setup_script: 'echo one >/root/version' });
    const other = await room.make('exam', [check], { setup_script: 'echo other >/root/version' });
    const same = await room.make('exam', [check], { setup_script: 'echo other >/root/version' });
    await filled([await keyOf(id), await keyOf(other)]);
    let waiting = await warm();
    assert.deepEqual(await attempt(id, waiting), { output: 'one\nPASS\n', wasWarm: true });
    assert.deepEqual(await attempt(same, waiting), { output: 'other\nPASS\n', wasWarm: true });
    await filled([await keyOf(id), await keyOf(other)]);

    const { tasks } = (await room.server.get(`/api/admin/exams/${id}`, room.admin.token)).body;
    const changes = [
      [`${id}`, 'echo two >/root/version', 'two\nPASS\n'],
      [`${id}/tasks/${tasks[0].id}`, 'echo task >>/root/version', 'two\ntask\nPASS\n'],
      [`${id}`, null, 'task\nPASS\n'],
    ] as const;
    for (const [path, script, output] of changes.slice(0, rounds(3, 3))) {
      waiting = await warm();
      await change(path, script);
      assert.deepEqual(await attempt(id, waiting), { output, wasWarm: false }, 'not one from before the change');
      await filled([await keyOf(id), await keyOf(other)]);
      waiting = await warm();
      assert.deepEqual(await attempt(id, waiting), { output, wasWarm: true });
      await filled([await keyOf(id), await keyOf(other)]);
    }
  });

  it('whose set-up fails do not hold up the others', async () => {
    const keys = (await warm()).map(({ setup_key }) => setup_key);
    await room.make('exam', ['echo FAIL'], { setup_script: 'exit 1' });
    const fine = await room.make('exam', ['echo FAIL'], { setup_script: 'echo fine' });
    await filled([...keys, await keyOf(fine)]);
  });
});
