import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerEngine } from '../../ports/container-engine.ts';

/**
 * The files that a container has besides its image, and the list of all its paths: what the list lacks of the image was deleted. Both are
 * read by programs of the grader volume, so every engine can do it. What is only in memory, or mounted, is no part of them: `/proc`, `/sys`,
 * `/dev`, files of `/run`. Names with a line break are left out, and extended attributes are not kept.
 */
const files = `PATH=/.grader/bin LC_ALL=C
set -fo pipefail
cd /
mounts=()
while read -r _ _ _ _ mount _; do
  printf -v mount %b "$mount"
  [[ $mount == / ]] || mounts+=(-o -path ".\${mount//[\\[\\]\\*\\?\\\\]/?}")
done </proc/self/mountinfo
files() { find . -xdev \\( \\( -path './run/*' ! -type d \\) -o -type s -o -path "*"$'\\n'"*" "\${mounts[@]}" \\) -prune -o "$@"; }
paths() { files -type d -print | sed 's,$,/,'; files ! -type d -print; }
`;

/** The status of a script that had to leave files out. */
const someLeft = 10;

/**
 * Stops each process that was started in the container, whoever's it is. Those without a parent there, beside the first, are commands of the
 * engine: one that is just being started would never end if it were stopped, and the engine with it. Only what the shell itself can do.
 */
const halt = `halt() {
  local round pid line running running_inside='^[^TtZX] [1-9]'
  for ((round = 0; round < 20; round++)); do
    running=0
    for pid in /proc/[0-9]*; do
      pid=\${pid#/proc/} line=
      IFS= read -rd '' line 2>/dev/null <"/proc/$pid/stat"
      line=\${line##*) }
      [[ $pid != $$ && $line =~ $running_inside ]] || continue
      kill -STOP "$pid" 2>/dev/null && running=1
    done
    ((running)) || return 0
  done
}
`;

/**
 * What runs, a line each: `+ ` and a service of systemctl, `# ` with the user and the command of any other process. Shells are left out,
 * because terminals end with the attempt, and the platform's own programs. Only what the shell itself can do, so that it is fast.
 */
const running = `running() {
  local file name uid words systemctl=/usr/local/bin/systemctl
  [[ ! -x $systemctl ]] || PATH=/usr/sbin:/usr/bin:/sbin:/bin timeout 20 "$systemctl" list-units --no-legend --state=active \\
    </dev/null 2>/dev/null | while read -r name _; do [[ ! $name =~ ^[A-Za-z0-9][A-Za-z0-9@._-]*$ ]] || echo "+ $name"; done
  for file in /proc/[0-9]*; do
    words=()
    mapfile -d '' -t words 2>/dev/null <"$file/cmdline"
    name=\${words[0]##*/} uid=
    [[ $file != /proc/1 && -n $name && \${words[0]} != /.grader/* && ! $name =~ ^-?(ba|da|)sh$ && $name != sshd* && ! $name =~ ^(hold|busybox)$ ]] || continue
    while read -r name uid _; do [[ $name != Uid: ]] || break; done 2>/dev/null <"$file/status"
    printf '# %s %.200s\\n' "$uid" "\${words[*]//[[:cntrl:]]/ }"
  done
}
`;
/** Of both kinds together. */
const maxRunning = 1000;

/** Everything stands still from here on. A path that begins with `! ` is left out of the files, because they would be too many bytes. */
const pathsScript = (createdAt: number, most: number): string => `${files}${halt}${running}
set +f
ran=$(running 2>/dev/null)
halt
rm -rf /dev/shm/* /dev/shm/.[!.]* 2>/dev/null
set -f
# Whole minutes, so more than the container's own: those of an image that was unpacked just before it.
minutes=$(( ($(date +%s) - ${createdAt}) / 60 + 1 ))
files -cmin "-$minutes" -print | tr '\\n' '\\0' | xargs -0 -r stat -c '%s %Z %n' | sort -n | awk -v most=${most} '$2 >= ${createdAt} {
  total += $1 + 1024; sub(/^[0-9]+ [0-9]+ /, ""); if (total <= most) print >"/dev/shm/.kept"; else print >"/dev/shm/.left" }'
touch /dev/shm/.kept /dev/shm/.left
{ head -n ${maxRunning} <<<"$ran"; sed 's,^,! ,' /dev/shm/.left; paths; } | gzip -1 || exit 1
[[ ! -s /dev/shm/.left ]] || exit ${someLeft}`;
/** The largest files are last, and the folders of a file before it. */
const layerScript = `${files}
sort /dev/shm/.kept | tr '\\n' '\\0' | cpio -o -H newc -0 2>/dev/null | gzip -1`;

const removeScript = (bytes: number): string => `${files}
head -c ${bytes} | gunzip >/dev/shm/.paths && [[ -s /dev/shm/.paths ]] || exit 1
head -n ${maxRunning} /dev/shm/.paths | grep '^[+#] '
paths | awk 'FILENAME != "-" { kept[$0]; next } !($0 in kept)' /dev/shm/.paths - | sed 's,/$,,' | tr '\\n' '\\0' | xargs -0 -r rm -rf --
rm /dev/shm/.paths`;
const unpackScript = (bytes: number): string => `${files}
head -c ${bytes} | gunzip | cpio -idmu -H newc 2>/dev/null`;

