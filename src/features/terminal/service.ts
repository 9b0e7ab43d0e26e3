import type { WebSocket } from 'ws';
import { NotFound, Unauthorized, Unavailable } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import { ContainerNotRunning } from '../../ports/container-engine.ts';
import type { Claims } from '../auth/tokens.ts';
import { type ContainerShell, ShellConnectionLost, type TerminalStream } from '../containers/container-shell.ts';
import { TerminalClient } from './client.ts';
import { Connections } from './connections.ts';
import type { TerminalContainer, TerminalContainers, TerminalRecorder } from './containers.ts';
import type { Counts, Elsewhere, Found } from './elsewhere.ts';
import { asClosed, checkRunning, findReason } from './ending.ts';
import { OutputTurns } from './output-turns.ts';
import { closeCodes, type Size, sizeRule, subprotocol, TerminalClosed } from './protocol.ts';
import { relay } from './relay.ts';
import type { RelayPass, RelayPasses } from './relay-passes.ts';
import { TerminalSession } from './session.ts';
import type { TerminalScreens } from './terminal-screens.ts';
import { TimeNotices } from './time-notices.ts';

export type TerminalParts = {
  shell: ContainerShell;
  screens: TerminalScreens;
  containers: TerminalContainers;
  /** Begins a recording of an exam attempt's terminal. */
  record?: (attemptId: number, size: Size) => TerminalRecorder;
  /** The terminals of other processes. */
  elsewhere: Elsewhere;
  passes: RelayPasses;
  sessions: {
    /** What a token says. @throws Unauthorized */
    claimsOf(token: string): Claims;
    /** Whose token it was, as long as it is good. @throws Unauthorized */
    admit(claims: Claims): Caller | Promise<Caller>;
  };
  log: { warn: (details: object, message: string) => void; error: (details: object, message: string) => void };
  options: {
    perUser: number;
    max: number;
    resumeSeconds: number;
    pingSeconds: number;
    bufferBytes: number;
  };
};

/** What a client asked for in the address. */
export type TerminalRequest = {
  /** Undefined where the address names none. */
  containerId: number | undefined;
  token: string;
  /** Invalid where it was given and makes no sense. */
  size: Size | 'invalid' | undefined;
  sessionId: string | undefined;
  /** Of another process, which has found the terminal here. Where there is one, it counts and not the address. */
  pass: string | undefined;
};

/** What is asked for, once it is known who asks. */
type Asked = Omit<RelayPass, 'containerId' | 'protocol'> & { containerId: number | undefined; isRelayed: boolean };

const defaultSize: Size = { cols: 80, rows: 24 };
const sessionForm = /^[\w-]{1,64}$/;
const goingAway = () => new TerminalClosed(closeCodes.goingAway, 'The server is going away');

