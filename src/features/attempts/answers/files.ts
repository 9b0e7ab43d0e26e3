import { type ContainerEngine, ContainerNotRunningError } from '../../../ports/container-engine.ts';
import type { AnswerFile } from './store.ts';

/** Bytes of a file that is an answer. Its content is in the database, so that it is replaced, deleted and backed up with the answer. */
export const maxAnswerBytes = 8 * 1024 * 1024;

/** Characters of its name, as file systems allow. */
const maxName = 255;
/** Milliseconds to read it from a machine. */
const patience = 20_000;

/**
 * A name as it is stored: without folders, control characters, and those that turn the direction of letters and so hide an ending. One that is
 * too long keeps its ending.
 */
export const fileName = (given: string): string =>
  given
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .slice(-maxName)
    .toWellFormed() || 'file';

/** What was opened has to be the file at the path: a link could lead to what the student cannot read. */
const readScript = (path: string): string => `PATH=/.grader/bin
path='${path.replaceAll("'", "'\\''")}'
[[ -f $path && ! -L $path ]] || exit 0
exec 3<"$path" && [[ $(readlink /proc/self/fd/3) == "$path" ]] || exit 0
head -c ${maxAnswerBytes + 1} <&3`;

/**
 * Reads a file of a machine.
 * @returns undefined where the path has none, or one that is larger than an answer may be
 * @throws what the engine throws; ContainerNotRunningError where the machine does not answer
 */
export async function collectFile(
  engine: Pick<ContainerEngine, 'openCommand'>,
  ref: string,
  path: string,
): Promise<AnswerFile | undefined> {
  const { stream, exitCode } = await engine.openCommand(ref, readScript(path));
  const timer = setTimeout(() => stream.destroy(new ContainerNotRunningError(ref)), patience);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) return undefined;
      chunks.push(chunk);
    }
    if ((await exitCode()) !== 0 || bytes === 0) return undefined;
    return { name: fileName(path), content: Buffer.concat(chunks) };
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
}