/** A machine has booted when it has had the same processes for a second. One that never rests is not waited for. */
const bootedScript = `exec {silence}<> <(:)
quiet=0 last=
for ((tries = 0; tries < 50 && quiet < 5; tries++)); do
  processes=(/proc/[0-9]*)
  if [[ "\${processes[*]}" == "$last" ]]; then quiet=$((quiet + 1)); else quiet=0; fi
  last="\${processes[*]}"
  read -rt 0.2 -u "$silence"
done
exit 0`;

/** Bytes of the files of a container before they are compressed, and of the compressed list of its paths. */
export const maxLayerBytes = 256 * 1024 * 1024;
export const maxPathBytes = 4 * 1024 * 1024;
/** Milliseconds of one script. */
const patience = 60_000;

type Engine = Pick<ContainerEngine, 'openCommand' | 'restart'>;

/** A part of a layer could not be read or written. */
export class LayerError extends Error {}

/** Reads the output of a script in a container. @param end gets its status @throws LayerError unless it has succeeded */
async function* output(
  engine: Engine,
  ref: string,
  script: string,
  end: (code: number | undefined) => boolean = (code) => code === 0,
): AsyncGenerator<Buffer> {
  const { stream, exitCode } = await engine.openCommand(ref, script);
  const timer = setTimeout(() => stream.destroy(new LayerError('the container does not answer')), patience);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
    const code = await exitCode();
    if (!end(code)) throw new LayerError(`the files could not be read (status ${code})`);
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

/** Sends content to a script whose input cannot be ended, so that it knows the length. @returns what it prints, which is little */
async function send(
  engine: Engine,
  ref: string,
  { script, content }: { script: string; content: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { stream, exitCode } = await engine.openCommand(ref, script);
  const timer = setTimeout(() => stream.destroy(new LayerError('the container does not answer')), patience);
  const printed: Buffer[] = [];
  try {
    stream.on('data', (chunk: Buffer) => printed.push(chunk));
    const ended = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
    ended.catch(() => undefined);
    for await (const chunk of content) {
      if (stream.destroyed || stream.readableEnded) break;
      if (!stream.write(chunk)) await Promise.race([new Promise<void>((done) => stream.once('drain', done)), ended]);
    }
    await ended;
    const code = await exitCode();
    if (code !== 0) throw new LayerError(`the files could not be written (status ${code})`);
    return Buffer.concat(printed).toString();
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}

/**
 * Stops all processes of a container, and lists its paths.
 * @param createdAt seconds: files that have changed since then are its own
 * @returns compressed with gzip, and whether files are left out of the layer @throws LayerError, and what the engine throws
 */
export async function listPaths(
  engine: Engine,
  ref: string,
  createdAt: number,
): Promise<{ paths: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  const end = (code: number | undefined): boolean => {
    isCut = code === someLeft;
    return isCut || code === 0;
  };
  for await (const chunk of output(engine, ref, pathsScript(createdAt, maxLayerBytes), end)) {
    bytes += chunk.length;
    if (bytes > maxPathBytes) throw new LayerError('there are too many files');
    chunks.push(chunk);
  }
  return { paths: Buffer.concat(chunks), isCut };
}

/** The files of the container, after `listPaths`: an archive of cpio, compressed with gzip. @throws see there, also in the middle */
export const readLayer = (engine: Engine, ref: string): AsyncGenerator<Buffer> => output(engine, ref, layerScript);

export type KeptLayer = {
  paths: { bytes: number; read: () => Promise<AsyncIterable<Uint8Array>> };
  layer: { bytes: number; read: () => Promise<AsyncIterable<Uint8Array>> };
};

/**
 * Puts the files of a layer into a new container of the same image, removes what was deleted, and starts the image's command again, as a
 * machine boots from its disk. Then the services that ran are started, also those that do not start with the machine.
 * @returns whether nothing ran and nothing runs: processes are not restored as they were, and a service that is started reads its files anew
 * @throws LayerError, and what the engine and the reads throw; the container is not usable then
 */
export async function restoreLayer(engine: Engine, ref: string, { paths, layer }: KeptLayer): Promise<boolean> {
  const removed = await send(engine, ref, { script: removeScript(paths.bytes), content: await paths.read() });
  await send(engine, ref, { script: unpackScript(layer.bytes), content: await layer.read() });
  const before = removed.split('\n').filter(Boolean);
  await engine.restart(ref);
  await booted(engine, ref);
  const services = before.filter((line) => line.startsWith('+ ')).map((line) => line.slice(2));
  if (services.length > 0) await settle(engine, ref, startScript(services));
  const now = await linesOf(output(engine, ref, `PATH=/.grader/bin LC_ALL=C\n${running}\nrunning 2>/dev/null`));
  return before.length === now.length && [...before, ...now].every((line) => line === ofEntryPoint);
}

/** What the entry point of the images goes on with, to keep the container running. */
const ofEntryPoint = '# 0 sleep infinity';

/** Each is a service of the container by its name: see `running`. One that does not start is missed afterwards. */
const startScript = (services: readonly string[]): string => `PATH=/usr/sbin:/usr/bin:/sbin:/bin
timeout 40 /usr/local/bin/systemctl start ${services.map((name) => `'${name}'`).join(' ')} </dev/null >/dev/null 2>&1`;

async function settle(engine: Engine, ref: string, script: string): Promise<void> {
  for await (const _chunk of output(engine, ref, `${script}\n${bootedScript}`));
}

async function linesOf(chunks: AsyncIterable<Buffer>): Promise<string[]> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString().split('\n').filter(Boolean);
}

async function booted(engine: Engine, ref: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await settle(engine, ref, '');
    } catch (error) {
      if (tries === 20) throw error;
      await delay(100);
    }
  }
}
