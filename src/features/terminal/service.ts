import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { asClient } from '../../../packages/limits/request-client.ts';
import type { TerminalScreens } from '../../../packages/screens/terminal-screens.ts';
import type { ContainerShell, HolderLimits } from '../../../packages/ssh/container-shell.ts';
import { UnauthorizedError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { teacherOf } from '../../values/student-view.ts';
import type { Claims } from '../auth/tokens.ts';
import { Admission } from './admission.ts';
import { TerminalClient } from './client.ts';
import { Connections, type Opening } from './connections.ts';
import type { TerminalContainer, TerminalContainers, TerminalObserver, TerminalRecorder } from './containers.ts';
import { checkRunning, closedBy, heldNow, replacedNotice } from './ending.ts';
import { SessionHolds } from './held/holds.ts';
import { HeldRecords } from './held/records.ts';
import { HeldSessions } from './held/sessions.ts';
import type { HeldStore } from './held/store.ts';
import { closeCodes, type Size, sizeRule, subprotocol, TerminalClosedError } from './protocol.ts';
import type { RelayPasses } from './relays/passes.ts';
import type { PeerTerminals, ShellFacts } from './relays/peer-terminals.ts';
import { Relays, sessionForm } from './relays/relays.ts';
import type { TerminalSession } from './session.ts';
import { SessionDeadlines } from './session-deadlines.ts';
import { resumeSecondsOf, SessionStarts } from './session-starts.ts';
import { Sessions } from './sessions.ts';
import { identify, type RequestParts, type TerminalRequest } from './terminal-request.ts';

export type TerminalParts = {
  shell: ContainerShell;
  screens: TerminalScreens;
  containers: TerminalContainers;
  /** Begins a recording of an exam attempt's terminal. */
  record?: (attemptId: number, size: Size) => TerminalRecorder;
  /** Observes the input of an exam attempt's terminal. */
  observe?: (attemptId: number) => TerminalObserver;
  /** A terminal of an exam attempt is opened from a network. */
  seenFrom?: (attemptId: number, network: string) => void;
  /** The terminals of other processes. */
  peers: PeerTerminals;
  passes: RelayPasses;
  /** Shells that outlive their process. */
  held: { store: Pick<HeldStore, keyof HeldStore>; gone: () => Promise<number[]> };
  sessions: RequestParts['sessions'] & {
    /** The user of the token's claims, while the token is valid. @throws UnauthorizedError */
    admit(claims: Claims): Caller | Promise<Caller>;
  };
  log: { warn: (details: object, message: string) => void; error: (details: object, message: string) => void };
  options: {
    perUser: number;
    perContainer: number;
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
const goingAway = () => new TerminalClosedError(closeCodes.goingAway, 'The server is going away');

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
  readonly #starts: SessionStarts;
  readonly #checks: PeriodicChecks;
  #isStopping = false;
  #opensNew = true;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    const { shell, peers, passes, containers, log, options } = parts;
    const sessions = this.#sessions;
    this.#connections = new Connections(shell);
    this.#admission = new Admission({ sessions, peers, limits: options });
    this.#relays = new Relays({ sessions, peers, passes, log, bufferBytes: options.bufferBytes });
    this.#deadlines = new SessionDeadlines({ containers, log });
    this.#holds = new SessionHolds({ sessions, containers, log });
    this.#records = new HeldRecords({ store: parts.held.store, log });
    this.#starts = new SessionStarts({
      ...{ ...parts, sessions, connections: this.#connections, deadlines: this.#deadlines, holds: this.#holds },
      records: this.#records,
      keepScreen: (id, screen) => parts.held.store.keepScreen(id, screen),
      keepHelperBytes: (id, bytes) => parts.held.store.keepHelperBytes(id, bytes),
      admit: (claims) => parts.sessions.admit(claims),
      onError: this.#onError,
    });
    this.#held = new HeldSessions({
      ...{ ...parts.held, sessions, containers, log, connections: this.#connections },
      begin: (shell) => this.#starts.continue(shell),
    });
    peers.serve({
      find: async (containerId, sessionId) => {
        await this.#held.awaited(sessionId);
        return sessions.newest(containerId, sessionId)?.begunAt;
      },
      count: (userId) => this.#admission.count(userId),
      connected: (containerIds) => this.#connected(containerIds),
      shellsOf: (containerId) => sessions.shellsOf(containerId),
      endDetached: (userId, sessionId) => void this.#admission.endDetached(userId, sessionId),
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
      const { code, message, wait } = closedBy(error, this.#onError);
      if (socket.protocol === subprotocol) socket.send(JSON.stringify({ type: 'error', detail: message, code: wait }));
      socket.resume();
      socket.close(code, message);
    }
  }

  /** Warns the users with a terminal in a container that its disk is nearly full. */
  warnOfDisk(containerId: number): void {
    for (const session of this.#sessions.ofContainer(containerId)) {
      for (const client of session.clients) client.notify({ type: 'notice', reason: 'disk', seconds_left: null });
    }
  }

  /** Shows the users with a terminal in a container a message. */
  announce(containerId: number, text: string): void {
    for (const session of this.#sessions.ofContainer(containerId)) {
      for (const client of session.clients)
        client.notify({ type: 'notice', reason: 'message', seconds_left: null, text });
    }
  }

  /** Clocks have stopped or continued. */
  followHolds(): void {
    this.#holds.follow();
  }

  /** Those of these containers in which their user has a terminal open, in any process. */
  async connected(containerIds: readonly number[]): Promise<Set<number>> {
    return new Set([...this.#connected(containerIds), ...(await this.#parts.peers.connected(containerIds))]);
  }

  /** The open shells of a container, in any process, in the order of their start. @throws NotFoundError unless the caller may see it */
  async shellsOf(caller: Caller, containerId: number): Promise<ShellFacts[]> {
    const { id } = await this.#parts.containers.forTerminal(caller, containerId);
    const shells = [...this.#sessions.shellsOf(id), ...(await this.#parts.peers.shellsOf(id))];
    const known = new Set(shells.map((shell) => shell.id));
    // A shell whose end its client knows already is not offered as one that was left.
    await this.#records.settled();
    // Those of a process that has ended, which the next one takes over when they are asked for.
    for (const { id: left, begun_at } of await this.#parts.held.store.ofContainer(id))
      if (!known.has(left)) shells.push({ id: left, begunAt: begun_at.getTime(), isDetached: true });
    return shells.sort((a, b) => a.begunAt - b.begunAt);
  }

  /** From now on no shell is opened here. Those that are open continue. Clients that connect again reach another process. */
  stopAccepting(): void {
    this.#opensNew = false;
  }

  /** Takes over the shells that no living process serves. */
  async adoptOrphans(): Promise<void> {
    if (this.#opensNew) await this.#held.adoptOrphans();
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
    // Until here it was work of the network, from which a whole class may come.
    await asClient(`user:${asked.claims.view ?? asked.claims.personal ?? asked.claims.userId}`, () =>
      this.#openAs(socket, asked, request),
    );
  }

  async #openAs(socket: WebSocket, asked: ReturnType<typeof identify>, request: TerminalRequest): Promise<void> {
    const { isPlain = false, network } = request;
    const caller = await this.#parts.sessions.admit(asked.claims);
    if (caller.tokenScopes?.includes('write') === false)
      throw new TerminalClosedError(
        closeCodes.forbidden,
        'A personal token without the scope "write" opens no terminals',
      );
    if (caller.view && !teacherOf(caller))
      throw new TerminalClosedError(closeCodes.forbidden, "A view of a student's pages opens no terminals");
    const container = await this.#parts.containers.forTerminal(caller, asked.containerId ?? 0);
    const isOwn = container.user_id === caller.id;
    if (!isOwn && caller.tokenScopes?.includes('grades') === false)
      throw new TerminalClosedError(
        closeCodes.forbidden,
        'A personal token without the scope "grades" watches no terminals',
      );
    checkRunning(container);
    const { exam_attempt_id } = container;
    if (isOwn && !asked.isRelayed && network !== undefined && typeof exam_attempt_id === 'number')
      this.#parts.seenFrom?.(exam_attempt_id, network);
    const where = asked.isRelayed ? undefined : await this.#relays.find(container.id, isOwn, asked.sessionId);
    if (where !== undefined) return await this.#relays.connect(socket, where, { ...asked, containerId: container.id });
    const client = this.#newClient(socket, caller, asked.claims);
    if (asked.size === 'invalid') client.notify({ type: 'error', detail: sizeRule });
    const size = asked.size === 'invalid' ? undefined : asked.size;
    if (!isOwn) await this.#watch(client, container.id, asked.sessionId);
    else if (asked.sessionId === undefined)
      await this.#begin(client, container, { size: size ?? defaultSize, isPlain });
    else (await this.#resumable(caller, container.id, asked.sessionId)).resume(client, size);
    if (isOwn) this.#checks.touch(container.id);
  }

  /** The watch is recorded before the watcher receives any output. Without an id, the newest shell is watched. */
  async #watch(client: TerminalClient, containerId: number, sessionId: string | undefined): Promise<void> {
    const isFound = this.#sessions.newest(containerId, sessionId) !== undefined;
    if (!isFound && (sessionId === undefined || sessionForm.test(sessionId)))
      await this.#held.take(containerId, sessionId);
    this.#sessions.watchable(containerId, sessionId);
    await this.#parts.containers.logWatch(client.caller, containerId);
    this.#sessions.watchable(containerId, sessionId).watch(client);
  }

  /** A session of this process, or a shell whose process has ended. @throws TerminalClosedError unless the user has such a session */
  async #resumable(caller: Caller, containerId: number, sessionId: string): Promise<TerminalSession> {
    // What is typed in it would be lost, although the client would show it as connected.
    await this.#sessions.newest(containerId, sessionId)?.ending;
    const isHere = this.#sessions.newest(containerId, sessionId) !== undefined;
    // On that answer a client would open a new shell.
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

  async #begin(
    client: TerminalClient,
    container: TerminalContainer,
    { size, isPlain }: Pick<Opening, 'size' | 'isPlain'>,
  ): Promise<void> {
    if (!this.#opensNew) throw goingAway();
    if (container.is_held) throw heldNow();
    const { caller } = client;
    using _reservation = await this.#admission.reserve(caller.id, container.id);
    // A client without messages cannot come back, so its shell ends with it.
    const isHeld = client.hasMessages && resumeSecondsOf(container, this.#parts.options.resumeSeconds) !== 0;
    const opened = await this.#starts.openShell(container, { size, isHeld, isPlain });
    const stream = opened.terminal;
    const end = () => (stream.held ? stream.held.hangUp() : stream.destroy());
    if (this.#isStopping) {
      end();
      throw goingAway();
    }
    const session = await this.#starts.begin({
      ...{ caller, container, stream, size, isPlain: opened.isPlain },
      onEarlyEnd: opened.isPlain ? undefined : (left, lastSize) => void this.#openPlain(left, container.id, lastSize),
    });
    session.begin(client);
    if (container.replaced) client.notify(replacedNotice(container.replaced));
  }

  /** The account's own shell has ended at its start. Its client gets a plain one, on the same connection. */
  async #openPlain(client: TerminalClient, containerId: number, size: Size): Promise<void> {
    try {
      const container = await this.#parts.containers.forTerminal(client.caller, containerId);
      checkRunning(container);
      await this.#begin(client, container, { size, isPlain: true });
    } catch (error) {
      const { code, message } = closedBy(error, this.#onError);
      client.notify({ type: 'error', detail: message });
      client.close(code, message);
    }
  }

  readonly #onError = (err: unknown): void => {
    this.#parts.log.error({ err }, 'unexpected error of a terminal');
  };
}

type PeriodicChecksParts = {
  clients: ReadonlySet<TerminalClient>;
  sessions: Pick<Sessions, 'all'>;
  deadlines: Pick<SessionDeadlines, 'follow'>;
  containers: Pick<TerminalContainers, 'touch' | 'mayWatch'>;
  /** The user of the token's claims, while the token is valid. @throws UnauthorizedError */
  admit: (claims: Claims) => Caller | Promise<Caller>;
  log: { warn: (details: object, message: string) => void };
  seconds: number;
};

/** Every few seconds: whether clients answer, their tokens are valid, watchers may still watch and deadlines have moved; and that containers are in use. */
class PeriodicChecks implements Disposable {
  readonly #parts: PeriodicChecksParts;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: PeriodicChecksParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#run(), parts.seconds * 1000).unref();
  }

  /** Records that a container is in use. */
  touch(containerId: number, typedAt?: Date): void {
    const { containers, log } = this.#parts;
    containers.touch(containerId, typedAt).catch((err: unknown) => {
      log.warn({ err, container_id: containerId }, 'the use of a container could not be recorded');
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #run(): void {
    const { clients, sessions, deadlines } = this.#parts;
    for (const client of clients) client.beat();
    const used = new Map<number, Date | undefined>();
    for (const session of sessions.all()) {
      if (!session.isDetached) used.set(session.containerId, latest(used.get(session.containerId), session.typedAt));
      void deadlines.follow(session);
      for (const client of session.clients) void this.#checkClient(session, client);
    }
    for (const [containerId, typedAt] of used) this.touch(containerId, typedAt);
  }

  async #checkClient(session: TerminalSession, client: TerminalClient): Promise<void> {
    try {
      const { admit, containers } = this.#parts;
      const caller = await admit(client.claims);
      const { userId, containerId } = session;
      if (caller.id !== userId && !(await containers.mayWatch(caller, userId, containerId)))
        session.dismiss(client, closeCodes.forbidden, 'You may not watch terminals any more');
    } catch (error) {
      // A database that is unavailable now is queried again later.
      if (error instanceof UnauthorizedError) session.dismiss(client, closeCodes.token, error.message);
    }
  }
}

/** The later of two times, of which either can be missing. */
const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && (!other || one > other) ? one : other;
