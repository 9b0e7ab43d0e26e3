import type { TerminalScreens } from '../../../packages/screens/terminal-screens.ts';
import type {
  ContainerShell,
  HolderLimits,
  ShellConnectionLostError,
  TerminalStream,
} from '../../../packages/ssh/container-shell.ts';
import { UnauthorizedError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { Claims } from '../auth/tokens.ts';
import type { Connections, Opened, Opening } from './connections.ts';
import type { TerminalContainer, TerminalContainers, TerminalObserver, TerminalRecorder } from './containers.ts';
import { beingReplaced, findReason } from './ending.ts';
import type { SessionHolds } from './held/holds.ts';
import type { HeldRecords } from './held/records.ts';
import type { Continued } from './held/sessions.ts';
import type { HeldStore } from './held/store.ts';
import { OutputScheduler } from './output/scheduler.ts';
import { closeCodes, type Size } from './protocol.ts';
import { type SessionOptions, TerminalSession } from './session.ts';
import type { SessionDeadlines } from './session-deadlines.ts';
import type { Sessions } from './sessions.ts';

export type SessionStartsParts = {
  shell: ContainerShell;
  screens: TerminalScreens;
  containers: TerminalContainers;
  /** Begins a recording of an exam attempt's terminal. */
  record?: (attemptId: number, size: Size) => TerminalRecorder;
  /** Observes the input of an exam attempt's terminal. */
  observe?: (attemptId: number) => TerminalObserver;
  connections: Connections;
  sessions: Sessions;
  deadlines: SessionDeadlines;
  holds: SessionHolds;
  records: HeldRecords;
  keepScreen: HeldStore['keepScreen'];
  keepHelperBytes: HeldStore['keepHelperBytes'];
  /** The user of the token's claims, while the token is valid. @throws UnauthorizedError */
  admit: (claims: Claims) => Caller | Promise<Caller>;
  log: { warn: (details: object, message: string) => void };
  onError: (error: unknown) => void;
  options: { resumeSeconds: number; holder: HolderLimits; floodBytesPerSecond: number };
};

/** Opens shells, makes sessions of them and forgets those that have ended. */
export class SessionStarts {
  readonly #parts: SessionStartsParts;
  readonly #turns: OutputScheduler;

  constructor(parts: SessionStartsParts) {
    this.#parts = parts;
    this.#turns = new OutputScheduler({ bytesPerSecond: parts.options.floodBytesPerSecond });
  }

  /**
   * Opens a shell. An attempt's container that was killed or ran out of memory is restarted: its files are still there.
   * @param how.isHeld whether the shell outlives its client and its process
   */
  async openShell(container: TerminalContainer, how: Omit<Opening, 'limits'>): Promise<Opened> {
    const { connections, containers, options } = this.#parts;
    const opening = { ...how, limits: options.holder };
    try {
      return await connections.open(container, opening);
    } catch (error) {
      if (error instanceof NoSuchContainerError && container.is_replaced_when_lost) throw beingReplaced(error);
      if (!container.is_of_attempt || !(error instanceof ContainerNotRunningError)) throw error;
      await containers.revive(container.ref);
      return await connections.open(container, opening);
    }
  }

  /** A session of a new shell. */
  async begin(
    shell: {
      caller: Caller;
      container: TerminalContainer;
      stream: TerminalStream;
      size: Size;
    } & Pick<SessionOptions, 'isPlain' | 'onEarlyEnd'>,
  ): Promise<TerminalSession> {
    const session = this.#create(shell);
    const { held } = shell.stream;
    if (held) await this.#parts.records.add(session, held.holder, shell.size);
    return session;
  }

  /** A session of a shell that another process has served. */
  continue({ row, container, caller, stream, restored }: Continued): TerminalSession {
    const { id, begun_at: begunAt } = row;
    const helperBytes = row.helper_bytes;
    const size = restored.sizes.last;
    const session = this.#create({ caller, container, stream, size, id, begunAt, restored, helperBytes });
    session.continue();
    return session;
  }

  #create({
    caller,
    container,
    helperBytes = 0,
    ...shell
  }: { helperBytes?: number } & Pick<SessionOptions, 'stream' | 'size'> &
    Partial<Pick<SessionOptions, 'id' | 'begunAt' | 'restored' | 'isPlain' | 'onEarlyEnd'>> &
    Pick<Continued, 'caller' | 'container'>): TerminalSession {
    const { screens, options, sessions, deadlines, holds, keepScreen, onError } = this.#parts;
    const { exam_attempt_id } = container;
    const observer = typeof exam_attempt_id === 'number' ? this.#parts.observe?.(exam_attempt_id) : undefined;
    const session = new TerminalSession({
      ...shell,
      ...(observer && { onInput: (bytes: Buffer) => observer.input(bytes) }),
      userId: caller.id,
      containerId: container.id,
      isOfAttempt: container.is_of_attempt ?? false,
      screens,
      turns: this.#turns,
      recorder: this.#recorder(container, shell.size),
      keptBytes: options.holder.bytes,
      resumeSeconds: resumeSecondsOf(container, options.resumeSeconds),
      findReason: (lost) => this.#findReason(caller, container.id, lost),
      keepScreen,
      typing: { ...this.#typingIn(caller.id, container.id), before: helperBytes },
      onEnd: (ended, isKept) => {
        observer?.end();
        this.#forget(ended, isKept);
      },
      onError,
    });
    sessions.add(session);
    deadlines.begin(session, container.expires_at);
    // The clock may have been stopped since the container was read.
    if (session.isOfAttempt) holds.follow();
    return session;
  }

  #typingIn(userId: number, containerId: number): Omit<SessionOptions['typing'], 'before'> {
    const { containers, admit, keepHelperBytes } = this.#parts;
    return {
      names: async ({ claims }) => {
        try {
          return await containers.typingAlong(await admit(claims), userId, containerId);
        } catch (error) {
          // The next check of its token closes the connection.
          if (error instanceof UnauthorizedError) return undefined;
          throw error;
        }
      },
      log: async ({ caller }, seconds) =>
        seconds === undefined
          ? await containers.logWatch(caller, containerId, 'terminal_type')
          : await containers.logWatch(caller, containerId, 'terminal_type_end', { seconds }),
      keep: keepHelperBytes,
    };
  }

  async #findReason(caller: Caller, container_id: number, lost?: ShellConnectionLostError) {
    const reason = await findReason(this.#parts, caller, container_id, lost);
    if (reason?.code === closeCodes.tryAgainLater)
      this.#parts.log.warn({ err: reason.cause, container_id }, 'the connection of a terminal was lost');
    return reason;
  }

  #recorder({ exam_attempt_id }: TerminalContainer, size: Size): TerminalRecorder | undefined {
    return typeof exam_attempt_id === 'number' ? this.#parts.record?.(exam_attempt_id, size) : undefined;
  }

  #forget(session: TerminalSession, isKept: boolean): void {
    const { sessions, deadlines, records } = this.#parts;
    sessions.delete(session);
    deadlines.forget(session);
    if (session.isHeld) records.end(session, isKept);
  }
}

/**
 * Seconds that a shell outlives its last connection. Null: that of an attempt ends with it, however long its student is away. Pauses and
 * breaks are no reason to lose work.
 */
export const resumeSecondsOf = ({ is_of_attempt }: TerminalContainer, configured: number): number | null =>
  is_of_attempt ? null : configured;
