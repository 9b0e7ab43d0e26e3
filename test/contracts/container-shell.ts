import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import ssh2 from 'ssh2';
import {
  type KeptOutput,
  type ShellConnection,
  ShellConnectionLostError,
  type TerminalStream,
} from '../../packages/ssh/container-shell.ts';
import { newKey, SshShell } from '../../packages/ssh/ssh-shell.ts';
import { ShellPool } from '../../src/features/capacity/shell-pool.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import {
  type ContainerEngine,
  ContainerNotRunningError,
  NoSuchContainerError,
} from '../../src/ports/container-engine.ts';
import { type EngineUnderTest, smallContainer } from '../engines.ts';
import { itLong } from '../rounds.ts';
import { until } from '../until.ts';

const limits = { seconds: 10, outputBytes: 4096 };

async function* failingRead(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(100);
  throw new Error('the source ended');
}

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

    it('puts files in place with their owner and mode, and reports what the container does not take', async () => {
      const file = (path: string, content: Uint8Array, more: { owner?: string; mode?: string } = {}) => ({
        ...{ path, owner: 'root', mode: '0644', bytes: content.length, ...more },
        read: async function* () {
          // Chunks of no particular length.
          for (let at = 0; at < content.length; at += 100_001) yield content.subarray(at, at + 100_001);
        },
      });
      const large = randomBytes(3 * 1024 * 1024 + 7);
      await run('ln -s /etc/passwd /tmp/link; echo old >/etc/motd');
      const placed = [
        file("/home/student/it's/a $(b)/large", large, { owner: 'student', mode: '0640' }),
        file('/opt/new/empty', Buffer.alloc(0), { mode: '4755', owner: 'root:student' }),
        file('/tmp/link', Buffer.from('no link')),
        file('/etc/motd', Buffer.from('new\n')),
        file('/etc/hosts', Buffer.from('127.0.0.1 localhost put\n')),
      ];
      assert.equal(await connection.putFiles(placed, 30), undefined);
      const { output } =
        await run(`cd "/home/student/it's" && stat -c '%U:%G %a %s' . 'a $(b)' 'a $(b)/large' /opt/new /opt/new/empty
        busybox sha256sum 'a $(b)/large' | cut -d' ' -f1; stat -c %F /tmp/link; cat /etc/motd /etc/hosts; grep -c root: /etc/passwd; ls -A /root`);
      assert.deepEqual(output.replace(/ \d+$/gm, ' -').trim().split('\n'), [
        'student:student 755 -',
        'student:student 755 -',
        'student:student 640 -',
        'root:student 755 -',
        'root:student 4755 -',
        createHash('sha256').update(large).digest('hex'),
        'regular file',
        'new',
        '127.0.0.1 localhost put',
        '1',
        ...output.trim().split('\n').slice(10),
      ]);
      assert.doesNotMatch(output, /setup-files/);
      for (const [path, more, reason] of [
        ['/etc', {}, /it is a folder[\s\S]*\/etc could not be put in place/],
        ['/etc/passwd/x', {}, /\/etc\/passwd\/x could not be put in place/],
        ['/opt/y', { owner: 'nobody-of-this-name' }, /nobody-of-this-name[\s\S]*\/opt\/y could not/],
        ['/.grader/run', {}, /\/.grader\/run could not be put in place/],
      ] as const)
        assert.match((await connection.putFiles([file(path, large, more)], 30)) ?? '', reason);
      // More than the disk of the container has.
      const block = Buffer.alloc(1024 * 1024);
      const tooLarge = {
        ...file('/opt/huge', block),
        bytes: 80 * block.length,
        read: async function* () {
          for (let count = 0; count < 80; count += 1) yield block;
        },
      };
      assert.match((await connection.putFiles([tooLarge], 30)) ?? '', /limit|space|large/i);
      const failing = { ...file('/opt/z', large), read: () => failingRead() };
      await assert.rejects(connection.putFiles([failing], 30), /the source ended/);
      assert.equal((await run('[ ! -e /opt/z ] && echo PASS')).output, 'PASS\n');
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
      // Several in parallel: messages of bash about killed jobs can be interleaved. On a busy machine their first line takes a second.
      const runs = Array.from({ length: 8 }, () => run('echo before; sleep 333 & sleep 333; echo after', 3));
      for (const { output, ending } of await Promise.all(runs))
        assert.deepEqual([output, ending], ['before\n', 'timeout']);
      assert.equal((await run('sleep 444 & echo $!; echo PASS')).ending, 'exit');
      const left = async () => (await run('ps | grep -E "sleep (333|444)" | grep -v grep; echo done')).output;
      await until(async () => (await left()) === 'done\n', 'the end of their processes');
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
      const late = await run("setsid bash -c 'sleep 9; echo PASS' & sleep 0.3; echo FAIL");
      assert.deepEqual(late, { output: 'FAIL\n', isTruncated: false, ending: 'held' }, 'it writes after the script');
      const held = await run('setsid sleep 60 & sleep 0.3; echo PASS');
      assert.deepEqual(held, { output: 'PASS\n', isTruncated: false, ending: 'held' }, 'it could still write');
      const isElsewhere = 'until [ "$(readlink /proc/$!/fd/1)" = /dev/null ]; do sleep 0.02; done';
      assert.equal((await run(`setsid sleep 61 >/dev/null & ${isElsewhere}; echo PASS`)).ending, 'exit', 'it cannot');
      assert.equal((await run('sleep 62 & echo PASS')).ending, 'exit', 'it ends with the script');
      const killed = await run("echo PASS; bash -c 'kill -9 $PPID'");
      assert.deepEqual(
        killed,
        { output: 'PASS\n', isTruncated: false, ending: 'killed' },
        'a program ended the script',
      );
    });

    it('kills what a check leaves running, whatever its session, account and ancestors', async () => {
      const script = `setsid sleep 4241 >/dev/null &
        (setsid bash -c 'trap "" TERM HUP; (sleep 4242; :) & sleep 4243; :' >/dev/null 2>&1 &)
        /usr/bin/setpriv --reuid 65534 --clear-groups /.grader/bin/busybox setsid sleep 4244 >/dev/null &
        sleep 0.3; echo PASS`;
      const left = async () => (await run('pgrep -f "sleep 424[1-4]" | wc -l')).output;
      const found = await connection.runScript(script, { ...limits, isCheck: true });
      assert.deepEqual([found.output, found.ending], ['PASS\n', 'exit']);
      assert.equal(await left(), '0\n');
      await run(script);
      assert.notEqual(await left(), '0\n', 'a set-up script may leave programs running');
      await run('pkill -KILL -f "sleep 424[1-4]"');
    });

    it('gives no process but those of checks the capabilities that protect them', async () => {
      const look = 'grep -E "^Cap(Prm|Bnd)" /proc/self/status';
      const masks = (text: string) =>
        [...text.matchAll(/Cap\w+:\s*(\w+)/g)].map(([, mask = '0']) => BigInt(`0x${mask}`));
      const [setpcap, setfcap] = [1n << 8n, 1n << 31n];
      const ofCheck = masks((await connection.runScript(look, { ...limits, isCheck: true })).output);
      assert.ok(ofCheck.length === 2 && ofCheck.every((mask) => (mask & setfcap) !== 0n), `${ofCheck}`);
      const asStudent = 'as_student /usr/bin/grep -E "^Cap(Prm|Bnd)" /proc/self/status';
      const first = 'grep -E "^Cap(Prm|Bnd)" /proc/$(pgrep -o -x sleep || echo self)/status';
      const others = [
        (await run(look)).output,
        (await connection.runScript(asStudent, { ...limits, isCheck: true })).output,
        (await run(first)).output,
      ];
      for (const text of others) {
        const found = masks(text);
        assert.ok(found.length === 2 && found.every((mask) => (mask & (setpcap | setfcap)) === 0n), text);
      }
    });

    it('runs many scripts at once over one connection', async () => {
      const outputs = await Promise.all(Array.from({ length: 8 }, (_, index) => run(`sleep 0.1; echo ${index}`)));
      assert.deepEqual(
        outputs.map(({ output }) => output.trim()),
        ['0', '1', '2', '3', '4', '5', '6', '7'],
      );
    });

    it('runs one script after another in one process, of which nothing reaches the next script', async () => {
      const look =
        'echo $PPID; umask; pwd; ulimit -n; echo "$left $(type -t left)"; trap -p; env | grep -c .; /usr/bin/find $private/.. -mindepth 1 -printf "%P\n" | sort';
      const [first, changed, second] = [
        await run(look),
        await run(
          'echo $PPID; umask 0; cd /tmp; ulimit -n 10; left=1; left() { :; }; trap "echo PASS" EXIT; export LEFT=1; : >$private/left; : >$vault/left',
        ),
        await run(look),
      ];
      assert.deepEqual(second, first);
      assert.equal(changed.output.split('\n')[0], first.output.split('\n')[0], 'the same process starts them');
      assert.match(first.output, /\n0022\n\/\n1024\n \n7\nprivate\nprivate\/sound\nshared\nvault\n$/);
    });

    it('begins the scripts of a sequence one after another, also where one ends their runner', async () => {
      const sequence = {};
      const next = (script: string) => connection.runScript(script, limits, sequence);
      const runs = await Promise.all([
        next('echo >/tmp/one; sleep 0.3; rm /tmp/one; echo PASS'),
        next('[ -e /tmp/one ] && echo early; kill -9 $PPID; sleep 1; echo PASS'),
        next('[ -e /tmp/one ] && echo early; echo PASS'),
      ]);
      assert.deepEqual(
        runs.map(({ output, ending }) => [output, ending]),
        [
          ['PASS\n', 'exit'],
          ['', 'killed'],
          ['PASS\n', 'exit'],
        ],
      );
    });

    it('gives a script only the pipe of its output', async () => {
      // What the kernel lists for its own reading is the fourth.
      const { output } = await run(
        'exec 2>&1; ls /proc/self/fd; readlink /proc/self/fd/0; cat /proc/$$/cmdline | tr "\\0" " "',
      );
      assert.match(output, /^0\n1\n2\n3\n\/dev\/null\n\/\.grader\/bin\/bash -c \. \/\.grader\/check $/);
    });

    it('starts another runner where the last one was killed before its next script', async () => {
      const { output: pid } = await run('echo $PPID');
      await using other = await shell.connect(ref, 'grader');
      await other.runScript(`kill -9 ${pid}`, limits);
      await until(async () => (await run('echo PASS')).output === 'PASS\n', 'another runner');
      assert.notEqual((await run('echo $PPID')).output, pid);
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
      await grader.grade(
        ref,
        tasks,
        async ({ id }, { passed, remark }) => void verdicts.push([id, passed, remark ?? '']),
      );
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

    it('always generates readable keys', async () => {
      for (let index = 0; index < 1000; index += 1) {
        const { private: secret, public: open } = await newKey();
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

    describe('a held terminal', { concurrency: true }, () => {
      const size = { cols: 80, rows: 24 };
      const keeps = { bytes: 65_536, seconds: 3600 };
      const textOf = (terminal: TerminalStream) => {
        const chunks: Buffer[] = [];
        terminal.on('data', (chunk: Buffer) => chunks.push(chunk));
        return () => Buffer.concat(chunks).toString();
      };
      const open = async (student: ShellConnection) => {
        const terminal = await student.openHeldTerminal(size, keeps);
        assert.ok(terminal?.held);
        return { terminal, held: terminal.held, text: textOf(terminal) };
      };
      const keptText = ({ parts }: KeptOutput) =>
        Buffer.concat(parts.filter((part) => Buffer.isBuffer(part))).toString();

      /** Attaches when the kept output contains the wanted text. */
      const attachWith = async (student: ShellConnection, holder: string, from: number, wanted: RegExp) => {
        for (const deadline = Date.now() + 60_000; ; ) {
          const attached = await student.attach(holder, from);
          assert.ok(attached);
          if (wanted.test(keptText(attached.kept))) return attached;
          assert.ok(Date.now() < deadline, `the kept output is ${keptText(attached.kept).slice(-500)}`);
          attached.terminal.destroy();
          await delay(100);
        }
      };

      it('continues without its connection, and is found again with its output, sizes and input', async () => {
        const student = await shell.connect(ref, 'student');
        const { terminal, held, text } = await open(student);
        const typed = 'x=kept; tty; who | wc -l; echo fir""st\n';
        terminal.write(typed);
        await until(() => text().includes('first\r\n'), 'the output');
        terminal.resize(100, 30);
        terminal.write('sleep 1; stty size; echo sec""ond\n');
        await until(() => held.received === held.accepted, 'the input');
        await student[Symbol.asyncDispose]();
        assert.ok((await terminal.exit).code === null);

        await using later = await shell.connect(ref, 'student');
        const attached = await attachWith(later, held.holder, 0, /\nsecond\r\n/);
        const { kept } = attached;
        assert.deepEqual([kept.start, kept.size], [0, size]);
        assert.ok(keptText(kept).startsWith(text()), 'the same output, without a gap');
        assert.match(keptText(kept), /30 100\r\nsecond\r\n/);
        assert.ok(kept.parts.some((part) => !Buffer.isBuffer(part) && part.cols === 100 && part.rows === 30));
        assert.equal(attached.terminal.held?.received, held.accepted);
        const after = textOf(attached.terminal);
        attached.terminal.write('echo $x; exit 9\n');
        assert.deepEqual(await attached.terminal.exit, { code: 9 });
        assert.match(after(), /kept\r\n/);
        // It ends once its client knows the exit.
        await until(async () => {
          const again = await later.attach(held.holder, 0);
          again?.terminal.destroy();
          return again === undefined;
        }, 'the holder to end');
      });

      it('and scripts do without the SSH server of the container, with large output in both directions', async () => {
        await using student = await shell.connect(ref, 'student', { isPlain: true });
        assert.equal(student.isPlain, true);
        const { terminal, held, text } = await open(student);
        terminal.write(
          'stty -echo; id -u; read -r line; echo "<$(printf %s $line | wc -c)>"; seq 60000; echo las""t\n',
        );
        await until(() => text().includes('1000\r\n'), 'the shell');
        terminal.write(`${'x'.repeat(3000)}\n`);
        await until(() => text().includes('last\r\n'), 'all its output');
        assert.match(text(), /<3000>\r\n1\r\n/);
        await until(() => held.received === held.accepted, 'the input');
        terminal.write('exit 6\n');
        assert.deepEqual(await terminal.exit, { code: 6 });
        await using grader = await shell.connect(ref, 'grader', { isPlain: true });
        const sums = await grader.runScript('id -u; seq 20000; echo PASS', { ...limits, outputBytes: 1_000_000 });
        assert.equal(sums.output.split('\n').length, 20_003);
        assert.equal(sums.ending, 'exit');
      });

      itLong('is not ended by the time in which the container is frozen', async () => {
        const other = await engine.create(smallContainer());
        try {
          const student = await shell.connect(other, 'student');
          const terminal = await student.openHeldTerminal(size, { bytes: 65_536, seconds: 10 });
          assert.ok(terminal?.held);
          // It ends when what has arrived is read, which is the prompt on a busy machine.
          terminal.resume();
          await student[Symbol.asyncDispose]();
          await terminal.exit;
          await engine.freeze(other);
          // An engine that cannot do it lets the time of the holder pass.
          if (!(await engine.inspect(other))?.isFrozen) return;
          // The kernel's clock, by which the holder counts, goes on.
          await delay(12_000);
          await engine.start(other);
          await using later = await shell.connect(other, 'student');
          const attached = await later.attach(terminal.held.holder, 0);
          assert.ok(attached, 'the shell is still there');
          attached.terminal.resume();
          attached.terminal.held?.hangUp();
          await attached.terminal.exit;
        } finally {
          await engine.remove(other);
        }
      });

      it('keeps the end of its output, and its exit code', async () => {
        await using student = await shell.connect(ref, 'student');
        const { terminal, held, text } = await open(student);
        terminal.write('sleep 1; seq 100000; touch ~/written; exit 4\n');
        await until(() => text().includes('seq'), 'the command');
        terminal.destroy();
        const isWritten = async () => (await run('ls /home/student/written 2>/dev/null')).output !== '';
        await until(isWritten, 'the output');
        // Once: a connection that knows the exit ends the holder.
        const attached = await student.attach(held.holder, 5);
        assert.ok(attached);
        assert.ok(attached.kept.start > 500_000, `${attached.kept.start}`);
        // The holder may read the last of it after the file was created.
        const rest = textOf(attached.terminal);
        assert.deepEqual(await attached.terminal.exit, { code: 4 });
        assert.match(keptText(attached.kept) + rest(), /\n99999\r\n100000\r\n/);
      });

      it('is hung up even where it reads no input', async () => {
        await using student = await shell.connect(ref, 'student');
        const { terminal, held, text } = await open(student);
        terminal.write('stty raw -echo; echo re""ady; sleep 4321\n');
        await until(() => text().includes('ready'), 'the program');
        terminal.write(Buffer.alloc(3_000_000, 'x'));
        await delay(200);
        assert.ok(held.received < held.accepted);
        held.hangUp();
        await terminal.exit;
        const left = async () => (await run('ps | grep "sleep 432[1]"; echo done')).output;
        await until(async () => (await left()) === 'done\n', 'the program to end');
        assert.equal(await student.attach(held.holder, 0), undefined);
      });

      it('belongs to its newest connection', async () => {
        await using student = await shell.connect(ref, 'student');
        await using other = await shell.connect(ref, 'student');
        const { terminal, held } = await open(student);
        const attached = await other.attach(held.holder, 0);
        assert.deepEqual(await terminal.exit, { code: null, isTakenOver: true });
        attached?.terminal.resume();
        attached?.terminal.held?.hangUp();
        await attached?.terminal.exit;
      });

      it('is reached by its account only', async () => {
        await using student = await shell.connect(ref, 'student');
        const { terminal, held } = await open(student);
        await assert.rejects(async () => {
          if (!(await connection.attach(held.holder, 0))) throw new Error('refused');
        }, /refused/);
        const stolen = await run(
          `busybox chroot / /usr/bin/setpriv --reuid 33 --clear-groups ls ${held.holder} && echo seen`,
        );
        assert.equal(stolen.output, '');
        held.hangUp();
        await terminal.exit;
      });
    });

    it('reports a stopped or removed container', async () => {
      const other = await engine.create(smallContainer());
      const last = await shell.connect(other, 'grader');
      await engine.stop(other);
      await last.closed;
      await assert.rejects(last.runScript('echo PASS', limits), ShellConnectionLostError);
      await assert.rejects(shell.connect(other, 'grader'), ContainerNotRunningError);
      assert.equal((await engine.inspect(other))?.isRunning, false);
      await engine.remove(other);
      await engine.remove(other);
      assert.equal(await engine.inspect(other), undefined);
      await assert.rejects(shell.connect(other, 'grader'), NoSuchContainerError);
      await assert.rejects(engine.start(other), NoSuchContainerError);
    });

    // The last one: the container is not what it was afterwards.
    it('reads no start-up file of the container, even one written by its root', async () => {
      const files = '/etc/bash.bashrc /etc/profile /root/.bashrc /root/.profile /root/.ssh/rc /etc/ssh/sshrc';
      const trap = `mkdir -p /root/.ssh; echo 'echo PASS; exit' | tee -a ${files} >/dev/null
      echo 'BASH_ENV=/etc/profile' | tee -a /etc/environment /root/.ssh/environment >/dev/null`;
      assert.equal((await run(trap)).ending, 'exit');
      assert.equal((await run('grep -c PASS /etc/bash.bashrc; echo FAIL')).output, '1\nFAIL\n');
      await using fresh = await shell.connect(ref, 'grader');
      assert.equal((await fresh.runScript('echo FAIL', limits)).output, 'FAIL\n');
    });
  });
}
