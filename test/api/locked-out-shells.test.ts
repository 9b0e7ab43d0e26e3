import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, type TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';

const v1 = { protocol: 'terminal.v1' } as const;
const student = '/home/student';

/** What a student, or one with root, does to the own account. Run as root, by the engine. `asks`: the shell neither ends nor answers. */
const ways: { name: string; script: string; asks?: true }[] = [
  { name: 'the profile exits', script: `echo exit >${student}/.profile` },
  { name: '.bashrc runs false', script: `echo 'exec false' >${student}/.bashrc` },
  {
    name: '.bashrc sleeps and cannot be interrupted',
    script: `echo 'trap "" 2 3 20; sleep 99999' >${student}/.bashrc`,
    asks: true,
  },
  { name: 'logins are closed', script: 'touch /etc/nologin' },
  { name: 'the shell is nologin', script: 'usermod --shell /usr/sbin/nologin student' },
  {
    name: 'the shell is a program that never ends',
    script:
      'printf "#!/.grader/bin/bash\\nexec /.grader/bin/busybox sleep 99999\\n" >/usr/bin/sleeper; chmod 755 /usr/bin/sleeper; usermod --shell /usr/bin/sleeper student',
    asks: true,
  },
  { name: 'the password is locked', script: 'usermod --lock student; passwd --lock student' },
  { name: 'the account has expired', script: 'usermod --expiredate 1 student' },
  { name: 'the SSH server is renamed', script: 'mv /usr/sbin/sshd /usr/sbin/sshd.old' },
  { name: 'the SSH server is another program', script: 'rm /usr/sbin/sshd; cp /bin/true /usr/sbin/sshd' },
  { name: 'bash is renamed', script: 'mv /bin/bash /bin/bash.old' },
  { name: 'the home folder has no mode', script: `chmod 000 ${student}` },
  { name: 'the home folder is missing', script: `mv ${student} /home/other` },
  { name: 'the account is renamed', script: 'usermod --login other student' },
  { name: 'the account is deleted', script: 'userdel student' },
  { name: 'the list of accounts is deleted', script: 'rm /etc/passwd /etc/shadow /etc/group' },
  { name: 'the list of accounts is unreadable', script: 'chmod 000 /etc/passwd /etc' },
  // A home folder with a NUL: no environment can have it.
  { name: 'the list of accounts is garbage', script: `printf 'x:x:0:0:x:/\\000:x\\n\\377\\001::\\n' >/etc/passwd` },
  { name: 'the libraries are gone', script: '/.grader/bin/busybox mv /lib/x86_64-linux-gnu /lib/gone' },
  { name: 'the loader preloads what fails', script: 'echo /nothing.so >/etc/ld.so.preload' },
  {
    name: 'the settings of the SSH server are broken',
    script: 'echo nonsense >/etc/ssh/sshd_config; chmod 777 /run/sshd; mkdir -p /etc/ssh',
  },
];

// Few at once: the service refuses a start that has waited too long for others.
describe('a student who has locked the own account', { skip: engineSkip, concurrency: 4 }, () => {
  let room: Classroom;
  let server: TestServer;
  let exam: number;
  before(async () => {
    room = await Classroom.open({ sshTimeoutSeconds: 4 });
    ({ server } = room);
    exam = await room.make('exam', ['[[ $(/.grader/bin/busybox id -u) == 0 ]] && echo PASS']);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const inside = async (name: string, script: string): Promise<void> => {
    const exec = await room.docker.getContainer(room.engineName(name)).exec({
      ...{ Cmd: ['/bin/bash', '-c', script], User: '0:0', AttachStdout: true, AttachStderr: true },
    });
    const stream = await exec.start({});
    stream.resume();
    await new Promise((resolve) => stream.once('end', resolve));
  };
  const begin = async (): Promise<{ user: TestUser; container: number; name: string }> => {
    const user = await server.user();
    const { container_id, container_name } = await room.start(user, 'exam', exam);
    return { user, container: container_id, name: container_name };
  };
  const open = (container: number, { token }: TestUser, query = '') =>
    new TerminalClient(`${server.url}/ws/terminal/${container}?token=${token}${query}`, v1);

  for (const [index, { name, script, asks }] of ways.entries()) {
    const test = index === 0 ? it : itLong;
    test(`gets a shell, files and a grade: ${name}`, async () => {
      const { user, container, name: containerName } = await begin();
      await inside(containerName, script);
      const client = open(container, user, asks ? '&is_plain=true' : '');
      await client.shows(/[$#] ?$/, 45_000);
      const isPlain = client.messages.findLast(({ type }) => type === 'ready')?.['is_plain'];
      client.type('/.grader/bin/busybox id -u; echo "sh""ell"\n');
      assert.match(await client.shows(/shell\r/), /[^\w]1000\r/);
      if (isPlain) await client.shows('This is a plain shell');
      // The home folder may be gone or closed.
      const files = `/api/containers/${container}/files?path=/tmp/kept`;
      const headers = { 'content-type': 'application/octet-stream' };
      const sent = await server.request('PUT', files, { token: user.token, headers, body: 'kept' });
      assert.equal(sent.status, 200, sent.text);
      assert.equal((await server.get(files, user.token)).text, 'kept');
      const submitted = await server.post(`/api/exams/${exam}/submit`, user.token);
      assert.deepEqual([submitted.status, submitted.body.score], [200, 1], submitted.text);
    });
  }

  it('ends a plain shell as any other, and resumes it', async () => {
    const { user, container } = await begin();
    const first = await open(container, user, '&is_plain=true').ready();
    const { session_id, is_plain } = await first.message('ready');
    assert.equal(is_plain, true);
    first.type('stty size; echo "o""k"\n');
    await first.shows('ok');
    first.socket.terminate();
    const second = open(container, user, `&session=${session_id}`);
    assert.equal((await second.message('ready'))['is_resumed'], true);
    await second.shows(/24 80[\s\S]*ok/);
    second.type('exit 3\n');
    assert.equal((await second.message('exit'))['code'], 3);
    assert.equal((await second.closed).code, 1000);
  });
});
