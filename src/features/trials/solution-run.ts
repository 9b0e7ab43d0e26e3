import { randomBytes } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import type { ContainerShell } from '../../../packages/ssh/container-shell.ts';
import type { StudentAccount } from '../../database/tables.ts';

/** What a solution printed, as plain text, and its exit status. Null means a signal or the time limit. */
export type SolutionRun = { exit_status: number | null; output: string };

export type SolutionParts = {
  ref: string;
  shell: ContainerShell;
  /** The account of students. */
  account: StudentAccount;
  solutionSeconds: number;
  signal?: AbortSignal;
};

/** Characters of a solution's output that are stored, from its end. */
const keptOutput = 65_536;

/**
 * Runs a script in its own terminal, which is closed afterwards. Processes that the student started must survive that.
 * @throws as ContainerShell.connect; the signal's reason before it starts
 */
export async function runAsStudent(
  { shell, ref, account, solutionSeconds, signal }: SolutionParts,
  script: string,
): Promise<SolutionRun> {
  signal?.throwIfAborted();
  await using connection = await shell.connect(ref, account);
  const terminal = await connection.openTerminal({ cols: 120, rows: 40 });
  const token = randomBytes(8).toString('hex');
  const prompt = Promise.withResolvers<void>();
  const output = new MarkedOutput(`\u001e${token}`);
  terminal.setEncoding('utf8').on('data', (text: string) => {
    output.add(text);
    if (output.text.includes(account === 'root' ? '# ' : '$ ')) prompt.resolve();
  });
  const close = () => void connection[Symbol.asyncDispose]();
  const timer = setTimeout(close, solutionSeconds * 1000);
  signal?.addEventListener('abort', close);
  try {
    await Promise.race([prompt.promise, terminal.exit]);
    const encoded = Buffer.from(script).toString('base64').replace(/.{76}/g, '$&\n');
    // The terminal echoes this text. Only `printf` writes the marks themselves.
    const mark = `printf '\\036${token}'`;
    terminal.write(
      `base64 -d > /tmp/solution <<'END'\n${encoded}\nEND\n${mark}; bash /tmp/solution; status=$?; ${mark}; exit $status\n`,
    );
    const { code } = await terminal.exit;
    return { exit_status: code, output: output.hasBegun ? plainText(output.text.toWellFormed()) : '' };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
  }
}

/** The end of what a terminal sends between two marks. Before the first mark: the end of everything so far. */
class MarkedOutput {
  readonly #mark: string;
  #text = '';
  #hasEnded = false;
  hasBegun = false;

  constructor(mark: string) {
    this.#mark = mark;
  }

  add(text: string): void {
    if (this.#hasEnded) return;
    this.#text += text;
    if (!this.hasBegun) this.#begin();
    const end = this.hasBegun ? this.#text.indexOf(this.#mark) : -1;
    this.#hasEnded = end >= 0;
    if (this.#hasEnded) this.#text = this.#text.slice(0, end);
    // A mark can arrive in parts.
    this.#text = this.#text.slice(-keptOutput - (this.#hasEnded ? 0 : this.#mark.length));
  }

  get text(): string {
    return this.#text.slice(-keptOutput);
  }

  #begin(): void {
    const begin = this.#text.indexOf(this.#mark);
    if (begin < 0) return;
    this.hasBegun = true;
    this.#text = this.#text.slice(begin + this.#mark.length);
  }
}

/** The text that a terminal shows for an output. Control codes are removed. Characters that a line overwrites are left out. */
export const plainText = (output: string): string =>
  stripVTControlCharacters(output).split('\n').map(shownLine).join('\n');

const control = /\p{Cc}/u;

function shownLine(line: string): string {
  if (!control.test(line)) return line;
  const shown: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === '\r') column = 0;
    else if (character === '\b') column = Math.max(column - 1, 0);
    else if (character === '\t' || !control.test(character)) {
      shown[column] = character;
      column += 1;
    }
  }
  return shown.join('');
}
