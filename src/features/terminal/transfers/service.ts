import { Readable } from 'node:stream';
import { ConcurrencyLimiter } from '../../../../packages/limits/concurrency-limiter.ts';
import {
  type ContainerShell,
  type FilePlace,
  type FileRefusal,
  FileRefusedError,
  type ShellConnection,
  ShellConnectionLostError,
} from '../../../../packages/ssh/container-shell.ts';
import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  overloaded,
  ServiceError,
  TooManyRequestsError,
  UnavailableError,
} from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../../ports/container-engine.ts';
import type { TerminalContainer } from '../containers.ts';
import type { LoggedTransfer, TransferStore } from './store.ts';

export type TransferParts = {
  shell: ContainerShell;
  containers: {
    /** @throws NotFoundError */
    forTerminal(caller: Caller, containerId: number): Promise<TerminalContainer>;
    /** Whether an exam keeps the user from starting anything else. */
    isLockedDown(userId: number): Promise<boolean>;
    touch(containerId: number): Promise<void>;
  };
  store: Pick<TransferStore, keyof TransferStore>;
  limits: { maxBytes: number; seconds: number; perUser: number; max: number };
};

/** What the user asks for: a path, and the shell whose folder it begins in. */
type Asked = { path: string; session?: string | undefined };
type Upload = Asked & { is_replacing?: boolean | undefined };
/** Transfers that wait for a place, and how long. */
const [maxWaiting, maxWaitSeconds] = [100, 5];

type Transfer = {
  place: FilePlace;
  /** The first step on its connection. */
  first: <Result>(work: (connection: ShellConnection) => Promise<Result>) => Promise<Result>;
  end: () => void;
};

/** Milliseconds for the container to open a file. After that it is tried without the shell of the account. */
const firstPatience = 10_000;

const reasons: Record<FileRefusal, () => ServiceError> = {
  missing: () => new NotFoundError('file_not_found', 'The machine has no such file or folder'),
  denied: () => new ForbiddenError('file_denied', 'Your account on the machine may not read or write this file'),
  folder: () => new ConflictError('not_a_file', 'The path is that of a folder'),
  special: () => new ConflictError('not_a_file', 'Only regular files can be transferred'),
  exists: () => new ConflictError('file_exists', 'The machine has a file of this name'),
  large: () => new ConflictError('machine_file_too_large', 'The file is too large to be downloaded'),
  full: () => new ConflictError('file_not_stored', 'The machine could not store the file; its disk may be full'),
};

/**
 * Files between users and their containers. The container works with the rights of the user's account there. Each transfer has a connection
 * of its own, so that it does not delay what is typed.
 */
export class FileTransfers {
  readonly #parts: TransferParts;
  /** The users of the transfers that are under way or wait. */
  readonly #users: number[] = [];
  readonly #turns: ConcurrencyLimiter;

  constructor(parts: TransferParts) {
    this.#parts = parts;
    const limits = { concurrency: parts.limits.max, maxWaiting, maxWaitSeconds };
    this.#turns = new ConcurrencyLimiter(limits, overloaded('Too many files are being transferred'));
  }

  /** Bytes of a file. */
  get maxBytes(): number {
    return this.#parts.limits.maxBytes;
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError, TooManyRequestsError, UnavailableError. The content fails if the file cannot be read to its end */
  async download(caller: Caller, containerId: number, asked: Asked): Promise<{ path: string; content: Readable }> {
    const { maxBytes, seconds } = this.#parts.limits;
    const transfer = await this.#begin(caller, containerId, asked);
    try {
      const { path, bytes, content } = await transfer.first((connection) =>
        connection.readFile(transfer.place, { bytes: maxBytes, seconds }),
      );
      await this.#log({ type: 'file_download', userId: caller.id, containerId, path, bytes });
      return { path, content: Readable.from(content, { objectMode: false }).once('close', transfer.end) };
    } catch (error) {
      transfer.end();
      throw known(error);
    }
  }

  /**
   * @param bytes that the client has announced; undefined without `Content-Length`
   * @throws InvalidError, NotFoundError, ForbiddenError, ConflictError, ServiceError 413, TooManyRequestsError, UnavailableError, BadRequestError if less content arrives
   */
  async upload(caller: Caller, containerId: number, asked: Upload, bytes: number | undefined, content: Readable) {
    const { limits, containers } = this.#parts;
    if (bytes === undefined)
      throw new InvalidError([{ loc: ['header', 'content-length'], msg: 'Field required', type: 'missing' }]);
    if (bytes > limits.maxBytes)
      throw new ServiceError(413, 'file_too_large', `A file has at most ${limits.maxBytes} bytes`);
    if (await containers.isLockedDown(caller.id))
      throw new ConflictError('exam_locked_down', 'During this exam you cannot upload files');
    const transfer = await this.#begin(caller, containerId, asked);
    try {
      const file = { bytes, replaces: asked.is_replacing ?? false, seconds: limits.seconds };
      const { path, write } = await transfer.first((connection) => connection.writeFile(transfer.place, file));
      await this.#log({ type: 'file_upload', userId: caller.id, containerId, path, bytes });
      await write(whole(content));
      return { path, bytes };
    } catch (error) {
      throw known(error);
    } finally {
      transfer.end();
    }
  }

  async #log(transfer: LoggedTransfer): Promise<void> {
    const { containers, store } = this.#parts;
    await store.log(transfer);
    await containers.touch(transfer.containerId);
  }

