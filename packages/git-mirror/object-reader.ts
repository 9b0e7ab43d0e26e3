import { LRUCache } from 'lru-cache';
import type { GitProgram } from './git-program.ts';
import type { ErrorOf } from './problems.ts';

export type GitObject = { readonly id: string; readonly type: string; readonly bytes: Buffer };
/** `too large`: over the limit, and therefore never loaded into memory. */
export type ReadResult = GitObject | 'missing' | 'too large';

type Request = {
  name: string;
  failures: number;
  resolve: (result: ReadResult) => void;
  reject: (error: Error) => void;
};
/** An object that is still being received. */
type Arriving = { id: string; type: string; size: number; bytes: Buffer; filled: number };
type Process = ReturnType<GitProgram['spawn']>;

/**
 * Reads objects of one repository through one long-lived `git cat-file --batch`. Requests are answered in order. A process that
 * dies is replaced immediately, and its unanswered requests are repeated. A request at which two processes died fails, so that one
 * damaged object cannot block the others.
 */
export class ObjectReader implements AsyncDisposable {
  readonly #git: GitProgram;
  readonly #directory: string;
  readonly #maxBytes: number;
  #process: Process | undefined;
  #waiting: Request[] = [];
  #line: Buffer[] = [];
  #object: Arriving | undefined;
  #isReplacing = false;
  #isDisposed = false;

  constructor({ git, directory, maxBytes }: { git: GitProgram; directory: string; maxBytes: number }) {
    this.#git = git;
    this.#directory = directory;
    this.#maxBytes = maxBytes;
  }

  /** `name`: an object's id or the full name of a reference, never client input. @throws Error if git cannot read it */
  read(name: string): Promise<ReadResult> {
    if (!/^[0-9a-zA-Z/]+$/.test(name)) return Promise.reject(new Error('Not the name of an object'));
    if (this.#isDisposed) return Promise.reject(new Error('The mirror is closed'));
    return new Promise((resolve, reject) => {
      const request = { name, failures: 0, resolve, reject };
      this.#waiting.push(request);
      this.#ask(request);
    });
  }

  /** Continues with a new process, which reopens the repository's files. */
  restart(): void {
    if (this.#process === undefined) return;
    this.#isReplacing = true;
    this.#process.kill('SIGKILL');
  }

  /** The process in use, for tests that kill it. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const child = this.#process;
    if (child === undefined) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  }

  #ask(request: Request): void {
    this.#process ??= this.#start();
    this.#process.stdin.write(`${request.name}\n`);
  }

  #start(): Process {
    const child = this.#git.spawn(['cat-file', '--batch'], { directory: this.#directory });
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    // A dying process first causes a broken pipe; `close` follows and handles it.
    child.stdin.on('error', () => {});
    child.stderr.resume();
    child.on('error', () => this.#ended(child));
    child.on('close', () => this.#ended(child));
    return child;
  }

  #ended(child: Process): void {
    if (this.#process !== child) return;
    this.#process = undefined;
    this.#line = [];
    this.#object = undefined;
    const [head] = this.#waiting;
    if (head !== undefined && !this.#isReplacing && ++head.failures >= 2) {
      this.#waiting.shift()?.reject(new Error('Git cannot read an object'));
    }
    this.#isReplacing = false;
    if (this.#isDisposed)
      for (const request of this.#waiting.splice(0)) request.reject(new Error('The mirror is closed'));
    for (const request of this.#waiting) this.#ask(request);
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#object === undefined ? this.#takeHeader(rest) : this.#takeBody(rest, this.#object);
    }
  }

  /** `<id> <type> <size>` or `<name> missing`, up to the end of the line. */
  #takeHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(10);
    if (end < 0) {
      this.#line.push(chunk);
      return Buffer.alloc(0);
    }
    const line = Buffer.concat([...this.#line, chunk.subarray(0, end)]).toString('latin1');
    this.#line = [];
    const [, id, type, digits] = /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(line) ?? [];
    const size = Number(digits);
    if (id === undefined || type === undefined) {
      this.#waiting.shift()?.resolve('missing');
    } else if (size > this.#maxBytes) {
      // Killing the process and starting another is cheaper than receiving a file of any size.
      this.#waiting.shift()?.resolve('too large');
      this.#process?.stdout.removeAllListeners('data').resume();
      this.restart();
      return Buffer.alloc(0);
    } else {
      // Includes the newline that follows every object. Not from the shared pool, because small objects would keep its slabs
      // allocated.
      this.#object = { id, type, size, bytes: Buffer.allocUnsafeSlow(size + 1), filled: 0 };
    }
    return chunk.subarray(end + 1);
  }

  #takeBody(chunk: Buffer, object: Arriving): Buffer {
    const taken = chunk.copy(object.bytes, object.filled);
    object.filled += taken;
    if (object.filled > object.size) {
      this.#object = undefined;
      const { id, type, size, bytes } = object;
      this.#waiting.shift()?.resolve({ id, type, bytes: bytes.subarray(0, size) });
    }
    return chunk.subarray(taken);
  }
}

/** Bytes of overhead per entry. */
const overhead = 200;

type ObjectStoreParts = {
  reader: ObjectReader;
  cacheBytes: number;
  repair: () => Promise<void>;
  errorOf: ErrorOf;
};

/** Objects by id, with a cache of recently used ones. An id identifies its content permanently, so entries never become stale. */
export class ObjectStore {
  readonly #reader: ObjectReader;
  readonly #repair: () => Promise<void>;
  readonly #errorOf: ErrorOf;
  readonly #cache: LRUCache<string, GitObject | 'too large'>;
  readonly #underWay = new Map<string, Promise<GitObject | 'too large'>>();

  /** `repair` is called if a required object is missing; the read is then retried once. */
  constructor({ reader, cacheBytes, repair, errorOf }: ObjectStoreParts) {
    this.#reader = reader;
    this.#repair = repair;
    this.#errorOf = errorOf;
    this.#cache = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: (object) => overhead + (object === 'too large' ? 0 : object.bytes.length),
    });
  }

  /** @throws the error of `damaged` if it could not be repaired */
  async read(id: string): Promise<GitObject | 'too large'> {
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    let reading = this.#underWay.get(id);
    if (reading === undefined) {
      reading = this.#load(id).finally(() => this.#underWay.delete(id));
      this.#underWay.set(id, reading);
    }
    return await reading;
  }

  async #load(id: string): Promise<GitObject | 'too large'> {
    let result = await this.#attempt(id);
    if (result === 'missing') {
      this.#reader.restart();
      result = await this.#attempt(id);
    }
    if (result === 'missing') {
      await this.#repair();
      result = await this.#attempt(id);
    }
    if (result === 'missing') throw this.#errorOf({ kind: 'damaged' });
    this.#cache.set(id, result);
    return result;
  }

  /** An object that git fails to read counts as missing. */
  async #attempt(id: string): Promise<ReadResult> {
    return await this.#reader.read(id).catch(() => 'missing' as const);
  }
}
