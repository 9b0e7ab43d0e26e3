import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { ShellConnection } from '../../packages/ssh/container-shell.ts';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { UnavailableError } from '../../src/errors.ts';
import {
  type ContainerEngine,
  ContainerNotRunningError,
  type ContainerSpec,
  NoSuchContainerError,
} from '../../src/ports/container-engine.ts';
import { type EngineUnderTest, smallContainer } from '../engines.ts';
import { itLong } from '../rounds.ts';
import { until } from '../until.ts';

/** The contract of the container engine: the same cases for every implementation of the port. */
export function testContainerEngine({ name, skip, open }: EngineUnderTest): void {
  describe(`the container engine ${name}`, { skip, timeout: 600_000 }, () => {
    let engine: ContainerEngine;
    let shell: SshShell;
    const made: string[] = [];

    before(async () => {
      engine = await open();
      shell = new SshShell({ engine });
    });
    after(async () => {
      for (const { ref } of (await engine?.list()) ?? []) await engine.remove(ref);
      await engine?.[Symbol.asyncDispose]();
    });

    async function create(change: Partial<ContainerSpec> = {}): Promise<{ ref: string; spec: ContainerSpec }> {
      const spec = { ...smallContainer(), ...change };
      const ref = await engine.create(spec);
      made.push(ref);
      return { ref, spec };
    }
    const runOn = async (connection: ShellConnection, script: string) =>
      (await connection.runScript(script, { seconds: 20, outputBytes: 64 * 1024 })).output;
    async function run(ref: string, script: string): Promise<string> {
      await using connection = await shell.connect(ref, 'grader');
      return await runOn(connection, script);
    }
    async function asStudent(ref: string, line: string): Promise<string> {
      await using connection = await shell.connect(ref, 'student');
      const terminal = await connection.openTerminal({ cols: 200, rows: 24 });
      let screen = '';
      terminal.on('data', (chunk: Buffer) => {
        screen += chunk.toString();
      });
      terminal.end(`stty -echo; ${line}; exit\n`);
      await terminal.exit;
      return screen;
    }

    it('reports its name and version', async () => {
      const facts = await engine.about();
      assert.ok(facts.name.length > 0 && facts.version.length > 0);
      await engine.probe();
      assert.equal(engine.problem(), undefined);
    });

    it('creates containers, lists them, renames them and removes them', async () => {
      const begun = Date.now();
      const { ref, spec } = await create();
      const { name: given, uid } = spec;
      const found = await engine.inspect(ref);
      assert.ok(found && Math.abs(found.createdAt.getTime() - begun) < 60_000);
      assert.deepEqual(
        { ...found, createdAt: 0 },
        { ref, uid, name: given, isRunning: true, isFrozen: false, createdAt: 0 },
      );
      const listed = (await engine.list()).find((container) => container.uid === uid);
      // Docker's list has no parts of a second.
      assert.deepEqual({ ...listed, createdAt: 0 }, { ...found, createdAt: 0 });

      await engine.rename(ref, 'exam-1-user-2-1234');
      assert.equal((await engine.inspect(ref))?.name, 'exam-1-user-2-1234');
      assert.equal(await run(ref, 'echo PASS'), 'PASS\n', 'its reference is the same');

      await engine.remove(ref);
      await engine.remove(ref);
      assert.equal(await engine.inspect(ref), undefined);
      assert.ok(!(await engine.list()).some((container) => container.uid === uid));
      for (const use of [() => engine.start(ref), () => engine.rename(ref, 'x'), () => engine.openSshStream(ref)])
        await assert.rejects(use, NoSuchContainerError);
    });

    it('shows nothing of other installations', async () => {
      const { ref } = await create();
      await using other = await open();
      assert.deepEqual(await other.list(), []);
      assert.deepEqual(await other.fileCounts(100), []);
      await engine.remove(ref);
    });

    it('stops a container with its streams, and starts it with its home folder', async () => {
      const { ref, spec } = await create({ image: 'platform-sandbox' });
      const connection = await shell.connect(ref, 'grader');
      const work = `cd /home/student && mkdir -p 'a folder/deep' && echo mine >'a folder/deep/file' && chmod 640 'a folder/deep/file' &&
        chown -R student:student . && ln -s file 'a folder/deep/link' && head -c 3000000 /dev/urandom >big && md5sum big`;
      const sum = await runOn(connection, work);
      await engine.stop(ref);
      await connection.closed;
      await engine.stop(ref);
      assert.equal((await engine.inspect(ref))?.isRunning, false);
      const listed = (await engine.list()).filter(({ uid }) => uid === spec.uid);
      assert.deepEqual(
        listed.map((container) => [container.ref, container.isRunning]),
        [[ref, false]],
      );
      await assert.rejects(engine.openSshStream(ref), ContainerNotRunningError);
      await engine.rename(ref, 'renamed-while-stopped');

      await engine.start(ref);
      await engine.start(ref);
      const { name: now, isRunning } = (await engine.inspect(ref)) ?? {};
      assert.deepEqual([now, isRunning], ['renamed-while-stopped', true]);
      const look = `cd /home/student && md5sum big; stat -c '%U %a' 'a folder/deep/file'; cat 'a folder/deep/link'; ls -a | wc -l`;
      assert.equal(await run(ref, look), `${sum}student 640\nmine\n7\n`);
      assert.match(await asStudent(ref, 'pwd; id -un'), /\/home\/student\r\nstudent\r\n/);

      await engine.stop(ref);
      await engine.remove(ref);
      assert.equal(await engine.inspect(ref), undefined);
      await assert.rejects(engine.start(ref), NoSuchContainerError);
    });

    it('restarts a container with all its files and none of its processes', async () => {
      const { ref } = await create({ image: 'platform-sandbox' });
      const connection = await shell.connect(ref, 'grader');
      await runOn(connection, 'echo kept >/etc/kept; echo kept >/opt/kept; setsid sleep 987 >/dev/null &');
      await engine.restart(ref);
      await connection.closed;
      const look = async () =>
        await run(ref, 'cat /etc/kept /opt/kept; ps | grep -c "[s]leep 987"; ps | grep -c "[s]leep infinity"');
      await until(async () => (await look()) === 'kept\nkept\n0\n1\n', 'the command of the image');
      await engine.remove(ref);
      await assert.rejects(engine.restart(ref), NoSuchContainerError);
    });

    it('freezes a container where it can, and lets it continue, is stopped and removed', async () => {
      const { ref } = await create({ image: 'platform-sandbox' });
      const facts = async () => {
        const found = await engine.inspect(ref);
        return [found?.isRunning, found?.isFrozen];
      };
      await engine.freeze(ref);
      await engine.freeze(ref);
      const [isRunning, isFrozen] = await facts();
      assert.equal(isRunning, true);
      const listed = (await engine.list()).find((container) => container.ref === ref);
      assert.deepEqual([listed?.isRunning, listed?.isFrozen], [isRunning, isFrozen]);
      if (isFrozen) await assert.rejects(engine.openSshStream(ref), ContainerNotRunningError);
      await engine.start(ref);
      assert.deepEqual(await facts(), [true, false]);
      assert.equal(await run(ref, 'echo continues'), 'continues\n');
      await engine.freeze(ref);
      await engine.stop(ref);
      assert.deepEqual(await facts(), [false, false]);
      await engine.start(ref);
      await engine.freeze(ref);
      await engine.remove(ref);
      assert.equal(await engine.inspect(ref), undefined);
      if (isFrozen) await assert.rejects(engine.freeze(ref), NoSuchContainerError);
    });

    it('gives each container a network of its own', async () => {
      const made = await Promise.all([create(), create()]);
      const networks = await Promise.all(
        made.map(({ ref }) => run(ref, '/.grader/bin/busybox readlink /proc/self/ns/net')),
      );
      for (const network of networks) assert.match(network, /^net:\[\d+\]\n$/);
      assert.notEqual(networks[0], networks[1]);
      // A container in the network of its machine would have that of this process, where the engine is on the same machine.
      assert.ok(!networks.includes(`${await readlink('/proc/self/ns/net')}\n`));
      for (const { ref } of made) await engine.remove(ref);
    });

    it('gives a container no network without internet', async () => {
      const { ref } = await create({ image: 'platform-sandbox' });
      const links = await run(
        ref,
        `for link in /sys/class/net/*; do echo "\${link##*/} $(($(<$link/flags) & 1))"; done`,
      );
      const open = links
        .trim()
        .split('\n')
        .filter((line) => line.endsWith(' 1'));
      assert.deepEqual(open, ['lo 1']);
      const change = 'ip link set eth0 up; ip addr add 10.1.1.1/8 dev eth0; ip link add dummy0 type dummy';
      await run(ref, change);
      assert.equal(
        await run(ref, `for link in /sys/class/net/*; do echo "\${link##*/} $(($(<$link/flags) & 1))"; done`),
        links,
      );
      for (const target of ['169.254.169.254', '10.96.0.1', '8.8.8.8'])
        assert.equal(await run(ref, `/usr/bin/curl -s -m 3 http://${target}/; echo $?`), '7\n', target);
      await engine.remove(ref);
    });

    it('gives a container with internet public addresses only', async () => {
      const { ref } = await create({ image: 'platform-sandbox', hasInternet: true });
      const gateway = (await run(ref, "ip route | sed -n 's/^default via \\([0-9.]*\\) .*/\\1/p'")).trim();
      assert.match(gateway, /^\d+\.\d+\.\d+\.\d+$/);
      for (const target of [gateway, '169.254.169.254', '10.0.0.1', '10.96.0.1', '192.168.1.1', '172.16.0.1'])
        assert.equal(await run(ref, `/usr/bin/curl -s -m 3 http://${target}/; echo $?`), '7\n', target);
      assert.match(await run(ref, 'ip route get 198.51.100.1'), /via .* dev eth0/);
      for (const change of ['ip route flush all', 'ip link set eth0 down', 'nft flush ruleset'])
        assert.notEqual(await run(ref, `${change} >/dev/null 2>&1; echo $?`), '0\n', change);
      assert.match(await run(ref, 'cat /etc/resolv.conf'), /nameserver/);
      await engine.remove(ref);
    });

    it('confines a container to its own files, with the rights of its image', async () => {
      const basics = await create();
      const look = `grep -E 'NoNewPrivs|Seccomp:|CapBnd' /proc/self/status; ls -A /var/run/secrets 2>/dev/null; hostname`;
      const status = await asStudent(basics.ref, look);
      assert.match(status, /NoNewPrivs:\t1/);
      assert.match(status, /Seccomp:\t2/);
      assert.match(status, /linux-basics\r\n/);
      assert.doesNotMatch(status, /serviceaccount/);
      const capabilities = BigInt(`0x${/CapBnd:\t(\w+)/.exec(status)?.[1]}`);
      // CAP_NET_ADMIN, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_NET_RAW, CAP_MKNOD, CAP_NET_BIND_SERVICE
      for (const capability of [12n, 19n, 21n, 13n, 27n, 10n]) assert.equal((capabilities >> capability) & 1n, 0n);
      const change =
        'touch /.grader/x; echo x >/.grader/connect; mount -o remount,rw /.grader; umount /.grader; ls -A /.grader | sort';
      assert.equal(
        await run(basics.ref, change),
        'begin\nbin\ncheck\nconnect\ngate\nplain\nprologue\nrun\nsshd_config\n',
      );
      assert.equal(await engine.grantsRoot('platform-exam-linux-basics'), false);

      const services = await create({ image: 'platform-exam-linux-services' });
      assert.match(await asStudent(services.ref, 'sudo -n id -u; grep CapEff /proc/self/status'), /\r\n0\r\n|^0\r\n/m);
      assert.equal(await engine.grantsRoot('platform-exam-linux-services'), true);
      const bound = BigInt(`0x${(await run(services.ref, "sed -n 's/CapBnd:\\t//p' /proc/self/status")).trim()}`);
      assert.equal((bound >> 10n) & 1n, 1n, 'its label asks for CAP_NET_BIND_SERVICE');
      await Promise.all([basics, services].map(({ ref }) => engine.remove(ref)));
    });

    it('limits processes, memory, the size of a file and open files', async () => {
      const { ref } = await create({ processes: 64, memoryMb: 128, diskMb: 64 });
      // A limit of the kernel refuses the 65th process. Where there is none, all processes are ended.
      const bomb = "perl -e 'for (1..300) { my $pid = fork // next; exec qw(sleep 77) if !$pid }; print qq(over\\n)'";
      await asStudent(ref, bomb);
      await engine.restart(ref);
      // Each login leaves processes of ours for some seconds, so only the student's are counted.
      const left = async () => Number(await run(ref, "pgrep -xfc 'sleep 77'").catch(() => '1000'));
      // An engine under load takes its time for the first login after that.
      await until(async () => (await left()) === 0, 'no process of the student, and a login', 120_000);
      const memory = await asStudent(ref, 'perl -e \'$x = "x" x 300000000; print length $x, "\\n"\' || echo refused');
      assert.match(memory, /refused/);
      assert.match(
        await asStudent(ref, 'head -c 100M /dev/zero >big; stat -c %s big; ulimit -n -c'),
        /67108864[\s\S]*1024[\s\S]*0\r\n/,
      );
      assert.equal(await run(ref, 'echo PASS'), 'PASS\n');
      await engine.remove(ref);
    });

    itLong('notices used up shared memory, and nothing in an idle container', async () => {
      const { ref } = await create();
      assert.equal(await engine.isExhausted(ref), false);
      // Files of a connection are removed after some seconds, which would free space.
      await run(
        ref,
        "while compgen -G '/dev/shm/connect.*'; do sleep 0.1; done >/dev/null; cat /dev/zero >/dev/shm/full 2>/dev/null",
      );
      assert.equal(await engine.isExhausted(ref), true);
      await engine.remove(ref);
    });

    it('lists the files of the system that were changed', async () => {
      const { ref } = await create({ image: 'platform-sandbox' });
      const known = await engine.changedFiles(ref);
      assert.ok(!known.some((path) => /^\/(usr\/bin|bin|etc\/(passwd|hosts))/.test(path)), `${known}`);
      // The second has the date that it had before.
      await run(
        ref,
        'echo x >>/usr/bin/ls.new; before=$(stat -c %y /etc/profile); echo >>/etc/profile; touch -d "$before" /etc/profile',
      );
      const changed = await engine.changedFiles(ref);
      for (const path of ['/usr/bin/ls.new', '/etc/profile']) assert.ok(changed.includes(path), path);
      assert.ok(!changed.includes('/usr/bin/cp'));
      await engine.remove(ref);
    });

    it('refuses an image that does not exist, and leaves nothing', async () => {
      const spec = smallContainer('platform-no-such-image');
      await assert.rejects(
        engine.create(spec),
        (error) => error instanceof UnavailableError && error.code === 'image_missing',
      );
      assert.ok(!(await engine.list()).some(({ uid }) => uid === spec.uid));
      assert.equal(engine.problem(), undefined, 'others can be created');
    });

    it('passes a flood of output through unchanged while others answer', async () => {
      const { ref } = await create();
      await using connection = await shell.connect(ref, 'student');
      const terminal = await connection.openTerminal({ cols: 80, rows: 24 });
      terminal.resume();
      terminal.write('yes 0123456789012345678901234567890123456789\n');
      await using other = await shell.connect(ref, 'grader');
      for (let count = 0; count < 5; count += 1) assert.equal(await runOn(other, `echo ${count}`), `${count}\n`);
      terminal.pause();
      assert.equal(await runOn(other, 'echo paused'), 'paused\n');
      terminal.resume();
      terminal.write('\u0003');
      terminal.end('exit\n');
      await terminal.exit;
      await engine.remove(ref);
    });

    itLong('creates several at once', async () => {
      const refs = await Promise.all(Array.from({ length: 4 }, async () => (await create()).ref));
      assert.equal(new Set(refs).size, 4);
      const outputs = await Promise.all(refs.map((ref) => run(ref, `echo ${randomUUID().length}`)));
      assert.deepEqual(outputs, ['36\n', '36\n', '36\n', '36\n']);
      await Promise.all(refs.map((ref) => engine.remove(ref)));
    });
  });
}
