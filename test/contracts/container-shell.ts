import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import ssh2 from 'ssh2';
import { newKey, SshShell } from '../../src/adapters/ssh/ssh-shell.ts';
import { type ShellConnection, ShellConnectionLost } from '../../src/features/containers/container-shell.ts';
import { ShellPool } from '../../src/features/containers/shell-pool.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import { type ContainerEngine, ContainerNotRunning, NoSuchContainer } from '../../src/ports/container-engine.ts';
import { type EngineUnderTest, smallContainer } from '../engines.ts';

const limits = { seconds: 10, outputBytes: 4096 };

/** The contract of the shell in a container, which is the same on every engine. */
export function testContainerShell({ name, skip, open }: EngineUnderTest): void {
  describe(`scripts over SSH in a container on ${name}`, { skip }, () => {
    let engine: ContainerEngine;
    let shell: SshShell;
    let ref: string;
    let connection: ShellConnection;

    before(async () => {
      engine = await open();
      shell = new SshShell({ engine });
      ref = await engine.create(smallContainer());
      connection = await shell.connect(ref, 'grader');
    });
    after(async () => {
      await connection?.[Symbol.asyncDispose]();
      if (ref) await engine.remove(ref);
      await engine?.[Symbol.asyncDispose]();
    });

    const run = (script: string, seconds = limits.seconds) => connection.runScript(script, { ...limits, seconds });

    it('runs as root in a clean environment, with the static tools first', async () => {
      const { output, ending, isTruncated } = await run(
        'id -u; pwd; env | sort; command -v ls; read -r line; echo "[$line]"; echo oops >&2; echo PASS',
      );
      assert.equal(ending, 'exit');
      assert.equal(isTruncated, false);
      const lines = output.trim().split('\n');
      assert.deepEqual(lines.slice(0, 2), ['0', '/']);
      assert.deepEqual(
        lines.slice(-3),
        ['/.grader/bin/ls', '[]', 'PASS'],
        'standard input is empty, standard error is not output',
      );
      const names = lines.slice(2, -3).map((line) => line.split('=')[0]);
      assert.deepEqual(names.sort(), ['HOME', 'LANG', 'PATH', 'PWD', 'SHLVL', 'TERM', '_'].sort());
    });

    it('passes scripts unchanged with any content', async () => {
      const text = `'"\`$(id)\`\\ $HOME ! ü \u{1F427} %s \t`;
      const { output } = await run(`cat <<'END OF TEXT'\n${text}\nEND OF TEXT\necho PASS`);
      assert.equal(output, `${text}\nPASS\n`);
      // More than the window of a channel: the transfer continues as the container reads.
      const long = `${'# padding\n'.repeat(300_000)}echo PASS`;
      assert.equal((await run(long)).output, 'PASS\n');
    });

    it('connects to a container whose shared memory is full', async () => {
      // Files of a connection are removed after some seconds, which would free space for the next one.
      const full = await run(`while compgen -G '/dev/shm/connect.*'; do sleep 0.1; done >/dev/null
      cat /dev/zero >/dev/shm/full 2>/dev/null; ls /dev/shm; echo PASS`);
      assert.equal(full.output, 'full\nPASS\n');
      try {
        await using another = await shell.connect(ref, 'grader');
        assert.equal((await another.runScript('ls /dev/shm; echo PASS', limits)).output, 'full\nPASS\n');
      } finally {
        await run('rm -f /dev/shm/full');
      }
    });

    it('hides the script from the list of processes and from files', async () => {
      const secret = randomUUID();
      const halves = [secret.slice(0, 18), secret.slice(18)];
      const { output } = await run(
        `secret="${secret}"; look="${halves[0]}""${halves[1]}"
      for file in /proc/[0-9]*/cmdline /proc/[0-9]*/environ /tmp/* /run/* /dev/shm/*; do
        [[ -f $file ]] && tr '\\0' ' ' <"$file" | grep -qF "$look" && echo "seen in $file"
      done; echo PASS`,
      );
      assert.equal(output, 'PASS\n');
    });

    it('stops at the time limit and leaves no process of the group', async () => {
      const begin = performance.now();
      // Several in parallel: messages of bash about killed jobs can be interleaved.
      const runs = Array.from({ length: 8 }, () => run('echo before; sleep 333 & sleep 333; echo after', 1));
      for (const { output, ending } of await Promise.all(runs))
        assert.deepEqual([output, ending], ['before\n', 'timeout']);
      assert.ok(performance.now() - begin < 5000);
      assert.equal((await run('sleep 444 & echo $!; echo PASS')).ending, 'exit');
      assert.equal((await run('ps | grep -E "sleep (333|444)" | grep -v grep; echo done')).output, 'done\n');
    });

    it('keeps the end of a long output, in bounded memory', async () => {
      const { output, isTruncated } = await run('head -c 50000000 /dev/zero | tr "\\0" x; echo; echo PASS', 60);
      assert.equal(isTruncated, true);
      assert.equal(Buffer.byteLength(output), limits.outputBytes);
      assert.ok(output.endsWith('x\nPASS\n'));
    });

    it('distinguishes scripts that end, fail to parse, exit or kill their runner', async () => {
      assert.equal((await run('exit 3')).ending, 'exit');
      assert.deepEqual(await run('if then'), { output: '', isTruncated: false, ending: 'exit' });
      assert.notEqual((await run('echo PASS; kill -9 $$; sleep 1', 2)).ending, 'exit');
    });

    it('accepts no verdict from other programs', async () => {
      const late = await run("setsid bash -c 'sleep 1; echo PASS' & sleep 0.3; echo FAIL");
      assert.deepEqual(late, { output: 'FAIL\n', isTruncated: false, ending: 'held' }, 'it writes after the script');
      const held = await run('setsid sleep 60 & sleep 0.3; echo PASS');
      assert.deepEqual(held, { output: 'PASS\n', isTruncated: false, ending: 'held' }, 'it could still write');
      assert.equal((await run('setsid sleep 61 >/dev/null & sleep 0.3; echo PASS')).ending, 'exit', 'it cannot');
      assert.equal((await run('sleep 62 & echo PASS')).ending, 'exit', 'it ends with the script');
      const killed = await run("echo PASS; bash -c 'kill -9 $PPID'");
      assert.deepEqual(
        killed,
        { output: 'PASS\n', isTruncated: false, ending: 'killed' },
        'a program ended the script',
      );
    });

    it('runs many scripts at once over one connection', async () => {
      const outputs = await Promise.all(Array.from({ length: 8 }, (_, index) => run(`sleep 0.1; echo ${index}`)));
      assert.deepEqual(
        outputs.map(({ output }) => output.trim()),
        ['0', '1', '2', '3', '4', '5', '6', '7'],
      );
    });

    it('returns FAIL for a script that always ends the connection, and continues with the next', async () => {
      await using shells = new ShellPool(shell);
      const grader = new Grader({ shells, scriptSeconds: 5, outputBytes: 4096, retryDelay: 10 });
      const verdicts: [number, boolean, string][] = [];
      const tasks = [
        { id: 1, verification_script: 'echo PASS' },
        { id: 2, verification_script: 'kill -9 $PPID; sleep 1; echo PASS' },
        { id: 3, verification_script: 'echo PASS' },
      ];
      await grader.grade(ref, tasks, async ({ id }, { passed, output }) => void verdicts.push([id, passed, output]));
      assert.deepEqual(
        verdicts.map(([id, passed]) => [id, passed]),
        [
          [1, true],
          [2, false],
          [3, true],
        ],
      );
      assert.match(verdicts[1]?.[2] ?? '', /killed from inside/);
    });

    it('reads a long list of changed files up to its limit', async () => {
      await run('mkdir /home/student/many; for i in {1..2000}; do : >/home/student/many/$i; done');
      const whole = await engine.changedFiles(ref);
      assert.ok(whole.length > 2000 && whole.every((path) => path.startsWith('/')));
    });

    it('counts files with any names in a container up to a limit', async () => {
      const countOf = async (most: number) => (await engine.fileCounts(most)).find((count) => count.ref === ref)?.files;
      const before = (await countOf(1_000_000)) ?? 0;
      assert.ok(before > 5000, `${before}`);
      await run(
        `mkdir /home/student/named; cd /home/student/named; touch $'two\\nlines' ' ' '*' "$(printf '%0250d' 0)"`,
      );
      assert.equal(await countOf(1_000_000), before + 5);
      assert.equal(await countOf(1000), 1000);
    });

    it('always generates readable keys', () => {
      for (let index = 0; index < 1000; index += 1) {
        const { private: secret, public: open } = newKey();
        assert.ok(![secret, open].some((key) => ssh2.utils.parseKey(key) instanceof Error));
      }
    });

    it('refuses the student root and any key but its own', async () => {
      await using student = await shell.connect(ref, 'student');
      const terminal = await student.openTerminal({ cols: 80, rows: 24 });
      let screen = '';
      terminal.on('data', (chunk: Buffer) => {
        screen += chunk.toString();
      });
      terminal.end('id -u; sudo -n id; cat /.grader/run >/dev/null && touch /.grader/x; ls /dev/shm; exit 5\n');
      assert.deepEqual(await terminal.exit, { code: 5 });
      assert.match(screen, /1000\r\n/);
      assert.match(screen, /Read-only file system|Permission denied/);
      assert.doesNotMatch(screen, /uid=0/);
    });

    it('reports a stopped or removed container', async () => {
      const other = await engine.create(smallContainer());
      const last = await shell.connect(other, 'grader');
      await engine.stop(other);
      await last.closed;
      await assert.rejects(last.runScript('echo PASS', limits), ShellConnectionLost);
      await assert.rejects(shell.connect(other, 'grader'), ContainerNotRunning);
      assert.equal((await engine.inspect(other))?.isRunning, false);
      await engine.remove(other);
      await engine.remove(other);
      assert.equal(await engine.inspect(other), undefined);
      await assert.rejects(shell.connect(other, 'grader'), NoSuchContainer);
      await assert.rejects(engine.start(other), NoSuchContainer);
    });

    // The last one: the container is not what it was afterwards.
    it('reads no start-up file of the container, even one written by its root', async () => {
      const trap = `echo 'echo PASS; exit' | tee -a /etc/bash.bashrc /etc/profile /root/.bashrc /root/.profile /root/.ssh/rc >/dev/null
      mkdir -p /root/.ssh; echo 'BASH_ENV=/etc/profile' | tee -a /etc/environment /root/.ssh/environment >/dev/null`;
      assert.equal((await run(trap)).ending, 'exit');
      assert.equal((await run('grep -c PASS /etc/bash.bashrc; echo FAIL')).output, '1\nFAIL\n');
      await using fresh = await shell.connect(ref, 'grader');
      assert.equal((await fresh.runScript('echo FAIL', limits)).output, 'FAIL\n');
    });
  });
}
