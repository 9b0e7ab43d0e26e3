import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const services = 'platform-exam-linux-services';
const basics = 'platform-exam-linux-basics';
const honest = 'if [ -e /root/solved ]; then echo PASS; else echo FAIL; fi';

describeLong('students who work as root', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '0' });
  });
  after(() => room[Symbol.asyncDispose]());

  /** A laboratory in progress, with the terminal of its student. */
  async function atWork(scripts: readonly string[]) {
    const id = await room.make('laboratory', scripts, { container_image: services, user: 'root' });
    const student = await room.server.user();
    const { attempt_id, container_id } = await room.start(student, 'laboratory', id);
    const terminal = await new TerminalClient(
      `${room.server.url}/ws/terminal/${container_id}?token=${student.token}`,
    ).ready();
    let commands = 0;
    /** Runs commands in the terminal. @returns what they print */
    const run = async (script: string): Promise<string> => {
      commands += 1;
      const mark = `end-of-${commands}`;
      const before = terminal.output.length;
      // The terminal echoes what is typed: the quotes keep the mark out of that.
      terminal.type(`stty -echo; { ${script}\n} 2>&1; echo "end-of"-${commands}\n`);
      await terminal.shows(mark);
      return terminal.output.subarray(before).toString();
    };
    const type = (text: string) => terminal.type(`${text}\n`);
    const check = () => room.server.post(`/api/laboratories/${id}/check`, student.token);
    return { id, student, attempt_id, run, type, check };
  }
  const passedOf = ({ results }: { results: { passed: boolean }[] }) => results.map(({ passed }) => passed);
  const submit = (student: TestUser, id: number) => room.server.post(`/api/laboratories/${id}/submit`, student.token);

  // Long: one container for all attacks.
  it('have a shell of root, and pass only what they solve; what they change is reported', async () => {
    const slow = `sleep 2; ${honest}`;
    const { id, student, attempt_id, run, check } = await atWork([honest, slow]);
    assert.match(await run('id -un; pwd; echo "$HOME"'), /root\r\n\/root\r\n\/root\r\n/);
    const grader = await run(`touch /.grader/x; : >/.grader/run; mount -o remount,rw /.grader; umount /.grader
      mount --bind /bin /.grader/bin; mount -t tmpfs none /.grader; rm -f /.grader/bin/bash; unshare -m true; mknod /tmp/disk b 254 0
      cat /proc/self/status | grep CapEff; sha256sum /.grader/bin/bash >/tmp/before`);
    assert.match(grader, /Read-only file system/);
    assert.doesNotMatch(grader, /SYS_ADMIN/);
    assert.match(grader, /mount: .*(permission denied|Operation not permitted)/i);
    assert.match(grader, /unshare failed: Operation not permitted/);
    assert.match(grader, /mknod: .*Operation not permitted/);
    await run(`printf '#!/bin/sh\\necho PASS\\n' >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep; cp /usr/local/bin/sleep /usr/local/sbin/echo
      cp /usr/bin/true /usr/bin/bash.new; mv /usr/bin/bash.new /usr/bin/bash; ln -sf /usr/bin/true /bin/sh; echo 'echo PASS' >/root/.bash_profile
      cp /usr/sbin/sshd /usr/sbin/sshd.kept; printf '#!/.grader/bin/bash\\nexec -a /usr/sbin/sshd /usr/sbin/sshd.kept "$@"\\n' >/usr/sbin/sshd.new
      chmod 755 /usr/sbin/sshd.new; mv /usr/sbin/sshd.new /usr/sbin/sshd`);
    const checked = await check();
    assert.deepEqual(passedOf(checked.body), [false, false], checked.text);
    await run(': >/root/solved');
    const submitted = await submit(student, id);
    assert.deepEqual(passedOf(submitted.body), [true, true], submitted.text);
    const attempts = room.server.application.db.selectFrom('attempts').select('integrity').where('id', '=', attempt_id);
    const changed = ((await attempts.executeTakeFirstOrThrow()).integrity ?? []) as string[];
    const expected = ['/usr/bin/bash', '/usr/local/bin/sleep', '/usr/local/sbin/echo', '/usr/sbin/sshd'];
    assert.deepEqual(
      expected.filter((path) => !changed.includes(path)),
      [],
    );
  });

  it('cannot pass by killing the processes of a check', async () => {
    const { run, type, check } = await atWork([`sleep 3; ${honest}`, honest]);
    await run(`cat >/tmp/killer <<'END'
until [[ -e /tmp/begun ]]; do :; done
while :; do
  for process in /proc/[0-9]*; do
    read -r name <$process/comm && [[ $name == busybox || $name == sleep ]] && kill -KILL \${process#/proc/}
  done
done 2>/dev/null
END
setsid /.grader/bin/bash /tmp/killer </dev/null >/dev/null 2>&1 &`);
    // It also ends what keeps the container running, and with it this terminal.
    type(': >/tmp/begun');
    const { status, body, text } = await check();
    // Nobody can be graded in a container whose root ends every connection.
    if (status === 200) assert.deepEqual(passedOf(body), [false, false], text);
    else assert.equal(status, 503, text);
  });

  // Long: what the tracer can reach, and what it cannot, in one container.
  it('cannot write to the output of a check, trace it or patch its memory', async () => {
    const { run, check } = await atWork([
      `sleep 1; ${honest}`,
      `got=$(sleep 1); ${honest}`,
      `bash -c '/usr/bin/sleep 1; exit 1' && echo PASS || echo FAIL`,
      `/usr/bin/perl -e 'sleep 1; print "FAIL"'`,
      `system /usr/bin/sleep 1 && ${honest}`,
    ]);
    const begun = await run(`cat >/tmp/tracer <<'END'
case $(uname -m) in
  x86_64) quiet='\\x31\\xff\\xb8\\xe7\\x00\\x00\\x00\\x0f\\x05' ;;
  aarch64) quiet='\\x00\\x00\\x80\\xd2\\xc8\\x0b\\x80\\xd2\\x01\\x00\\x00\\xd4' ;;
esac
while :; do
  for process in /proc/[0-9]*; do
    pid=\${process#/proc/}
    [[ $pid == $$ || $pid == 1 ]] && continue
    [[ $(readlink $process/fd/0) == /dev/pts/* ]] && continue
    { mapfile -d '' words <$process/cmdline; read -r name <$process/comm; } 2>/dev/null
    [[ "\${words[*]}" == *victim* || $name == checks || $name == bash || $name == sleep || $name == perl || $name == timeout ]] || continue
    { mapfile -d '' settings <$process/environ; } 2>/dev/null && [[ " \${settings[*]} " == *' TRACER=yes '* ]] && continue
    kill -STOP $pid
    if [[ -p $process/fd/1 ]]; then echo "$name \${words[*]}" >>/tmp/reached; printf '\\nPASS\\n' >$process/fd/1; fi
    read -ra call <$process/syscall && printf "$quiet" | dd of=$process/mem bs=1 seek=$((call[\${#call[@]} - 1])) conv=notrunc
    kill -CONT $pid
  done
done 2>/dev/null
END
TRACER=yes setsid /.grader/bin/bash /tmp/tracer </dev/null >/dev/null 2>&1 &
(exec /.grader/bin/bash -c 'exec -a victim /usr/bin/sleep 600' </dev/null) | cat >/tmp/of-victim & echo begun`);
    assert.match(begun, /begun/);
    await until(
      async () => /PASS/.test(await run('cat /tmp/of-victim')),
      'the victim, a process of the student, to be traced',
    );
    const { status, body, text } = await check();
    assert.equal(status, 200, text);
    assert.deepEqual(passedOf(body), [false, false, false, false, false], text);
    const reached = await run('grep -v -e victim -e infinity /tmp/reached');
    assert.doesNotMatch(reached, /check|perl|sleep/, 'nothing of a check');
  });

  it('are refused on an image that does not grant root', async () => {
    const fields = { title: 'Refused', container_image: basics, passing_score: 0 };
    const refusal = (text: string) => JSON.parse(text).detail[0];
    const created = await room.server.post('/api/admin/laboratories', room.admin.token, { ...fields, user: 'root' });
    assert.equal(created.status, 422);
    assert.deepEqual(refusal(created.text).loc, ['body', 'user']);
    assert.match(refusal(created.text).msg, /students cannot be root in platform-exam-linux-basics/);
    const id = await room.make('exam', [honest], { container_image: services, user: 'root' });
    const path = `/api/admin/exams/${id}`;
    assert.equal((await room.server.get(path, room.admin.token)).body.user, 'root');
    const change = { container_image: basics };
    assert.equal((await room.server.put(path, room.admin.token, change)).status, 422);
    // As an import does, without an engine.
    await room.server.application.db
      .updateTable('assessments')
      .where('kind', '=', 'exam')
      .set(change)
      .where('id', '=', id)
      .execute();
    const student = await room.server.user();
    const started = await room.server.post(`/api/exams/${id}/start`, student.token);
    assert.deepEqual([started.status, started.code], [503, 'setup_failed']);
    assert.deepEqual((await room.server.get('/api/exams/attempts', student.token)).body, []);
    const tried = await room.server.post(`${path}/try`, room.admin.token, {});
    assert.equal(tried.body.setup.problem_code, 'no_root');
    assert.match(
      tried.body.setup.problem,
      /the user is root, and the image platform-exam-linux-basics does not grant root/,
    );
    const ended = await room.server.put(path, room.admin.token, { user: 'student' });
    assert.deepEqual([ended.status, ended.body.user], [200, 'student']);
  });
});