  async #begin(caller: Caller, containerId: number, { path, session }: Asked): Promise<Transfer> {
    const { containers, shell, store, limits } = this.#parts;
    const container = await containers.forTerminal(caller, containerId);
    if (container.user_id !== caller.id) throw new NotFoundError('not_found', 'Container not found');
    checkWorking(container);
    const holder = session === undefined ? undefined : await store.holderOf(session, containerId, caller.id);
    const release = await this.#reserve(caller.id);
    try {
      let connection = await shell.connect(container.ref, container.account);
      // The container has the same limit, but its user could stop what enforces it.
      const timer = setTimeout(() => void connection[Symbol.asyncDispose](), 1000 * limits.seconds);
      const end = (): void => {
        clearTimeout(timer);
        release();
        void connection[Symbol.asyncDispose]();
      };
      const first: Transfer['first'] = async (work) => {
        const usual = connection;
        const giveUp = setTimeout(() => usual.isPlain || void usual[Symbol.asyncDispose](), firstPatience);
        try {
          return await work(connection);
        } catch (error) {
          // The shell of the account runs no commands, or never ends.
          if (!(error instanceof ShellConnectionLostError) || connection.isPlain) throw error;
          void connection[Symbol.asyncDispose]();
          connection = await shell.connect(container.ref, container.account, { isPlain: true });
          return await work(connection);
        } finally {
          clearTimeout(giveUp);
        }
      };
      return { first, place: { path, holder }, end };
    } catch (error) {
      release();
      throw known(error);
    }
  }

  /** Users take turns. @returns what ends the turn @throws TooManyRequestsError, UnavailableError after a wait */
  async #reserve(userId: number): Promise<() => void> {
    if (this.#users.filter((id) => id === userId).length >= this.#parts.limits.perUser)
      throw new TooManyRequestsError('too_many_requests', 'Too many files are being transferred', 5);
    this.#users.push(userId);
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const turn = async (): Promise<void> => {
      begun.resolve();
      await ended.promise;
    };
    this.#turns
      .run(turn, { client: `user:${userId}` })
      .catch(begun.reject)
      .finally(() => this.#users.splice(this.#users.indexOf(userId), 1));
    await begun.promise;
    return ended.resolve;
  }
}

/** @throws ConflictError, UnavailableError */
function checkWorking({ status, expires_at, is_full, is_held, is_being_replaced }: TerminalContainer): void {
  if (is_held)
    throw new ConflictError('terminal_held', 'The clock is stopped; files can be transferred when it continues');
  if (is_being_replaced)
    throw new UnavailableError('engine_unavailable', 'The machine of the container was lost; it is being replaced');
  const isOver = expires_at !== null && expires_at.getTime() <= Date.now();
  if (status !== 'running' || is_full || isOver) throw notRunning();
}

const notRunning = () => new ConflictError('container_not_running', 'The container is not running');

/** @throws BadRequestError if the client does not send all of it */
async function* whole(content: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch {
    throw new BadRequestError('bad_request', 'The file did not arrive completely');
  }
}

function known(error: unknown): unknown {
  if (error instanceof FileRefusedError) return reasons[error.reason]();
  if (error instanceof NoSuchContainerError || error instanceof ContainerNotRunningError) return notRunning();
  if (error instanceof ShellConnectionLostError)
    return new UnavailableError('engine_unavailable', 'The connection to the container was lost', { cause: error });
  return error;
}
