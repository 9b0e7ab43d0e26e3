import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ShellConnection } from '../../packages/ssh/container-shell.ts';
import { itLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { connectGrader } from './grader-connection.ts';

describe('the prologue of checks', { skip: engineSkip }, () => {
  const cleanup = new AsyncDisposableStack();
  let connection: ShellConnection;

  before(async () => {
    connection = await connectGrader(cleanup, 'platform-exam-linux-basics');
  });
  after(() => cleanup.disposeAsync());

  const run = async (script: string): Promise<string> => {
    const { output, ending, reasons } = await connection.runScript(script, { seconds: 20, outputBytes: 65_536 });
    assert.equal(ending, 'exit', output);
    return reasons ? `${output}gave up: ${reasons.join(', ')}` : output;
  };

  it('returns the verdict, and does not affect scripts without it', async () => {
    assert.equal(await run('verdict; echo more'), 'PASS\n');
    assert.equal(await run('problem not this; verdict'), '- not this\nFAIL\n');
    assert.equal(await run('problem() { echo mine; }; problem; echo PASS'), 'mine\nPASS\n');
    assert.equal(await run('ls -d /run/check.* | wc -l; echo PASS'), '1\nPASS\n');
    assert.equal(await run('stat -c %a "$private" "$shared" "$vault"; verdict'), '700\n755\n700\nPASS\n');
  });

  it('counts the parts of a task that are done', async () => {
    assert.equal(await run('part; problem one; part; part; verdict'), '- one\nSCORE 2/3\n');
    assert.equal(await run('problem all; part; problem more; part; verdict'), '- all\n- more\nSCORE 0/2\n');
    assert.equal(await run('part; part; verdict'), 'PASS\n');
    assert.equal(await run('part; problem after; verdict'), '- after\nFAIL\n');
    assert.match(await run('part; must false; verdict'), /gave up/);
  });

  it('runs a command as the student without data of the check', async () => {
    const seen = `secret=hidden; export secret; exec 7</etc/shadow
      as_student /bin/bash -c 'id -u; id -G; pwd; echo "[$secret]"; cat; ls /proc/self/fd | wc -l; grep NoNewPrivs /proc/self/status'
      verdict`;
    // Three descriptors, and that of the list itself.
    assert.equal(await run(seen), '1000\n1000\n/\n[]\n4\nNoNewPrivs:\t1\nPASS\n');
    assert.equal(
      await run('as_student -i /etc/hostname -C /tmp /bin/sh -c "cat; pwd; exit 3"; echo $?'),
      'linux-basics\n/tmp\n3\n',
    );
    const reopened = "as_student /bin/bash -c 'echo PASS >/proc/self/fd/1; cat /proc/self/fd/1' 2>/dev/null; echo $?";
    assert.equal(await run(reopened), '1\n', 'its output can be opened by root alone');
    assert.equal(await run('as_stranger id -u; as_other 1000,7 id -G; verdict'), '64998\n65534 7 1000\nPASS\n');
    const late = 'as_student /bin/bash -c \'setsid bash -c "sleep 0.5; echo PASS" & echo begun\'; sleep 1; echo FAIL';
    assert.equal(await run(late), 'begun\nFAIL\n', 'what it leaves behind writes to nobody');
  });

  for (const [how, script, reason] of [
    ['killed', "as_student /bin/bash -c 'kill -KILL $$'", 'was killed, or did not end within 5 seconds'],
    ['ended by a signal', "as_student /bin/bash -c 'kill -HUP $$'", 'was ended by a signal (1)'],
    ['stopped', "as_student -t 1 /bin/bash -c 'kill -STOP $$'", 'was killed, or did not end within 1 seconds'],
    ['not ending', 'as_student -t 1 /usr/bin/sleep 9', 'was killed, or did not end within 1 seconds'],
  ] as const) {
    const test = how === 'stopped' || how === 'ended by a signal' ? itLong : it;
    test(`makes a check FAIL whose command was ${how}, wherever it was called`, async () => {
      const end = `gave up: a program that ran as you ${reason}`;
      assert.equal(await run(`${script}; echo PASS`), end);
      assert.equal(await run(`got=$(${script}); [ -z "$got" ] && echo PASS`), `PASS\n${end}`);
      assert.equal(await run(`${script} | cat; verdict`), `FAIL\n${end}`);
    });
  }

  it("reads the student's files without links, without blocking, and up to a limit", async () => {
    const made = `as_student /bin/bash -c 'cd; printf "a\\0b" >file; mkfifo pipe; ln -s /etc/passwd link; ln -s /dev/zero zero; mkdir dir
      head -c 100000 /dev/zero | tr "\\0" x >long'`;
    const read = 'for name in file pipe link zero dir none; do student_file /home/student/$name; echo " $?"; done';
    assert.equal(await run(`${made}; ${read}; verdict`), 'ab 0\n 1\n 1\n 1\n 1\n 1\nPASS\n');
    assert.equal(
      await run('student_file /home/student/long | wc -c; student_file /home/student/long 10'),
      '65536\nxxxxxxxxxx',
    );
    assert.equal(
      await run('is_file /etc/hostname && ! is_file /home/student/link && is_folder /etc && verdict'),
      'PASS\n',
    );
  });

  it('copies a folder to a place inaccessible to the student', async () => {
    const made = `as_student /bin/bash -c 'mkdir -p /tmp/own/sub; cd /tmp/own; echo x >sub/file; ln sub/file hard; ln -s sub soft; mkfifo pipe; chmod 555 sub'`;
    const look = `snapshot /tmp/own copy || problem no; cat "$vault/copy/sub/file"; readlink "$vault/copy/soft"
      [ "$vault/copy/hard" -ef "$vault/copy/sub/file" ] && echo hard; [ -p "$vault/copy/pipe" ] && echo pipe
      as_student /usr/bin/ls "$vault/copy" 2>/dev/null; echo $?; snapshot /tmp/none none; echo $?; verdict`;
    assert.equal(await run(`${made}; ${look}`), 'x\nsub\nhard\npipe\n2\n1\nPASS\n');
  });

  itLong('cannot be traced in what runs with $closed', async () => {
    const script = `as_student "$closed" sleep 2 & sleep 0.5
      for pid in $(/usr/bin/pgrep -f 'busybox-closed sleep 2'); do
        [ "$(grep -c '^Uid:.1000' /proc/$pid/status)" = 1 ] && as_student /bin/bash -c "cat /proc/$pid/environ 2>&1" | grep -c 'denied$'
      done; wait; verdict`;
    assert.equal(await run(script), '1\nPASS\n');
  });

  it('returns FAIL for a check that could not run', async () => {
    assert.equal(
      await run('must false; echo PASS'),
      'gave up: the check could not do its work: the container has no room left for it',
    );
    assert.equal(await run('must true; verdict'), 'PASS\n');
  });
});
