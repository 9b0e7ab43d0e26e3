/** For OpenSSH's ProxyCommand: connects its standard input and output to an SSH server that the engine starts in a container. */
import { readFile } from 'node:fs/promises';
import Docker from 'dockerode';
import { demultiplex } from '../src/adapters/docker/demultiplex.ts';

const [socketPath = '', containerId = '', hostKeyPath = '', publicKeyPath = ''] = process.argv.slice(2);
const exec = await new Docker({ socketPath }).getContainer(containerId).exec({
  Cmd: ['/.grader/connect'],
  User: '0:0',
  AttachStdin: true,
  AttachStdout: true,
  AttachStderr: true,
});
const stream = demultiplex(await exec.start({ hijack: true, stdin: true }));
const publicKey = (await readFile(publicKeyPath, 'utf8')).split(' ').slice(0, 2).join(' ');
stream.write(`${(await readFile(hostKeyPath)).toString('base64')}\n${publicKey}\n`);
process.stdin.pipe(stream).pipe(process.stdout);
stream.once('close', () => process.exit());
