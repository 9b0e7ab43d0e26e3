import assert from 'node:assert/strict';
import { before, it, suite, test } from 'node:test';
import { itLong } from '../test/rounds.ts';
import { ensureImages } from './build.ts';
import { docker, graderVolume, noEngine, startContainer } from './test-container.ts';

/** Until the entry point has initialised the machine. */
const untilSettled = "until pgrep -fx 'sleep infinity' >/dev/null; do sleep 0.05; done";
const studentImages = ['platform-sandbox', 'platform-exam-linux-basics', 'platform-exam-linux-services'];

suite('containers', { skip: noEngine, concurrency: 2 }, () => {
  before(async () => {
    await ensureImages({ docker, progress: () => {}, install: true });
  });

  for (const image of studentImages) {
    // They have one base, so one of them stands for all in `npm test`.
    const test = image === 'platform-exam-linux-basics' ? it : itLong;
    test(`${image}: accounts`, async () => {
      await using container = await startContainer(image);
      const accounts = (await container.output('cat /etc/passwd')).trim().split('\n');
      assert.match(accounts[0] ?? '', /^root:x:0:0:/);
      assert.ok(accounts.includes('student:x:1000:1000:Student:/home/student:/bin/bash'));
      assert.ok(accounts.includes('grader:x:0:0:Grader:/.grader:/.grader/bin/bash'));
      assert.equal(await container.output('id -un; getent passwd 0 | cut -d : -f 1'), 'root\nroot\n');
      assert.match(await container.output('id', 'student'), /^uid=1000\(student\) gid=1000\(student\)/);
      const passwords = await container.output('cut -d : -f 1,2 /etc/shadow');
      for (const name of ['root', 'student', 'grader']) assert.match(passwords, new RegExp(`^${name}:\\*$`, 'm'));
      assert.equal(await container.output('ls -A /.grader; stat -c %u:%a /.grader'), '0:755\n');
      assert.match(await container.output('ls -A ~student; stat -c %U:%a ~student'), /\.bashrc[\s\S]*student:750\n$/);
      assert.equal(await container.output('find / -xdev -name "ssh_host_*key*" -o -xdev -name authorized_keys'), '');
    });

    test(`${image}: settings and tools`, async () => {
      await using container = await startContainer(image);
      assert.match(await container.output('man ls', 'student'), /list directory contents/);
      assert.match(await container.output('man 5 passwd', 'student'), /password file/);
      assert.match(await container.output('man -k "list directory contents"', 'student'), /^ls \(1\)/m);
      assert.equal(
        await container.output('echo $LANG; date +%Z; locale charmap; stat -c %a /run/sshd'),
        'C.UTF-8\nUTC\nUTF-8\n755\n',
      );
      const tools = [
        'less nano vi vim ed tree file git curl wget ip ping dig nc rsync tar gzip bzip2 xz zip unzip jq bc tmux killall',
        'lsof strace ps ssh envsubst iostat sar patch time xxd htop ifconfig netstat traceroute column hexdump',
      ].join(' ');
      const missing = `for tool in ${tools}; do command -v $tool >/dev/null || echo $tool; done`;
      assert.equal(await container.output(missing, 'student'), '');
      assert.equal(await container.output(`python3 -c 'import yaml; print(yaml.safe_load("a: [1]"))'`), "{'a': [1]}\n");
      assert.match(await container.output('ping -c 1 127.0.0.1', 'student'), / 0% packet loss/);
      assert.match(await container.output('cat /etc/motd'), /Welcome/);
    });

    test(`${image}: vi takes arrow keys and backspace while text is inserted`, async () => {
      await using container = await startContainer(image);
      // Insert "acx", delete the x, go left, insert "b", save.
      const keys = String.raw`iacx\177\033[Db\033:wq\r`;
      const once = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;
      const type = `{ ${once('/tmp/.typed.swp')}; printf '${keys}'; ${once('/tmp/typed')}; }`;
      await container.output(`${type} | TERM=xterm script -qec 'vi /tmp/typed' /dev/null >/dev/null`, 'student');
      assert.equal(await container.output('cat /tmp/typed'), 'abc\n');
    });

    test(`${image}: names what it stands on`, async () => {
      await using container = await startContainer(image);
      const base = (await docker.getImage(image).inspect()).Config.Labels['platform.base'] ?? '';
      const variable = (name: string) => container.output(`. /etc/os-release; echo "\${${name}-}"`);
      if (base === 'ubuntu:22.04') {
        assert.equal(await variable('PRETTY_NAME').then((name) => name.slice(0, 12)), 'Ubuntu 22.04');
        return;
      }
      assert.equal(base, `${(await variable('PRETTY_NAME')).trim()} in place of ubuntu:22.04`);
      assert.equal(await variable('VARIANT'), 'Root file system in place of ubuntu:22.04\n');
    });

    test(`${image}: stops at once, and starts again`, async () => {
      await using container = await startContainer(image);
      await container.output(untilSettled);
      await container.container.stop({ t: 60 });
      // The engine kills what has not ended by itself: 137.
      assert.equal((await container.container.inspect()).State.ExitCode, 0);
      await container.container.start();
      assert.equal(await container.output('echo up'), 'up\n');
    });
  }

  test('a start clears /run, and keeps what a check that has begun needs', async () => {
    await using container = await startContainer('platform-exam-linux-basics');
    const files = '/run/check.1/private/sound /run/connect.1/host_key /run/old.pid /run/checks/old.pid';
    const begin = `${untilSettled}; mkdir -p /run/check.1/private /run/connect.1 /run/checks; touch ${files}; echo full >/run/utmp`;
    // It is deleted among the others, and written again when all are deleted.
    const started = 'until [ -e /run/utmp ] && [ ! -s /run/utmp ]; do sleep 0.05; done; kill $!';
    assert.equal(
      await container.output(`${begin}; /usr/local/sbin/entrypoint & ${started}; ls ${files} 2>/dev/null || true`),
      '/run/check.1/private/sound\n/run/connect.1/host_key\n',
    );
  });

  test('platform-exam-linux-basics gives no way to root', async () => {
    await using container = await startContainer('platform-exam-linux-basics');
    assert.notEqual((await container.run('command -v sudo')).code, 0);
    const setuid = (await container.output('find / -xdev -perm /6000 -type f -user root -printf "%f\n" | sort'))
      .trim()
      .split('\n');
    const usual =
      'chage chfn chsh crontab dotlockfile expiry gpasswd mount newgrp passwd ssh-agent ssh-keysign su umount unix_chkpwd utempter wall write';
    assert.deepEqual(
      setuid.filter((name) => !usual.split(' ').includes(name)),
      [],
    );
    assert.equal(await container.output('getcap -r / 2>/dev/null || true'), '');
    assert.match(await container.output('grep NoNewPrivs /proc/self/status', 'student'), /1$/m);
  });

  for (const image of ['platform-sandbox', 'platform-exam-linux-services']) {
    const test = image === 'platform-sandbox' ? itLong : it;
    test(`${image}: the student may become root`, async () => {
      await using container = await startContainer(image);
      const { stdout, stderr } = await container.run('sudo -n id -u', 'student');
      assert.deepEqual([stdout, stderr], ['0\n', '']);
    });
  }

  test('the grader volume holds static tools that nobody can change', async () => {
    await using volume = await graderVolume();
    await using container = await startContainer('platform-exam-linux-services', [`${volume.name}:/.grader:ro`]);
    for (const tool of ['bash', 'busybox']) {
      // without a program header of type PT_INTERP (3), there is no dynamic loader
      const headers = await container.output(`/.grader/bin/busybox od -An -v -t x1 -N 4096 /.grader/bin/${tool}`);
      assert.deepEqual(interpreterHeaders(Buffer.from(headers.replaceAll(/\s/g, ''), 'hex')), []);
      assert.match(await container.output(`LD_PRELOAD=/no/such.so /.grader/bin/${tool} --help`), /bash|BusyBox/);
    }
    assert.equal(await container.output('readlink /.grader/bin/sh /.grader/bin/ls'), 'bash\nbusybox\n');
    assert.equal(await container.output('find /.grader -mindepth 1 ! -type l -perm /222 -o ! -user root'), '');
    assert.notEqual((await container.run('touch /.grader/x')).code, 0);
    assert.equal(
      await container.output(`su grader -c 'whoami; readlink /proc/$$/exe; true'`),
      'root\n/.grader/bin/bash\n',
    );
    assert.match(await container.output(`/.grader/bin/sh -c 'echo $BASH_VERSION'`), /^5\./);
  });
});

/** Offsets of the PT_INTERP entries of a 64-bit ELF file. */
function interpreterHeaders(elf: Buffer): number[] {
  assert.equal(elf.toString('latin1', 0, 4), '\x7fELF');
  const [table, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)];
  assert.ok(count > 0 && table + size * count <= elf.length);
  return Array.from({ length: count }, (_, index) => table + index * size).filter((at) => elf.readUInt32LE(at) === 3);
}
