import { once } from 'node:events';
import type { PlacedFile } from './container-shell.ts';
import { LastBytes } from './last-bytes.ts';
import type { SshChannels } from './ssh-channels.ts';
import { tarEnd, tarHeader, tarPadding } from './tar.ts';

const busybox = '/.grader/bin/busybox';
const folder = '/root/.setup-files';
const program = 'place';
/** Characters kept of what the container reports about files. */
const reportLength = 4096;

/** Run by root with an archive as its input. It unpacks the archive into a folder of its own and runs the program in it. */
const unpackCommand = `PATH=/.grader/bin:/usr/sbin:/usr/bin:/sbin:/bin; umask 022
${busybox} rm -rf ${folder}
{ ${busybox} mkdir -m 700 ${folder} && ${busybox} tar -x -f - -C ${folder} && . ${folder}/${program}; } 2>&1
status=$?
${busybox} rm -rf ${folder}
exit $status`;

/**
 * Places files in a container, as root.
 * @param seconds until all of them are there
 * @returns what the container reports where it failed @throws ShellConnectionLostError, and the error of reading a file
 */
export async function putFiles(
  channels: SshChannels,
  files: readonly PlacedFile[],
  seconds: number,
): Promise<string | undefined> {
  const channel = await channels.exec(unpackCommand);
  const output = new LastBytes(reportLength);
  let status: number | null = null;
  channel.on('data', (chunk: Buffer) => output.push(chunk));
  channel.stderr.resume();
  channel.on('exit', (code: number | null) => {
    status = code;
  });
  const closed = new Promise<void>((resolve) => channel.once('close', resolve));
  const send = async (): Promise<void> => {
    for await (const chunk of archiveOf(files)) {
      if (!channel.writable || channel.destroyed) return;
      // The container may stop reading, such as when its disk is full.
      if (!channel.write(chunk)) await Promise.race([once(channel, 'drain').catch(() => undefined), closed]);
    }
    channel.end();
  };
  let failure: { error: unknown } | undefined;
  const sent = send().catch((error: unknown) => {
    failure = { error };
    channel.destroy();
  });
  try {
    await channels.ended(channel, 1000 * seconds);
  } catch (error) {
    throw failure ? failure.error : error;
  }
  await sent;
  if (failure) throw failure.error;
  return status === 0 ? undefined : output.text();
}

/** The archive: the files, named by their numbers, and the program that puts them in place. Only one file is read at a time. */
async function* archiveOf(files: readonly PlacedFile[]): AsyncGenerator<Uint8Array> {
  const modified = new Date();
  const script = Buffer.from(programOf(files));
  yield tarHeader({ name: program, bytes: script.length, modified });
  yield script;
  yield tarPadding(script.length);
  for (const [index, { bytes, read }] of files.entries()) {
    yield tarHeader({ name: `${index}`, bytes, modified });
    let sent = 0;
    for await (const chunk of read()) {
      sent += chunk.length;
      yield chunk;
    }
    if (sent !== bytes) throw new Error(`a file has ${sent} bytes instead of ${bytes}`);
    yield tarPadding(bytes);
  }
  yield tarEnd;
}

/**
 * An existing file is replaced, even a program that is running. A file that is a mount cannot be removed: it is written to. The
 * owner of a created folder is the owner of its file.
 */
const programOf = (files: readonly PlacedFile[]): string => `put() {
  local path=$2 owner=$3 parent=\${2%/*} missing=() made
  [[ $owner == *:* ]] || owner=$owner:
  while [[ -n $parent && ! -e $parent ]]; do missing=("$parent" "\${missing[@]}") parent=\${parent%/*}; done
  for made in "\${missing[@]}"; do ${busybox} mkdir -m 755 "$made" && ${busybox} chown "$owner" "$made" || return; done
  if [[ -d $path && ! -L $path ]]; then echo 'it is a folder'; return 1; fi
  ${busybox} rm -f "$path" 2>/dev/null
  ${busybox} cat "${folder}/$1" >"$path" && ${busybox} rm "${folder}/$1" && ${busybox} chown "$owner" "$path" && ${busybox} chmod "$4" "$path"
}
${files
  .map(({ path, owner, mode }, index) => {
    const words = [`${index}`, path, owner, mode].map(quoted).join(' ');
    return `put ${words} || { echo ${quoted(`${path} could not be put in place`)}; exit 1; }`;
  })
  .join('\n')}
true
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
