import assert from 'node:assert/strict';
import { Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { before, it, suite } from 'node:test';
import ssh2 from 'ssh2';
import { itLong } from '../test/rounds.ts';
import { ensureImages } from './build.ts';
import { docker, graderVolume, noEngine, startContainer, type TestContainer } from './test-container.ts';

const config = `UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
AuthorizedKeysFile /tmp/ssh/authorized-keys
StrictModes no
`;

/** An SSH connection to a server that the engine starts in a container without a network, on an exec's streams. */
async function connect(container: TestContainer, username: string): Promise<ssh2.Client> {
  await container.output(`rm -rf /tmp/ssh && mkdir /tmp/ssh && cd /tmp/ssh
    for key in host authorized; do ssh-keygen -q -t ed25519 -N '' -f $key; done
    mv authorized.pub authorized-keys; echo '${config}' > config`);
  const hostKey = (await container.output('cat /tmp/ssh/host.pub')).split(' ')[1] ?? '';
  const exec = await container.container.exec({
    Cmd: ['/bin/sh', '-c', 'mkdir -p /run/sshd; exec /usr/sbin/sshd -i -h /tmp/ssh/host -f /tmp/ssh/config'],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: true });
  const output = new PassThrough();
  docker.modem.demuxStream(stream, output, new PassThrough());
  stream.once('end', () => output.end());
  const client = new ssh2.Client();
  const isReady = Promise.withResolvers<void>();
  client.once('ready', isReady.resolve).once('error', isReady.reject);
  client.once('close', () => isReady.reject(new Error('the connection was closed')));
  client.connect({
    sock: Duplex.from({ readable: output, writable: stream }),
    username,
    privateKey: await container.output('cat /tmp/ssh/authorized'),
    hostVerifier: (offered: Buffer) => offered.toString('base64') === hostKey,
  });
  await isReady.promise;
  client.on('error', () => {}); // the stream ends with the container
  return client;
}

function execute(client: ssh2.Client, command: string, pty: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    client.exec(command, { pty }, (error, channel) => {
      if (error) reject(error);
      else resolve(text(channel));
    });
  });
}

suite('SSH over an exec', { skip: noEngine, concurrency: 2 }, () => {
  before(async () => {
    await ensureImages({ docker, progress: () => {}, install: true });
  });

  for (const image of ['platform-sandbox', 'platform-exam-linux-basics', 'platform-exam-linux-services']) {
    const test = image === 'platform-sandbox' ? it : itLong;
    test(`${image}: the student with a terminal, the grader with the static shell`, async () => {
      await using volume = await graderVolume();
      await using container = await startContainer(image, [`${volume.name}:/.grader:ro`]);
      const student = await connect(container, 'student');
      assert.match(
        await execute(student, 'tty; id -un; stat -c %U $(tty)', true),
        /^\/dev\/pts\/\d+\r\nstudent\r\nstudent\r\n$/,
      );
      const login = `bash -lc 'echo $LANG; type -p useradd'`;
      assert.equal(await execute(student, login, false), 'C.UTF-8\n/usr/sbin/useradd\n');
      student.end();
      const grader = await connect(container, 'grader');
      assert.equal(
        await execute(grader, 'readlink /proc/$$/exe; id -u; echo $HOME', false),
        '/.grader/bin/bash\n0\n/.grader\n',
      );
      grader.end();
    });
  }
});
