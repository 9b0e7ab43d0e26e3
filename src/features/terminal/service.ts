import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Caller } from '../../http/access.ts';
import { ContainerNotRunning, NoSuchContainer } from '../../ports/container-engine.ts';
import type { Claims } from '../auth/tokens.ts';
import type {
  ContainerShell,
  HolderLimits,
  ShellConnectionLost,
  TerminalStream,
} from '../containers/container-shell.ts';
import { Admission } from './admission.ts';
import { TerminalClient } from './client.ts';
import { Connections } from './connections.ts';
import type { TerminalContainer, TerminalContainers, TerminalRecorder } from './containers.ts';
import { beingReplaced, checkRunning, closedBy, findReason, heldNow, replacedNotice } from './ending.ts';
import { HeldRecords } from './held-records.ts';
import { type Continued, HeldSessions } from './held-sessions.ts';
import type { HeldStore } from './held-store.ts';
import { OutputTurns } from './output-turns.ts';
import type { PeerTerminals } from './peer-terminals.ts';
import { PeriodicChecks } from './periodic-checks.ts';
import { closeCodes, type Size, sizeRule, subprotocol, TerminalClosed } from './protocol.ts';
import type { RelayPasses } from './relay-passes.ts';
import { Relays, sessionForm } from './relays.ts';
import { type SessionOptions, TerminalSession } from './session.ts';
import { SessionDeadlines } from './session-deadlines.ts';
import { SessionHolds } from './session-holds.ts';
import { Sessions } from './sessions.ts';
import { identify, type RequestParts, type TerminalRequest } from './terminal-request.ts';
import type { TerminalScreens } from './terminal-screens.ts';

export type TerminalParts = {
  shell: ContainerShell;
  screens: TerminalScreens;
  containers: TerminalContainers;
  /** Begins a recording of an exam attempt's terminal. */
  record?: (attemptId: number, size: Size) => TerminalRecorder;
  /** The terminals of other processes. */
  peers: PeerTerminals;
  passes: RelayPasses;
  /** Shells that outlive their process. */
  held: { store: Pick<HeldStore, keyof HeldStore>; gone: () => Promise<number[]> };
  sessions: RequestParts['sessions'] & {
    /** The user of the token's claims, while the token is valid. @throws Unauthorized */
    admit(claims: Claims): Caller | Promise<Caller>;
  };
  log: { warn: (details: object, message: string) => void; error: (details: object, message: string) => void };
  options: {
    perUser: number;
    max: number;
    resumeSeconds: number;
    /** Output that a container keeps for the next process, and for how many seconds it keeps a shell that no process serves. */
    holder: HolderLimits;
    pingSeconds: number;
    bufferBytes: number;
    /** The rate of all floods of output together. */
    floodBytesPerSecond: number;
  };
};

/** Milliseconds for the containers to receive what was typed before this process ends. */
const flushPatience = 1000;
const defaultSize: Size = { cols: 80, rows: 24 };
const goingAway = () => new TerminalClosed(closeCodes.goingAway, 'The server is going away');

