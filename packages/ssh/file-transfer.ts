import { once } from 'node:events';
import type { ClientChannel } from 'ssh2';
import {
  type AwaitedFile,
  type FilePlace,
  type FileRefusal,
  FileRefusedError,
  fileRefusals,
  type OpenedFile,
  ShellConnectionLostError,
} from './container-shell.ts';

/** Longer than any path in base64. */
const longestLine = 8192;
const lineForm = /^(?:ok (\d{1,15}) ([A-Za-z0-9+/]+={0,2})|no ([a-z]+))$/;

const unexpected = () => new ShellConnectionLostError('The container did not answer as expected');

/** One file on its way between this process and a container: the end here of `readScript` or `writeScript`. */
export class FileTransfer {
  readonly #channel: ClientChannel;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #closed: Promise<unknown>;
  #rest = Buffer.alloc(0);
  #status: number | null = null;

  /** @param channel on which the script has just been started */
  constructor(channel: ClientChannel) {
    this.#channel = channel;
    this.#closed = new Promise((resolve) => channel.once('close', resolve));
    // The end of the output comes before the exit status, which a channel that is destroyed then does not receive.
    this.#chunks = channel.iterator({ destroyOnReturn: false });
    channel.stderr.resume();
    channel.on('error', () => channel.destroy());
    channel.on('exit', (code: number | null) => {
      this.#status = code;
    });
  }

  /** @param most bytes that are read @throws FileRefusedError, ShellConnectionLostError */
  async read(most: number): Promise<OpenedFile> {
    const { path, bytes } = await this.#answer();
    return { path, bytes, content: this.#content(most) };
  }

  /** @throws FileRefusedError, ShellConnectionLostError */
  async write(): Promise<AwaitedFile> {
    const { path } = await this.#answer();
    return { path, write: (content) => this.#write(content) };
  }

  /** The container decides what it sends: nothing in it is trusted. */
  async *#content(most: number): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for (let chunk: Buffer | undefined = this.#rest; chunk; chunk = await this.#next()) {
      sent += chunk.length;
      if (sent > most) throw new FileRefusedError('large');
      if (chunk.length > 0) yield chunk;
    }
    await this.#closed;
    // The channel also ends with a lost connection, and when the script is killed.
    if (this.#status !== 0) throw unexpected();
  }

  async #write(content: AsyncIterable<Uint8Array>): Promise<void> {
    const channel = this.#channel;
    for await (const chunk of content) {
      if (!channel.writable || channel.destroyed) break;
      // The script may have stopped reading, such as when the disk is full.
      if (!channel.write(chunk)) await Promise.race([once(channel, 'drain').catch(() => undefined), this.#closed]);
    }
    channel.end();
    await this.#answer();
  }

  async #answer(): Promise<{ path: string; bytes: number }> {
    const [, bytes, path, reason] = lineForm.exec(await this.#line()) ?? [];
    if (reason !== undefined && isRefusal(reason)) throw new FileRefusedError(reason);
    if (bytes === undefined || path === undefined) throw unexpected();
    return { bytes: Number(bytes), path: Buffer.from(path, 'base64').toString() };
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) {
        const line = this.#rest.subarray(0, end).toString('latin1');
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const chunk = this.#rest.length > longestLine ? undefined : await this.#next();
      if (!chunk) throw unexpected();
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      throw new ShellConnectionLostError('The connection to the container was lost', { cause: error });
    }
  }
}

const isRefusal = (word: string): word is FileRefusal => (fileRefusals as readonly string[]).includes(word);

const busybox = '/.grader/bin/busybox';

/**
 * Run by the account whose file it is, with its rights. Nothing is done as root for another account, so it does not matter where links
 * lead. All programs are of the read-only volume. A program that hangs, such as at a FIFO that has replaced the file meanwhile, is killed
 * after the given seconds. The first line of the output is `ok BYTES PATH` or `no REASON`, with the path in base64.
 *
 * The folder of a held shell is that of the only child of the process that listens on the holder's socket.
 */
const prologue = `b=${busybox} path=$1 holder=$2
refuse() { printf 'no %s\\n' "$1"; exit; }
say() { printf '%s %s %s\\n' "$1" "$2" "$(printf %s "$path" | $b base64 -w 0)"; }
shell_folder() {
  local number count protocol flags type state inode name process comm link links child
  while read -r number count protocol flags type state inode name; do
    [[ $flags == 00010000 && $name == "$holder" ]] && break
    inode=
  done </proc/net/unix
  [[ -n $inode ]] || return
  for process in /proc/[0-9]*; do
    { read -r comm <"$process/comm"; } 2>/dev/null || continue
    [[ $comm == hold && -O $process ]] || continue
    links=$(for link in "$process"/fd/*; do $b readlink "$link"; done 2>/dev/null)
    [[ $links == *"socket:[$inode]"* ]] || continue
    { read -r child <"$process/task/\${process##*/}/children"; } 2>/dev/null
    [[ -z $child ]] || $b readlink "/proc/\${child%% *}/cwd" 2>/dev/null
    return
  done
}
if [[ $path != /* ]]; then
  folder=
  [[ -z $holder ]] || folder=$(shell_folder)
  path=\${folder:-$HOME}/$path
fi
[[ ! -d $path ]] || refuse folder
`;

const readScript = `${prologue}most=$3
[[ -e $path ]] || refuse missing
[[ -f $path ]] || refuse special
{ exec 3<"$path"; } 2>/dev/null || refuse denied
[[ -f /proc/self/fd/3 ]] || refuse special
bytes=$($b stat -L -c %s /proc/self/fd/3) || refuse denied
((bytes <= most)) || refuse large
say ok "$bytes"
exec $b head -c "$((most + 1))" <&3
`;

const writeScript = `${prologue}bytes=$3 replaces=$4 mode=
[[ ! -L $path ]] || path=$($b readlink -f "$path") || refuse missing
if [[ -e $path ]]; then
  [[ -f $path ]] || refuse special
  ((replaces)) || refuse exists
  [[ -w $path ]] || refuse denied
  mode=$($b stat -c %a "$path")
fi
parent=\${path%/*}
[[ -d \${parent:-/} ]] || refuse missing
[[ -w \${parent:-/} ]] || refuse denied
part=$($b mktemp "$parent/.upload.XXXXXX" 2>/dev/null) || refuse full
trap '$b rm -f "$part"' EXIT
trap 'exit 1' HUP INT TERM
say ok "$bytes"
$b head -c "$bytes" 2>/dev/null >"$part" || refuse full
[[ $($b stat -c %s "$part") == "$bytes" ]] || refuse full
$b chmod "\${mode:-$(printf %o "$((0666 & ~$(umask)))")}" "$part" && $b mv -f "$part" "$path" 2>/dev/null || refuse denied
say ok "$bytes"
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function command(script: string, seconds: number, ...words: (string | number)[]): string {
  const program = ['/.grader/bin/bash', '-p', '-c', script, 'transfer', ...words.map(String)].map(quoted).join(' ');
  return `exec ${busybox} timeout -s KILL ${seconds} ${program}`;
}

/** @param seconds after which it is killed */
export const readCommand = ({ path, holder = '' }: FilePlace, limits: { bytes: number; seconds: number }): string =>
  command(readScript, limits.seconds, path, holder, limits.bytes);

/** @param file.seconds after which it is killed */
export const writeCommand = (
  { path, holder = '' }: FilePlace,
  file: { bytes: number; replaces: boolean; seconds: number },
): string => command(writeScript, file.seconds, path, holder, file.bytes, file.replaces ? 1 : 0);
