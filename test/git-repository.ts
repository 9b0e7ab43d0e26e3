import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The content of a path at a commit: a file, a symbolic link or a submodule. */
export type Entry = string | Buffer | { link: string } | { submodule: string };
export type CommitOptions = {
  branch?: string;
  /** Starts a history without the previous commits, like a forced push. */
  isNewHistory?: boolean;
};

/** A commit whose tree is exactly these files, as input for `git fast-import --force`. */
export function importStream(files: Record<string, Entry>, { branch = 'main', isNewHistory = false, at = 0 }): Buffer {
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
  };
  const parts = [
    Buffer.from(`commit refs/heads/${branch}\ncommitter Test <test@example.com> ${1_700_000_000 + at} +0000\n`),
    data(`commit ${at}`),
    Buffer.from(isNewHistory ? '' : `from refs/heads/${branch}^0\n`),
    Buffer.from('deleteall\n'),
  ];
  for (const [path, entry] of Object.entries(files)) {
    if (typeof entry === 'object' && 'submodule' in entry) {
      parts.push(Buffer.from(`M 160000 ${entry.submodule} ${path}\n`));
    } else if (typeof entry === 'object' && 'link' in entry) {
      parts.push(Buffer.from(`M 120000 inline ${path}\n`), data(entry.link));
    } else {
      parts.push(Buffer.from(`M 100644 inline ${path}\n`), data(entry));
    }
  }
  return Buffer.concat([...parts, Buffer.from('done\n')]);
}

/** Runs a program to its end. @throws Error with its standard error */
export function run(command: string, args: string[], input: string | Buffer = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
    let output = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ${args.join(' ')}: ${complaints}`)),
    );
    // A program may end without reading its input. Its exit code shows whether it succeeded.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** A bare repository in a temporary folder. */
export class LocalRepository implements AsyncDisposable {
  readonly path: string;
  #commits = 0;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<LocalRepository> {
    const path = await mkdtemp(join(tmpdir(), 'platform-repository-'));
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
    return new LocalRepository(path);
  }

  /** @returns the id of the new commit */
  async commit(files: Record<string, Entry>, options: CommitOptions = {}): Promise<string> {
    const isNewHistory = options.isNewHistory ?? this.#commits === 0;
    this.#commits += 1;
    await this.git(
      ['fast-import', '--quiet', '--force'],
      importStream(files, { ...options, isNewHistory, at: this.#commits }),
    );
    return (await this.git(['rev-parse', `refs/heads/${options.branch ?? 'main'}`])).trim();
  }

  async git(args: string[], input: string | Buffer = ''): Promise<string> {
    return await run('git', ['--git-dir', this.path, ...args], input);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
