import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { describeLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';

const basics = 'platform-exam-linux-basics';
const services = 'platform-exam-linux-services';

/** Attacks of students on the grading in real containers, and the results of the grading. */
describeLong('students against the platform', { skip: engineSkip }, () => {
  let server: TestServer;
  let docker: Docker;
  let admin: TestUser;

  before(async () => {
    server = await TestServer.start({
      CONTAINER_PROCESSES: '96',
      CONTAINER_MEMORY_MB: '192',
    });
    const engine = await testEngine();
    if (!('options' in engine)) throw new Error(engine.reason);
    docker = new Docker(engine.options);
    admin = await server.user('admin');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  /** An attempt of an exam with these checks, one point each. */
  async function attempt(scripts: string[], container_image = basics) {
    const fields = { title: 'Trial', container_image, time_limit_minutes: 30, passing_score: 1 };
    const { body: exam } = await server.post('/api/admin/exams', admin.token, fields);
    for (const verification_script of scripts) {
      const task = { title: 'Task', description: 'Do it', points: 1, verification_script };
      assert.equal((await server.post(`/api/admin/exams/${exam.id}/tasks`, admin.token, task)).status, 201);
    }
    const user = await server.user();
    const started = await server.post(`/api/exams/${exam.id}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    const ref = server.config.engine.namePrefix + started.body.container_name;
    const id: number = started.body.attempt_id;
    return {
      id,
      container: docker.getContainer(ref),
      run: (script: string, account = 'student') => runInContainer(docker, ref, script, account),
      /** Leaves something running in the container. */
      leave: async (script: string, account = 'student') => {
        const Env = ['HOME=/home/student'];
        const exec = await docker.getContainer(ref).exec({ Cmd: ['bash', '-c', script], User: account, Env });
        (await exec.start({ Detach: true })).destroy();
      },
      submit: () => server.post(`/api/exams/${exam.id}/submit`, user.token),
      /** The results, as `passed` and the output of each task, or the remark without one. */
      graded: async (): Promise<[boolean, string][]> => {
        const { status, body, text } = await server.post(`/api/exams/${exam.id}/submit`, user.token);
        assert.equal(status, 200, text);
        return outcomes(body);
      },
      results: async () => (await server.get(`/api/exams/attempts/${id}/results`, user.token)).body,
    };
  }
  const outcomes = (body: {
    results: { passed: boolean; output: string; remark: string | null }[];
  }): [boolean, string][] =>
    body.results.map(({ passed, output, remark }) => [passed, output.replace(/\n$/, '') || (remark ?? '')]);

  it('start-up files, the environment and own programs do not change a verdict', async () => {
    const { run, leave, graded } = await attempt([
      'grep -q nobody-is-called-this /etc/passwd && echo PASS || echo FAIL',
      'ls / >/dev/null; test -e /home/student/bin/ls && /usr/bin/id -u; echo FAIL',
      'echo "$PATH|$HOME|$LD_PRELOAD|$BASH_ENV|$ENV|$(type -t trap_of_mine)"; date +%Y; echo FAIL',
    ]);
    await run(`
      mkdir -p ~/bin ~/.ssh; say='trap_of_mine() { echo PASS; exit; }; echo PASS; exit'
      for name in bash sh ls grep id test echo date cat base64 sshd; do printf '#!/bin/bash\\necho PASS\\n' >~/bin/$name; done
      chmod 755 ~/bin/*
      for file in .bashrc .profile .bash_profile .bash_login .bash_logout .inputrc .pam_environment .ssh/rc .ssh/environment; do
        printf '%s\\n' "$say" "export PATH=$HOME/bin:\\$PATH" >~/$file; done
      printf 'PATH=%s\\nLD_PRELOAD=/tmp/trap.so\\nBASH_ENV=%s\\n' ~/bin ~/.bashrc >~/.ssh/environment
      ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id && cp ~/.ssh/id.pub ~/.ssh/authorized_keys; cp /bin/true /tmp/trap.so`);
    await leave(
      `export PATH=$HOME/bin BASH_ENV=$HOME/.bashrc ENV=$HOME/.bashrc LD_PRELOAD=/tmp/trap.so; exec /bin/sleep 60`,
    );
    const system = `/bin/bash /bin/ls /usr/bin/grep /usr/sbin/sshd /etc/passwd /etc/shadow /etc/profile /etc/profile.d/x.sh
      /etc/bash.bashrc /etc/environment /etc/ld.so.preload /etc/ld.so.conf.d/x.conf /etc/ssh/sshd_config /etc/ssh/sshrc
      /etc/pam.d/sshd /etc/hosts /etc/nsswitch.conf /root/.bashrc /root/.ssh/authorized_keys /.grader/run /.grader/x
      /run/sshd/x /usr/local/sbin/entrypoint /usr/local/bin/ls /proc/sys/kernel/core_pattern /sys/fs/cgroup/x`;
    const { output } = await run(`for file in ${system.replaceAll('\n', ' ')}; do
        { echo x >>$file; } 2>/dev/null && echo "written: $file"; rm -f $file 2>/dev/null && ! test -e $file && test -e "$file.not"; done
      mount --bind ~/bin /.grader/bin 2>/dev/null && echo mounted; umount /.grader 2>/dev/null && echo unmounted
      unshare -Urm true 2>/dev/null && echo namespaces; su -c id </dev/null 2>/dev/null; sudo -n id 2>/dev/null
      chattr +i ~/.bashrc 2>/dev/null && echo immutable; date -s 2030-01-01 >/dev/null 2>&1 && echo clock
      mknod ~/disk b 8 0 2>/dev/null && echo device; true`);
    assert.equal(output, '');
    const year = new Date().getUTCFullYear();
    assert.deepEqual(await graded(), [
      [false, 'FAIL'],
      [false, '0\nFAIL'],
      [false, `/.grader/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin|/root||||\n${year}\nFAIL`],
    ]);
  });

  it('background writers, tracers and killers reach no process of the grader', async () => {
    const { leave, run, graded } = await attempt([
      'sleep 1; echo FAIL',
      'sleep 1; echo PASS',
      'cat /home/student/done',
    ]);
    await leave(`while :; do for place in /dev/pts/[0-9]* /dev/tty /dev/console /proc/[0-9]*/fd/[0-9] /proc/[0-9]*/task/*/fd/1; do
      own=\${place%%/fd/*}; [ -O "\${own%/task/*}" ] && continue
      { echo PASS >>$place; } 2>/dev/null && echo wrote $place >>/home/student/done; done; done`);
    await leave(`cd /proc; while :; do for pid in [0-9]*; do [ -O $pid ] || { kill -9 $pid && echo killed $pid; kill -STOP $pid && echo stopped $pid
      renice 19 $pid >/dev/null && echo reniced $pid; } >>/home/student/done 2>/dev/null; done; done`);
    await leave(
      `while :; do for pid in $(pgrep -u root); do [ -O /proc/$pid ] && continue; timeout 1 strace -p $pid -o /tmp/trace 2>/dev/null && echo traced $pid >>/home/student/done; done; done`,
    );
    await leave('for file in /home/student/lock /tmp/lock /run/lock/x; do exec 9>$file; flock 9; done; sleep 60');
    await run('sleep 0.5');
    const [first, second, third] = await graded();
    assert.deepEqual(
      [first, second],
      [
        [false, 'FAIL'],
        [true, 'PASS'],
      ],
    );
    assert.equal(third?.[1].replace(/^No verdict.*/, ''), '', 'what they found to write to, kill or trace');
  });

  it('the script cannot be read while it runs', async () => {
    const canary = randomUUID();
    const halves = [canary.slice(0, 18), canary.slice(18)];
    const { leave, graded } = await attempt([
      `secret='${canary}'; for round in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; [[ $secret == x ]] && echo PASS; done; echo FAIL`,
      'test -s /home/student/rounds && ! test -e /home/student/found && echo PASS || cat /home/student/found',
    ]);
    await leave(`cd; look="${halves[0]}""${halves[1]}"; while :; do
      { ps auxeww; cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/[0-9]*/stack /proc/[0-9]*/maps /proc/[0-9]*/task/*/comm
        for fd in /proc/[0-9]*/fd/[0-9]*; do [ -O \${fd%/fd/*} ] || timeout 0.1 cat $fd; done
        for mem in /proc/[0-9]*/mem; do [ -O \${mem%/mem} ] || dd if=$mem bs=1M count=1; done
        find /tmp /var/tmp /dev/shm /run /var/log /root /home /.grader/[a-z]* -maxdepth 2 -type f -not -name found -not -name seen -exec cat {} +; } 2>/dev/null |
        tr '\\0' '\\n' | grep -aF -f <(echo "$look") | head -c 1000 >seen; [ -s seen ] && cp seen found; echo round >>rounds; done`);
    const [first, second] = await graded();
    assert.deepEqual(first, [false, 'FAIL']);
    assert.deepEqual(second, [true, 'PASS']);
  });

  it('links, pipes and unreadable files block only one check', async () => {
    const { run, graded } = await attempt([
      'cat /home/student/answer; echo PASS',
      'cat /home/student/link >/dev/null && echo PASS || echo FAIL',
      'test "$(cat /home/student/closed/file)" = right && echo PASS || echo FAIL',
      'sleep 0.1; echo PASS',
    ]);
    await run(`cd; mkfifo answer; ln -s link link; mkdir closed; echo right >closed/file; chmod 000 closed/file closed
      for place in /dev/shm /tmp; do for name in connect.aaaaaa connect host_key; do ln -s /etc/shadow $place/$name; done; done`);
    assert.deepEqual(await graded(), [
      [false, 'No verdict: the check was stopped after 30 seconds.'],
      [false, 'FAIL'],
      [true, 'PASS'],
      [true, 'PASS'],
    ]);
  });

  const bombs: Record<string, string> = {
    processes: `perl -e 'while (1) { my $p = fork(); if (defined $p && !$p) { while (1) { fork(); select(undef, undef, undef, 0.01) } } }'`,
    memory: `perl -e 'my @a; if (fork()) { fork() } while (1) { push @a, "x" x 1e6 }'`,
    'shared memory': 'while :; do cat /dev/zero >/dev/shm/$RANDOM; sleep 0.1; done',
    files: `perl -e 'fork(); fork(); my @f; for (1 .. 5000) { open(my $f, "<", "/etc/passwd") && push @f, $f } sleep 100'`,
    processor: 'for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait',
  };
  for (const [name, bomb] of Object.entries(bombs)) {
    it(`a container full of ${name} is graded`, async () => {
      const { run, leave, graded } = await attempt([
        'grep -q here /home/student/answer && echo PASS || echo FAIL',
        'echo FAIL',
      ]);
      await run('echo here >~/answer');
      await leave(`trap '' TERM HUP; while :; do ${bomb}; done`);
      await run('sleep 1').catch(() => undefined);
      assert.deepEqual(await graded(), [
        [true, 'PASS'],
        [false, 'FAIL'],
      ]);
    });
  }

  it('the container has no network, no engine and no other user', async () => {
    const { run } = await attempt(['echo FAIL']);
    const { output } = await run(`
      ls -d /sys/class/net/* | grep -v /lo$
      ls /var/run/docker.sock /run/docker.sock /run/podman /run/containerd 2>/dev/null
      for host in 172.17.0.1 172.18.0.1 10.0.0.1 169.254.169.254 '[fd00:ec2::254]' 192.0.2.2 host.docker.internal; do
        curl -s -m 2 "http://$host/" && echo "reached $host"; done
      ls /dev | grep -E '^(sd|vd|nvme|dm-|loop|kvm|mem|kmsg|fuse)'
      cat /proc/kcore /proc/sysrq-trigger /proc/keys /proc/timer_list 2>/dev/null | head -c 100
      # A connection that is just being made has a process of the SSH server's own user for a moment.
      ps -e -o uid=,comm= | grep -vE '^ *(0|1000) |sshd'; true`);
    assert.equal(output, '');
  });

  it('a container without a network has its own loopback, and finds itself and localhost', async () => {
    const { run } = await attempt(['echo FAIL']);
    const look = `for name in localhost "$(hostname)"; do getent hosts "$name" | cut -d ' ' -f 1; done
      grep -c : /proc/net/dev; ping -c 1 -W 1 127.0.0.1 >/dev/null && echo reached`;
    assert.equal((await run(look)).output, '127.0.0.1\n127.0.1.1\n1\nreached\n');
  });

  it('a root that removes the SSH server is graded all the same', async () => {
    const broken = await attempt(['echo PASS', 'echo FAIL'], services);
    await broken.leave('exec -a daemon sleep 1000');
    await broken.run('sudo mv /usr/sbin/sshd /usr/sbin/sshd.kept; sudo pkill -KILL sshd; true');
    const graded = await broken.submit();
    assert.equal(graded.status, 200, graded.text);
    assert.deepEqual(
      outcomes(await broken.results()).map(([passed]) => passed),
      [true, false],
    );
  });

  it('files replaced by root are reported to instructors', async () => {
    const { run, id, graded } = await attempt(['curl -s http://127.0.0.1/ >/dev/null; echo FAIL'], services);
    await run(`printf '#!/bin/sh\\necho PASS\\n' | sudo tee /usr/bin/curl >/dev/null; sudo useradd eve
      echo 'echo PASS' | sudo tee -a /etc/ssh/sshrc /etc/profile /etc/profile.d/x.sh /etc/pam.d/sshd /root/.bashrc >/dev/null
      echo '127.0.0.1 example.com' | sudo tee -a /etc/hosts /etc/host.conf >/dev/null; echo 'hosts: dns' | sudo tee /etc/nsswitch.conf >/dev/null
      sudo touch /etc/ssl/certs/mine.pem /etc/ld.so.preload /etc/ld.so.conf.d/mine.conf
      sudo ln -sf /bin/true /etc/alternatives/awk; sudo mkdir -p /etc/security; sudo touch /etc/security/mine.conf`);
    // The grading connects again, to a server with the replaced files.
    await run('sudo pkill sshd');
    assert.equal((await graded())[0]?.[0], false);
    const { integrity } = await server.application.db
      .selectFrom('attempts')
      .select('integrity')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const seen = [
      '/usr/bin/curl',
      '/etc/passwd',
      '/etc/ssh/sshrc',
      '/etc/profile',
      '/etc/profile.d/x.sh',
      '/etc/pam.d/sshd',
    ]
      .concat(['/etc/hosts', '/etc/host.conf', '/etc/nsswitch.conf', '/etc/ssl/certs/mine.pem', '/etc/ld.so.preload'])
      .concat(['/etc/ld.so.conf.d/mine.conf', '/etc/alternatives/awk', '/etc/security/mine.conf']);
    assert.deepEqual(
      seen.filter((path) => !(integrity as string[]).includes(path)),
      [],
      'changed files that are not reported',
    );
  });

  it('an unchanged container is not reported', async () => {
    const { id, graded } = await attempt(['echo PASS'], services);
    await graded();
    const { integrity } = await server.application.db
      .selectFrom('attempts')
      .select('integrity')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal((integrity as string[]).includes('/etc/hosts'), false, JSON.stringify(integrity));
  });

  it('programs start in a folder that students cannot replace', async () => {
    const { container, run, submit } = await attempt(['echo PASS'], services);
    await run(
      'cd /; sudo mv /home/student /home/old; sudo ln -s /proc/self/fd/7 /home/student; sudo ln -s / /home/x',
      'student',
    );
    // A container that ends by itself is restarted for the next connection.
    await container.restart({ t: 1 });
    const folderOf = async (script: string) => (await runInContainer(docker, container.id, script, 'root', '/')).output;
    const first = await folderOf('readlink /proc/1/cwd');
    assert.equal(first, '/\n');
    assert.match(await folderOf('readlink /proc/$(pgrep -of entrypoint)/cwd'), /^\/\n$/);
    assert.equal((await submit()).status, 200);
  });
});
