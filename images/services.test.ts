import assert from 'node:assert/strict';
import { after, before, describe, suite, test } from 'node:test';
import { itLong } from '../test/rounds.ts';
import { ensureImages } from './build.ts';
import { docker, noEngine, startContainer, type TestContainer, until } from './test-container.ts';

const image = 'platform-exam-linux-services';
const unit = `[Unit]
Description=A unit of our own

[Service]
User=student
WorkingDirectory=/home/student
Environment="GREETING=good day"
ExecStart=/bin/bash -c 'trap "echo again" HUP; echo "$$GREETING from $$(id -un) in $$PWD"; while :; do sleep 0.1; done'
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure

[Install]
WantedBy=multi-user.target
`;

async function writeUnit(container: TestContainer, name: string, text: string): Promise<void> {
  const encoded = Buffer.from(text).toString('base64');
  await container.output(
    `echo ${encoded} | base64 -d > /etc/systemd/system/${name}.service && systemctl daemon-reload`,
  );
}

suite('services', { skip: noEngine, concurrency: 2 }, () => {
  before(async () => {
    await ensureImages({ docker, progress: () => {}, install: true });
  });

  itLong('nginx: start, reload, stop, enable, and a start of the machine', async () => {
    await using container = await startContainer(image);
    const { output, run } = container;
    assert.deepEqual(await run('systemctl is-active nginx'), { code: 3, stdout: 'inactive\n', stderr: '' });
    assert.equal((await run('systemctl is-enabled nginx')).stdout, 'disabled\n');
    assert.equal((await run('systemctl status nginx')).code, 3);
    await output('sudo systemctl start nginx', 'student');
    assert.equal(await output('systemctl is-active nginx.service', 'student'), 'active\n');
    assert.match(await output('curl -s 127.0.0.1', 'student'), /Welcome to nginx/);
    await output('systemctl reload nginx && service nginx status');
    assert.match(await output('systemctl list-units', 'student'), /nginx\.service +loaded +active +running/);
    await output('systemctl stop nginx');
    assert.equal((await run('systemctl is-active nginx')).code, 3);
    assert.notEqual((await run('curl -s 127.0.0.1')).code, 0);
    await output('systemctl enable nginx');
    assert.equal(await output('systemctl is-enabled nginx'), 'enabled\n');
    await container.container.restart({ t: 5 });
    // Until the entry point has cleared /run, the process id of the last run may be that of another process.
    await until('nginx answers', async () => (await run('curl -s 127.0.0.1')).stdout.includes('Welcome to nginx'));
    await until('nginx is active', async () => (await run('systemctl is-active nginx')).code === 0);
    await output('systemctl disable --now nginx');
    assert.equal((await run('systemctl is-enabled nginx')).code, 1);
    assert.equal((await run('systemctl is-active nginx')).code, 3);
  });

  test('a change waits until the start of the machine has cleared what the last one left', async () => {
    await using container = await startContainer(image);
    const { run, output } = container;
    await until('it has started', async () => (await run('systemctl is-active cron')).code === 0);
    await writeUnit(container, 'own', unit);
    // The entry point calls find before it removes the state of the units. It has to run as well: an id in a file that the last start left can
    // be that of another process, for which cron counts as started.
    const held = '#!/bin/sh\ntouch /tmp/held; until test -e /tmp/go; do sleep 0.02; done\nexec /usr/bin/find "$@"\n';
    const encoded = Buffer.from(held).toString('base64');
    await output(`echo ${encoded} | base64 -d >/usr/local/bin/find; chmod +x /usr/local/bin/find`);
    await container.container.restart({ t: 1 });
    await until('the entry point waits', async () => (await run('test -e /tmp/held')).code === 0);
    const started = run('systemctl restart own');
    // Time enough for a change that does not wait.
    for (let look = 0; look < 30; look++) if ((await run('pgrep --full "systemctl supervise own"')).code === 0) break;
    await output('touch /tmp/go');
    assert.equal((await started).code, 0);
    await until('the start is over', async () => (await run('systemctl is-active cron')).code === 0);
    assert.equal(await output('systemctl is-active own'), 'active\n');
  });

  test('nginx with a broken configuration fails, and says why', async () => {
    await using container = await startContainer(image);
    await container.output('echo "nonsense;" > /etc/nginx/conf.d/broken.conf');
    const { code, stderr } = await container.run('systemctl start nginx');
    assert.equal(code, 1);
    assert.match(stderr, /Job for nginx.service failed/);
    assert.equal((await container.run('systemctl is-failed nginx')).stdout, 'failed\n');
    assert.match(await container.output('journalctl -xeu nginx'), /unknown directive "nonsense"/);
  });

  test('atd, cron and the system log run from the start, and run jobs', async () => {
    await using container = await startContainer(image);
    const { run, output } = container;
    for (const name of ['atd', 'cron', 'rsyslog']) {
      await until(`${name} is active`, async () => (await run(`systemctl is-active ${name}`)).code === 0);
    }
    // It is active when its process runs, and listens a moment later. What is told in between is lost.
    await until('the line is in the log', async () => {
      await output('logger --tag tester a line of ours');
      return (await run('grep "tester: a line of ours" /var/log/syslog')).code === 0;
    });
    await output('echo "whoami > /tmp/at-once" | at now', 'student');
    await until('the job of at ran', async () => (await run('grep -qx student /tmp/at-once')).code === 0);
    await output('echo "@reboot date > /home/student/ran" | crontab -', 'student');
    // @reboot jobs run once a start of the machine: the mark in /run goes with it
    await container.container.restart({ t: 5 });
    await until('the job has run', async () => (await run('test -s /home/student/ran')).code === 0);
    const isLogged = async () => /cron\[\d+\].*reboot/i.test(await output('journalctl -u cron'));
    await until('the job is in the log', isLogged);
    await output('logrotate --force /etc/logrotate.conf');
  });

  describe('in one container', { concurrency: 1 }, () => {
    let container: TestContainer;
    before(async () => {
      container = await startContainer(image);
    });
    after(() => container?.[Symbol.asyncDispose]());

    test('a unit of our own: user, environment, log, reload, restart after a failure', async () => {
      const { output, run } = container;
      await writeUnit(container, 'own', unit);
      await output('systemctl enable --now own');
      const shows = (pattern: RegExp) => async () => pattern.test((await run('journalctl -u own', 'student')).stdout);
      await until('the output is in the log', shows(/bash\[\d+\]: good day from student in \/home\/student/));
      const pid = await output('systemctl show --property MainPID --value own');
      await output('systemctl reload own');
      await until('the reload is in the log', shows(/: again$/m));
      await output(`kill -KILL ${pid}`);
      const mainPid = async () => (await run('systemctl show --property MainPID --value own')).stdout;
      await until('it was restarted', async () => !['0\n', pid].includes(await mainPid()));
      assert.equal(await output('systemctl is-active own'), 'active\n');
      await output('systemctl stop own');
      assert.equal((await run('systemctl is-active own')).code, 3);
      await until('nothing of it is left', async () => (await run('pgrep --uid student')).stdout === '');
    });

    test('the default target is kept, and scripts find the programs where systemd has them', async () => {
      const { output, run } = container;
      assert.equal(await output('systemctl get-default'), 'multi-user.target\n');
      const { stderr } = await run('/usr/bin/systemctl set-default graphical');
      assert.match(stderr, /Created symlink .*default\.target → .*graphical\.target/);
      assert.equal(await output('/usr/bin/systemctl get-default'), 'graphical.target\n');
      assert.equal((await run('systemctl set-default nothing.target')).code, 1);
      assert.equal((await run('systemctl set-default rescue', 'student')).code, 4);
      assert.match(await output('/usr/bin/journalctl -h'), /journalctl for a container/);
    });

    test('journalctl follows a unit and what it tells the system log', async () => {
      const { output, run } = container;
      await writeUnit(container, 'chatty', '[Service]\nExecStart=/bin/sh -c "echo printed; sleep 1000"\n');
      await output('systemctl start chatty; (journalctl -fu chatty >/tmp/followed 2>&1 &)');
      await until('both are there', async () => {
        await output('logger --tag chatty told; logger --tag other not');
        return (await run('grep told /tmp/followed && grep printed /tmp/followed')).code === 0;
      });
      assert.equal((await run('grep "other: not" /tmp/followed')).code, 1);
      await output('pkill -f "[j]ournalctl -fu chatty"; systemctl stop chatty');
      await until('nothing is left of it', async () => (await run('pgrep -f "[t]ail.*log"')).code !== 0);
    });

    test('oneshot, forking, and units that cannot start', async () => {
      const { output, run } = container;
      await writeUnit(
        container,
        'once',
        '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/touch /tmp/once\nExecStop=/bin/rm /tmp/once\n',
      );
      await output('systemctl start once && systemctl is-active once && test -e /tmp/once');
      await output('systemctl stop once && test ! -e /tmp/once');
      const fork = 'ExecStart=/bin/sh -c "sleep 1000 & echo $$! > /run/fork.pid"';
      await writeUnit(container, 'fork', `[Service]\nType=forking\nPIDFile=/run/fork.pid\n${fork}\n`);
      await output('systemctl start fork && systemctl is-active fork');
      await output('systemctl stop fork');
      assert.equal((await run('pgrep --exact --full "sleep 1000"')).code, 1);
      await writeUnit(container, 'fails', '[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo reason; exit 7"\n');
      assert.equal((await run('systemctl start fails')).code, 1);
      assert.match(
        (await run('systemctl status fails')).stdout,
        /failed \(Result: exit-code\)[\s\S]*reason[\s\S]*status=7/,
      );
      await writeUnit(container, 'flaps', '[Service]\nExecStart=/bin/false\nRestart=always\nRestartSec=10ms\n');
      await output('systemctl start flaps');
      await until('it was given up', async () => (await run('systemctl is-failed flaps')).code === 0);
      assert.match(await output('journalctl -u flaps'), /repeated too quickly/);
    });

    test('timers start their units, show when, and those of systemd-run run once', async () => {
      const { output, run } = container;
      await writeUnit(container, 'beat', '[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo beat >>/tmp/beats"\n');
      const timer = '[Timer]\nOnCalendar=*:*:*\nPersistent=true\n[Install]\nWantedBy=timers.target\n';
      const encoded = Buffer.from(timer).toString('base64');
      await output(`echo ${encoded} | base64 -d >/etc/systemd/system/beat.timer; systemctl enable --now beat.timer`);
      await until('it has run twice', async () => Number((await run('grep -c beat /tmp/beats')).stdout) > 1);
      assert.equal(
        await output('systemctl is-enabled beat.timer && systemctl is-active beat.timer'),
        'enabled\nactive\n',
      );
      assert.match(await output('systemctl list-timers', 'student'), / left .* ago +beat\.timer +beat\.service\n/);
      await output('systemctl stop beat.timer');
      assert.doesNotMatch(await output('systemctl list-timers'), /beat/);
      const { stderr } = await run('systemd-run --on-active=1 --unit=later touch /tmp/later');
      assert.match(stderr, /Running timer as unit: later\.timer\nWill run service as unit: later\.service/);
      await until('the timer has elapsed', async () => (await run('test -e /tmp/later')).code === 0);
      assert.equal((await run(`systemd-run --wait -q sh -c 'echo "$1" >/tmp/said; exit 7' sh '50% of $HOME'`)).code, 7);
      assert.equal(await output('cat /tmp/said'), '50% of $HOME\n');
      assert.equal((await run('systemd-run true', 'student')).code, 1);
      assert.equal((await run('systemctl start nothing.timer')).code, 5);
    });

    // Each next time is after a whole day at least, so that it does not depend on the time of the day.
    itLong('the forms of OnCalendar, and what is none', async () => {
      const { output, run } = container;
      const next = async (expression: string): Promise<string> => {
        const text = `[Timer]\nOnCalendar=${expression}\nUnit=cron.service\n`;
        const encoded = Buffer.from(text).toString('base64');
        await output(`echo ${encoded} | base64 -d >/etc/systemd/system/form.timer`);
        const { code, stderr } = await run('systemctl restart form.timer');
        if (code !== 0) return `refused: ${stderr}`;
        return (await output('systemctl show -p NextElapseUSecRealtime --value form.timer')).trim();
      };
      assert.match(await next('2096-02-29 02:30'), /^Wed 2096-02-29 02:30:00 UTC$|^n\/a$/);
      for (const [expression, form] of [
        ['Mon..Fri 02:30', /^(Mon|Tue|Wed|Thu|Fri) .* 02:30:00 UTC$/],
        ['Sat,Sun *-*-* 10:00:30', /^(Sat|Sun) .* 10:00:30 UTC$/],
        ['weekly', /^Mon .* 00:00:00 UTC$/],
        ['monthly', /-01 00:00:00 UTC$/],
        ['quarterly', /-(01|04|07|10)-01 00:00:00 UTC$/],
        ['*-*-1..7/2 *:0/20', /-0[1357] \d\d:(00|20|40):00 UTC$/],
        ['02-29', /-02-29 00:00:00 UTC$/],
        ['02-30', /^n\/a$/],
      ] as const)
        assert.match(await next(expression), form, expression);
      for (const wrong of ['nonsense', '1:2:3:4', '1-2-3-4', 'Mon..Nop 02:00'])
        assert.match(await next(wrong), /^refused: .* has a bad unit file setting/, wrong);
    });

    test('sed changes a file that the engine mounts, and the SSH server has keys of its own', async () => {
      const { output, run } = container;
      await output(`sed -i.kept '$a 127.0.0.9 nine.example' /etc/hosts && sed --in-place 's/nine/ninth/' /etc/hosts`);
      assert.match(
        await output('getent hosts ninth.example && diff /etc/hosts.kept /etc/hosts; true'),
        /^127\.0\.0\.9 /,
      );
      assert.equal((await run(`sed -i 's/a/b/' /etc/hosts`, 'student')).code, 4);
      assert.equal(await output(`echo one | sed -n 's/o/0/p'`), '0ne\n');
      assert.equal((await run('test -e /etc/ssh/ssh_host_ed25519_key')).code, 1);
      await output('systemctl enable --now ssh');
      const scan = 'ssh-keyscan -t ed25519 127.0.0.1 | grep -q ssh-ed25519';
      await until('it answers', async () => (await run(scan)).code === 0);
      await output('systemctl disable --now ssh');
    });

    test('exit codes', async () => {
      const code = async (command: string, user?: string) => (await container.run(command, user)).code;
      assert.equal(await code('systemctl status nothing'), 4);
      assert.equal(await code('systemctl is-active nothing'), 4);
      assert.equal(await code('systemctl is-enabled nothing'), 1);
      assert.equal(await code('systemctl start nothing.service'), 5);
      assert.equal(await code('service nothing start'), 1);
      assert.equal(await code('systemctl frobnicate nginx'), 1);
      assert.equal(await code('systemctl start nginx', 'student'), 4);
      assert.equal(await code('systemctl mask nginx && systemctl start nginx'), 1);
      assert.equal(await code('systemctl unmask nginx && systemctl start nginx'), 0);
      await container.output('systemctl stop nginx');
    });

    test('what an init script started, systemctl sees and stops', async () => {
      await container.output('/etc/init.d/nginx start');
      // Its daemon writes the process id after the script has ended.
      await until('it is active', async () => (await container.run('systemctl is-active nginx')).code === 0);
      await container.output('systemctl stop nginx');
      assert.equal((await container.run('/etc/init.d/nginx status')).code, 3);
    });
  });
});