/** All terminals of this process. Disposing ends them. Do that before the HTTP server closes, so that clients receive the reason. */
export class TerminalService implements AsyncDisposable {
  readonly #parts: TerminalParts;
  readonly #connections: Connections;
  readonly #sessions = new Sessions();
  readonly #admission: Admission;
  readonly #relays: Relays;
  readonly #deadlines: SessionDeadlines;
  readonly #holds: SessionHolds;
  readonly #held: HeldSessions;
  readonly #records: HeldRecords;
  readonly #clients = new Set<TerminalClient>();
  readonly #turns: OutputTurns;
  readonly #checks: PeriodicChecks;
  #isStopping = false;
  #opensNew = true;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    const { shell, peers, passes, containers, log, options } = parts;
    const sessions = this.#sessions;
    this.#turns = new OutputTurns({ bytesPerSecond: options.floodBytesPerSecond });
    this.#connections = new Connections(shell);
    this.#admission = new Admission({ sessions, peers, limits: options });
    this.#relays = new Relays({ sessions, peers, passes, bufferBytes: options.bufferBytes });
    this.#deadlines = new SessionDeadlines({ containers, log });
    this.#holds = new SessionHolds({ sessions, containers, log });
    this.#records = new HeldRecords({ store: parts.held.store, log });
    this.#held = new HeldSessions({
      ...{ ...parts.held, sessions, containers, log, connections: this.#connections },
      begin: (shell) => this.#continue(shell),
    });
    peers.serve({
      find: async (containerId, sessionId) => {
        await this.#held.awaited(sessionId);
        return sessions.newest(containerId, sessionId)?.begunAt;
      },
      count: (userId) => this.#admission.count(userId),
      connected: (containerIds) => this.#connected(containerIds),
      endDetached: (userId) => this.#admission.endDetached(userId),
    });
    this.#checks = new PeriodicChecks({
      ...{ clients: this.#clients, sessions, deadlines: this.#deadlines, containers, log },
      admit: (claims) => parts.sessions.admit(claims),
      seconds: options.pingSeconds,
    });
  }

  /** Open shells in this process, including those whose client may come back. */
  get openTerminals(): number {
    return this.#sessions.size;
  }

  /** Serves a newly accepted socket until it ends. Never throws: any error closes the socket with a code. */
  async serve(socket: WebSocket, request: TerminalRequest): Promise<void> {
    // Nothing is read before a listener exists, so nothing is lost.
    socket.pause();
    try {
      await this.#open(socket, request);
    } catch (error) {
      const { code, message } = closedBy(error, this.#onError);
      if (socket.protocol === subprotocol) socket.send(JSON.stringify({ type: 'error', detail: message }));
      socket.resume();
      socket.close(code, message);
    }
  }

  /** Warns the users with a terminal in a container that its disk is nearly full. */
  warnOfDisk(containerId: number): void {
    for (const session of this.#sessions.ofContainer(containerId)) {
      for (const client of session.clients) client.tell({ type: 'notice', reason: 'disk', seconds_left: null });
    }
  }

  /** Shows the users with a terminal in a container a message. */
  announce(containerId: number, text: string): void {
    for (const session of this.#sessions.ofContainer(containerId)) {
      for (const client of session.clients)
        client.tell({ type: 'notice', reason: 'message', seconds_left: null, text });
    }
  }

  /** Clocks stand still now, or go on. */
  followHolds(): void {
    this.#holds.follow();
  }

  /** Those of these containers in which their user has a terminal open, in any process. */
  async connected(containerIds: readonly number[]): Promise<Set<number>> {
    return new Set([...this.#connected(containerIds), ...(await this.#parts.peers.connected(containerIds))]);
  }

  /** From now on no shell is opened here. Those that are open continue. Clients that connect again reach another process. */
  openNoMore(): void {
    this.#opensNew = false;
  }

  /** Takes over the shells that no living process serves. */
  async takeLeft(): Promise<void> {
    if (this.#opensNew) await this.#held.takeLeft();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#opensNew = false;
    this.#held.stop();
    this.#checks[Symbol.dispose]();
    this.#holds[Symbol.dispose]();
    const sockets = [...this.#relays.sockets, ...[...this.#clients].map(({ socket }) => socket)];
    for (const socket of this.#relays.sockets) socket.close(closeCodes.goingAway, 'The server is going away');
    const closed = sockets.map((socket) => new Promise((resolve) => void socket.once('close', resolve)));
    const flushed = Promise.all(this.#sessions.all().map((session) => session.flushInput()));
    await Promise.race([flushed, delay(flushPatience, undefined, { ref: false })]);
    for (const session of this.#sessions.all()) session.release(goingAway());
    await this.#records.settled();
    const timeout = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, 2000);
    await Promise.all([this.#connections[Symbol.asyncDispose](), ...closed]);
    clearTimeout(timeout);
  }

  #connected(containerIds: readonly number[]): number[] {
    const asked = new Set(containerIds);
    const open = this.#sessions.all().filter((session) => !session.isDetached && asked.has(session.containerId));
    return open.map(({ containerId }) => containerId);
  }

  async #open(socket: WebSocket, request: TerminalRequest): Promise<void> {
    if (this.#isStopping) throw goingAway();
    const asked = identify(this.#parts, socket.protocol, request);
    const caller = await this.#parts.sessions.admit(asked.claims);
    const container = await this.#parts.containers.forTerminal(caller, asked.containerId ?? 0);
    checkRunning(container);
    const isOwn = container.user_id === caller.id;
    const where = asked.isRelayed ? undefined : await this.#relays.find(container.id, isOwn, asked.sessionId);
    if (where !== undefined) return await this.#relays.connect(socket, where, { ...asked, containerId: container.id });
    const client = this.#newClient(socket, caller, asked.claims);
    if (asked.size === 'invalid') client.tell({ type: 'error', detail: sizeRule });
    const size = asked.size === 'invalid' ? undefined : asked.size;
    if (!isOwn) await this.#watch(client, container.id);
    else if (asked.sessionId === undefined) await this.#begin(client, container, size ?? defaultSize);
    else (await this.#resumable(caller, container.id, asked.sessionId)).resume(client, size);
    if (isOwn) this.#checks.touch(container.id);
  }

  /** The watch is recorded before the watcher receives any output. */
  async #watch(client: TerminalClient, containerId: number): Promise<void> {
    if (!this.#sessions.newest(containerId)) await this.#held.take(containerId, undefined);
    this.#sessions.watchable(containerId);
    await this.#parts.containers.logWatch(client.caller, containerId);
    this.#sessions.watchable(containerId).watch(client);
  }

  /** A session of this process, or a shell whose process has ended. @throws TerminalClosed unless the user has such a session */
  async #resumable(caller: Caller, containerId: number, sessionId: string): Promise<TerminalSession> {
    const isHere = this.#sessions.newest(containerId, sessionId) !== undefined;
    // A client that is told that there is no such session would open a new shell.
    if (!isHere && !this.#opensNew) throw goingAway();
    if (!isHere && sessionForm.test(sessionId)) await this.#held.take(containerId, sessionId, caller.id);
    return this.#sessions.resumable(caller.id, containerId, sessionId);
  }

  #newClient(socket: WebSocket, caller: Caller, claims: Claims): TerminalClient {
    const { bufferBytes } = this.#parts.options;
    const client = new TerminalClient({
      socket,
      caller,
      claims,
      hasMessages: socket.protocol === subprotocol,
      bufferBytes,
    });
    // A socket that closed during the lookup emits no further close event, and the shutdown would wait for it.
    if (socket.readyState !== socket.CLOSED) this.#clients.add(client);
    socket.once('close', () => this.#clients.delete(client));
    return client;
  }

  async #begin(client: TerminalClient, container: TerminalContainer, size: Size): Promise<void> {
    if (!this.#opensNew) throw goingAway();
    if (container.is_held) throw heldNow();
    const { caller } = client;
    using _reservation = await this.#admission.reserve(caller.id);
    // A client without messages cannot come back, so its shell ends with it.
    const isHeld = client.hasMessages && this.#parts.options.resumeSeconds > 0;
    const stream = await this.#openStream(container, size, isHeld);
    const end = () => (stream.held ? stream.held.hangUp() : stream.destroy());
    if (this.#isStopping) {
      end();
      throw goingAway();
    }
    const session = this.#newSession({ caller, container, stream, size });
    if (stream.held) await this.#records.add(session, stream.held.holder, size);
    session.begin(client);
    if (container.replaced) client.tell(replacedNotice(container.replaced));
  }

  /** A shell that another process has served. */
  #continue({ row, container, caller, stream, restored }: Continued): TerminalSession {
    const { id, begun_at: begunAt } = row;
    const session = this.#newSession({ caller, container, stream, size: restored.sizes.last, id, begunAt, restored });
    session.continue();
    return session;
  }

  #newSession({
    caller,
    container,
    ...shell
  }: Pick<SessionOptions, 'stream' | 'size'> &
    Partial<Pick<SessionOptions, 'id' | 'begunAt' | 'restored'>> &
    Pick<Continued, 'caller' | 'container'>): TerminalSession {
    const { screens, options, held } = this.#parts;
    const session = new TerminalSession({
      ...shell,
      userId: caller.id,
      containerId: container.id,
      isOfAttempt: container.is_of_attempt ?? false,
      screens,
      turns: this.#turns,
      recorder: this.#recorder(container, shell.size),
      keptBytes: options.holder.bytes,
      resumeSeconds: options.resumeSeconds,
      findReason: (lost) => this.#findReason(caller, container.id, lost),
      keepScreen: (sessionId, screen) => held.store.keepScreen(sessionId, screen),
      onEnd: (ended, isKept) => this.#forget(ended, isKept),
      onError: this.#onError,
    });
    this.#sessions.add(session);
    this.#deadlines.begin(session, container.expires_at);
    // The clock may have been stopped since the container was read.
    if (session.isOfAttempt) this.#holds.follow();
    return session;
  }

  async #findReason(caller: Caller, container_id: number, lost?: ShellConnectionLost) {
    const reason = await findReason(this.#parts, caller, container_id, lost);
    if (reason?.code === closeCodes.tryAgainLater)
      this.#parts.log.warn({ err: reason.cause, container_id }, 'the connection of a terminal was lost');
    return reason;
  }

  /** An attempt's container that was killed or ran out of memory is restarted: its files are still there. */
  async #openStream(container: TerminalContainer, size: Size, isHeld: boolean): Promise<TerminalStream> {
    const limits = isHeld ? this.#parts.options.holder : undefined;
    try {
      return await this.#connections.open(container, size, limits);
    } catch (error) {
      if (error instanceof NoSuchContainer && container.is_replaced_when_lost) throw beingReplaced(error);
      if (!container.is_of_attempt || !(error instanceof ContainerNotRunning)) throw error;
      await this.#parts.containers.revive(container.ref);
      return await this.#connections.open(container, size, limits);
    }
  }

  #recorder({ exam_attempt_id }: TerminalContainer, size: Size): TerminalRecorder | undefined {
    return typeof exam_attempt_id === 'number' ? this.#parts.record?.(exam_attempt_id, size) : undefined;
  }

  #forget(session: TerminalSession, isKept: boolean): void {
    this.#sessions.delete(session);
    this.#deadlines.forget(session);
    if (session.isHeld) this.#records.end(session, isKept);
  }

  readonly #onError = (err: unknown): void => {
    this.#parts.log.error({ err }, 'unexpected error of a terminal');
  };
}