/** All terminals of this process. Disposing ends them; do that before the HTTP server closes, so that clients learn why. */
export class TerminalService implements AsyncDisposable {
  readonly #parts: TerminalParts;
  readonly #connections: Connections;
  readonly #sessions = new Map<string, TerminalSession>();
  readonly #notices = new Map<TerminalSession, TimeNotices>();
  readonly #clients = new Set<TerminalClient>();
  /** Users' ids, once for each terminal that is being opened. */
  readonly #opening: number[] = [];
  readonly #turns = new OutputTurns();
  readonly #relays = new Set<WebSocket>();
  readonly #ticker: NodeJS.Timeout;
  #isStopping = false;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    this.#connections = new Connections(parts.shell);
    parts.elsewhere.serve({
      find: (containerId, sessionId) => this.#newest(containerId, sessionId)?.begunAt,
      count: (userId) => this.#count(userId),
      giveWay: (userId) => this.#giveWay(userId),
    });
    this.#ticker = setInterval(() => this.#tick(), parts.options.pingSeconds * 1000).unref();
  }

  /** Shells that are open in this process, also those whose client may come back. */
  get openTerminals(): number {
    return this.#sessions.size;
  }

  /** Serves a socket that was accepted just now, to its end. Never throws: whatever goes wrong closes the socket with a code. */
  async serve(socket: WebSocket, request: TerminalRequest): Promise<void> {
    // Nothing is read, and so nothing lost, before there is somebody to hear it.
    socket.pause();
    try {
      await this.#open(socket, request);
    } catch (error) {
      const { code, message } = this.#closedBy(error);
      if (socket.protocol === subprotocol) socket.send(JSON.stringify({ type: 'error', detail: message }));
      socket.resume();
      socket.close(code, message);
    }
  }

  /** Tells those who have a terminal in a container that its disk is nearly full. */
  warnOfDisk(containerId: number): void {
    for (const session of this.#sessions.values()) {
      if (session.containerId !== containerId) continue;
      for (const client of session.clients) client.tell({ type: 'notice', reason: 'disk', seconds_left: null });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#ticker);
    const sockets = [...this.#relays, ...[...this.#clients].map(({ socket }) => socket)];
    for (const socket of this.#relays) socket.close(closeCodes.goingAway, 'The server is going away');
    const closed = sockets.map((socket) => new Promise((resolve) => void socket.once('close', resolve)));
    for (const session of [...this.#sessions.values()]) session.end(goingAway());
    const timeout = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, 2000);
    await Promise.all([this.#connections[Symbol.asyncDispose](), ...closed]);
    clearTimeout(timeout);
  }

  async #open(socket: WebSocket, request: TerminalRequest): Promise<void> {
    if (this.#isStopping) throw goingAway();
    const asked = this.#asked(socket, request);
    const caller = await this.#parts.sessions.admit(asked.claims);
    const container = await this.#parts.containers.forTerminal(caller, asked.containerId ?? 0);
    checkRunning(container);
    const isOwn = container.user_id === caller.id;
    const where = asked.isRelayed ? undefined : await this.#elsewhere(container.id, isOwn, asked.sessionId);
    if (where !== undefined) return await this.#relay(socket, where, { ...asked, containerId: container.id });
    const client = this.#newClient(socket, caller, asked.claims);
    if (asked.size === 'invalid') client.tell({ type: 'error', detail: sizeRule });
    const size = asked.size === 'invalid' ? undefined : asked.size;
    if (!isOwn) await this.#watch(client, container.id);
    else if (asked.sessionId === undefined) await this.#begin(client, container, size ?? defaultSize);
    else this.#resumable(caller.id, container.id, asked.sessionId).resume(client, size);
    if (isOwn) this.#touch(container.id);
  }

  /** Whoever asks over another process is known by its pass alone, everybody else by the token alone. */
  #asked(socket: WebSocket, { pass, token, containerId, size, sessionId }: TerminalRequest): Asked {
    const { passes, sessions, log } = this.#parts;
    if (pass === undefined) return { claims: sessions.claimsOf(token), containerId, size, sessionId, isRelayed: false };
    try {
      return { ...passes.accept(pass, { containerId, protocol: socket.protocol }), isRelayed: true };
    } catch (error) {
      // A stranger's; or a process of ours that has another key, which somebody has to be told.
      log.warn({ container_id: containerId }, 'a request of another process was refused: all need the same SECRET_KEY');
      throw error;
    }
  }

  /** Where the terminal that is asked for is, unless it is here: the session that is taken up again, or the newest to watch. */
  async #elsewhere(containerId: number, isOwn: boolean, sessionId: string | undefined): Promise<Found | undefined> {
    if (isOwn && (sessionId === undefined || !sessionForm.test(sessionId))) return undefined;
    const wanted = isOwn ? sessionId : undefined;
    const here = this.#newest(containerId, wanted);
    if (here && isOwn) return undefined;
    const there = await this.#parts.elsewhere.find(containerId, wanted);
    return there && there.begunAt > (here?.begunAt ?? 0) ? there : undefined;
  }

  async #relay(
    socket: WebSocket,
    { url, challenge }: Found,
    { containerId, claims, size, sessionId }: Omit<RelayPass, 'protocol'>,
  ): Promise<void> {
    this.#relays.add(socket);
    const { passes, options } = this.#parts;
    await relay(socket, {
      url: `${url.replace(/^http/, 'ws')}/ws/terminal/${containerId}`,
      pass: passes.sign(challenge, { containerId, protocol: socket.protocol, claims, size, sessionId }),
      bufferBytes: options.bufferBytes,
    });
    this.#relays.delete(socket);
  }

  /** Nobody sees anything before it is recorded that they look. */
  async #watch(client: TerminalClient, containerId: number): Promise<void> {
    this.#watchable(containerId);
    await this.#parts.containers.logWatch(client.caller, containerId);
    this.#watchable(containerId).watch(client);
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
    // One that has gone while it was looked up tells of no end any more: it would be waited for at ours.
    if (socket.readyState !== socket.CLOSED) this.#clients.add(client);
    socket.once('close', () => this.#clients.delete(client));
    return client;
  }

  async #begin(client: TerminalClient, container: TerminalContainer, size: Size): Promise<void> {
    const { caller } = client;
    await this.#reserve(caller.id);
    try {
      const stream = await this.#openStream(container, size);
      if (this.#isStopping) {
        stream.destroy();
        throw goingAway();
      }
      const { screens, options } = this.#parts;
      const session = new TerminalSession({
        userId: caller.id,
        containerId: container.id,
        stream,
        size,
        screens,
        turns: this.#turns,
        recorder: this.#recorder(container, size),
        resumeSeconds: options.resumeSeconds,
        findReason: (lost) => this.#findReason(caller, container.id, lost),
        onEnd: (ended) => this.#forget(ended),
        onError: (err) => this.#parts.log.error({ err }, 'unexpected error of a terminal'),
      });
      this.#sessions.set(session.id, session);
      this.#notices.set(
        session,
        new TimeNotices(container.expires_at, (seconds) => void this.#timePasses(session, seconds)),
      );
      session.begin(client);
    } finally {
      this.#opening.splice(this.#opening.indexOf(caller.id), 1);
    }
  }

  async #findReason(caller: Caller, container_id: number, lost?: ShellConnectionLost) {
    const reason = await findReason(this.#parts, caller, container_id, lost);
    if (reason?.code === closeCodes.tryAgainLater)
      this.#parts.log.warn({ err: reason.cause, container_id }, 'the connection of a terminal was lost');
    return reason;
  }

  /** The container of an attempt that was killed or ran out of memory is started again: what was made in it is still there. */
  async #openStream(container: TerminalContainer, size: Size): Promise<TerminalStream> {
    try {
      return await this.#connections.open(container.ref, size);
    } catch (error) {
      if (!container.is_of_attempt || !(error instanceof ContainerNotRunning)) throw error;
      await this.#parts.containers.revive(container.ref);
      return await this.#connections.open(container.ref, size);
    }
  }

  #recorder({ exam_attempt_id }: TerminalContainer, size: Size): TerminalRecorder | undefined {
    return typeof exam_attempt_id === 'number' ? this.#parts.record?.(exam_attempt_id, size) : undefined;
  }

  /**
   * Counts a terminal among those of its user from here on, until it is taken out of `#opening`. A shell that its user has left
   * gives way to it, in whichever process. @throws TerminalClosed when there are too many
   */
  async #reserve(userId: number): Promise<void> {
    const { elsewhere, options } = this.#parts;
    const there = await elsewhere.count(userId);
    // From here to the reservation nothing is waited for: of two that open at once the second counts the first.
    const here = this.#count(userId);
    const isRoom = here.user + there.user < options.perUser && here.all + there.all < options.max;
    if (!isRoom && here.left + there.left === 0)
      throw new TerminalClosed(closeCodes.tooMany, 'Too many terminals are open');
    this.#opening.push(userId);
    if (isRoom) return;
    if (here.left > 0) this.#giveWay(userId);
    else await elsewhere.giveWay(userId);
  }

  #count(userId: number): Counts {
    const own = [...this.#sessions.values()].filter((session) => session.userId === userId);
    const opening = this.#opening.filter((id) => id === userId).length;
    return {
      user: own.length + opening,
      all: this.#sessions.size + this.#opening.length,
      left: own.filter(({ isDetached }) => isDetached).length,
    };
  }

  #giveWay(userId: number): void {
    const left = [...this.#sessions.values()].find((session) => session.userId === userId && session.isDetached);
    left?.end(new TerminalClosed(closeCodes.shellEnded, 'A newer terminal took its place'));
  }

  #newest(containerId: number, sessionId?: string): TerminalSession | undefined {
    return [...this.#sessions.values()].findLast(
      (session) => session.containerId === containerId && (sessionId === undefined || session.id === sessionId),
    );
  }

  #resumable(userId: number, containerId: number, id: string): TerminalSession {
    const session = this.#sessions.get(id);
    if (session?.userId === userId && session.containerId === containerId) return session;
    throw new TerminalClosed(closeCodes.noContainer, 'There is no such terminal session');
  }

  #watchable(containerId: number): TerminalSession {
    const session = this.#newest(containerId);
    if (session) return session;
    throw new TerminalClosed(closeCodes.noContainer, 'No terminal is open in this container');
  }

  async #timePasses(session: TerminalSession, seconds_left: number): Promise<void> {
    if (await this.#followDeadline(session)) return;
    for (const client of session.clients) client.tell({ type: 'notice', reason: 'time', seconds_left });
    if (seconds_left === 0) session.end(new TerminalClosed(closeCodes.containerGone, 'Time is over'));
  }

  /** @returns whether the end has moved, of which the clients are told */
  async #followDeadline(session: TerminalSession): Promise<boolean> {
    const { containers, log } = this.#parts;
    const expiresAt = await containers.deadline(session.containerId).catch((err: unknown) => {
      log.warn({ err, container_id: session.containerId }, 'the end of a container could not be read');
      return undefined;
    });
    const left = expiresAt === undefined ? undefined : this.#notices.get(session)?.follow(expiresAt);
    if (left === undefined) return false;
    const seconds_left = Number.isFinite(left) ? left : null;
    for (const client of session.clients) client.tell({ type: 'notice', reason: 'time', seconds_left });
    return true;
  }

  #forget(session: TerminalSession): void {
    this.#sessions.delete(session.id);
    this.#notices.get(session)?.[Symbol.dispose]();
    this.#notices.delete(session);
  }

  #tick(): void {
    for (const client of this.#clients) client.beat();
    const used = new Set<number>();
    for (const session of this.#sessions.values()) {
      if (!session.isDetached) used.add(session.containerId);
      void this.#followDeadline(session);
      for (const client of session.clients) void this.#checkToken(session, client);
    }
    for (const containerId of used) this.#touch(containerId);
  }

  async #checkToken(session: TerminalSession, client: TerminalClient): Promise<void> {
    try {
      const { id, role } = await this.#parts.sessions.admit(client.claims);
      if (id !== session.userId && role === 'student')
        session.dismiss(client, closeCodes.forbidden, 'You may not watch terminals any more');
    } catch (error) {
      // A database that cannot be asked now is asked again.
      if (error instanceof Unauthorized) session.dismiss(client, closeCodes.token, error.message);
    }
  }

  #touch(containerId: number): void {
    this.#parts.containers.touch(containerId).catch((err: unknown) => {
      this.#parts.log.warn({ err, container_id: containerId }, 'the use of a container could not be recorded');
    });
  }

  #closedBy(error: unknown): TerminalClosed {
    const known = asClosed(error);
    if (known instanceof TerminalClosed) return known;
    if (error instanceof Unauthorized) return new TerminalClosed(closeCodes.token, error.message);
    if (error instanceof NotFound) return new TerminalClosed(closeCodes.noContainer, 'Container not found');
    if (error instanceof Unavailable) return new TerminalClosed(closeCodes.tryAgainLater, error.message);
    if (error instanceof ShellConnectionLost) return new TerminalClosed(closeCodes.tryAgainLater, error.message);
    this.#parts.log.error({ err: error }, 'unexpected error of a terminal');
    return new TerminalClosed(closeCodes.unexpected, 'Internal Server Error');
  }
}
