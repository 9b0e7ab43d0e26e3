import type { WebSocket } from 'ws';
import type { Caller } from '../../http/access.ts';
import { ContainerNotRunning, NoSuchContainer } from '../../ports/container-engine.ts';
import type { Claims } from '../auth/tokens.ts';
import type { ContainerShell, ShellConnectionLost, TerminalStream } from '../containers/container-shell.ts';
import { Admission } from './admission.ts';
import { TerminalClient } from './client.ts';
import { Connections } from './connections.ts';
import type { TerminalContainer, TerminalContainers, TerminalRecorder } from './containers.ts';
import { beingReplaced, checkRunning, closedBy, findReason, replacedNotice } from './ending.ts';
import { OutputTurns } from './output-turns.ts';
import type { PeerTerminals } from './peer-terminals.ts';
import { PeriodicChecks } from './periodic-checks.ts';
import { closeCodes, type Size, sizeRule, subprotocol, TerminalClosed } from './protocol.ts';
import type { RelayPasses } from './relay-passes.ts';
import { Relays } from './relays.ts';
import { TerminalSession } from './session.ts';
import { SessionDeadlines } from './session-deadlines.ts';
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
  sessions: RequestParts['sessions'] & {
    /** The user of the token's claims, while the token is valid. @throws Unauthorized */
    admit(claims: Claims): Caller | Promise<Caller>;
  };
  log: { warn: (details: object, message: string) => void; error: (details: object, message: string) => void };
  options: {
    perUser: number;
    max: number;
    resumeSeconds: number;
    pingSeconds: number;
    bufferBytes: number;
    /** The rate of all floods of output together. */
    floodBytesPerSecond: number;
  };
};

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
    peers.serve({
      find: (containerId, sessionId) => sessions.newest(containerId, sessionId)?.begunAt,
      count: (userId) => this.#admission.count(userId),
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

  /** From now on no shell is opened here. Those that are open continue. Clients that connect again reach another process. */
  openNoMore(): void {
    this.#opensNew = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#checks[Symbol.dispose]();
    const sockets = [...this.#relays.sockets, ...[...this.#clients].map(({ socket }) => socket)];
    for (const socket of this.#relays.sockets) socket.close(closeCodes.goingAway, 'The server is going away');
    const closed = sockets.map((socket) => new Promise((resolve) => void socket.once('close', resolve)));
    for (const session of this.#sessions.all()) session.end(goingAway());
    const timeout = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, 2000);
    await Promise.all([this.#connections[Symbol.asyncDispose](), ...closed]);
    clearTimeout(timeout);
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
    else this.#sessions.resumable(caller.id, container.id, asked.sessionId).resume(client, size);
    if (isOwn) this.#checks.touch(container.id);
  }

  /** The watch is recorded before the watcher receives any output. */
  async #watch(client: TerminalClient, containerId: number): Promise<void> {
    this.#sessions.watchable(containerId);
    await this.#parts.containers.logWatch(client.caller, containerId);
    this.#sessions.watchable(containerId).watch(client);
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
    const { caller } = client;
    using _reservation = await this.#admission.reserve(caller.id);
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
      onError: this.#onError,
    });
    this.#sessions.add(session);
    this.#deadlines.begin(session, container.expires_at);
    session.begin(client);
    if (container.replaced) client.tell(replacedNotice(container.replaced));
  }

  async #findReason(caller: Caller, container_id: number, lost?: ShellConnectionLost) {
    const reason = await findReason(this.#parts, caller, container_id, lost);
    if (reason?.code === closeCodes.tryAgainLater)
      this.#parts.log.warn({ err: reason.cause, container_id }, 'the connection of a terminal was lost');
    return reason;
  }

  /** An attempt's container that was killed or ran out of memory is restarted: its files are still there. */
  async #openStream(container: TerminalContainer, size: Size): Promise<TerminalStream> {
    try {
      return await this.#connections.open(container.ref, size);
    } catch (error) {
      if (error instanceof NoSuchContainer && container.is_replaced_when_lost) throw beingReplaced(error);
      if (!container.is_of_attempt || !(error instanceof ContainerNotRunning)) throw error;
      await this.#parts.containers.revive(container.ref);
      return await this.#connections.open(container.ref, size);
    }
  }

  #recorder({ exam_attempt_id }: TerminalContainer, size: Size): TerminalRecorder | undefined {
    return typeof exam_attempt_id === 'number' ? this.#parts.record?.(exam_attempt_id, size) : undefined;
  }

  #forget(session: TerminalSession): void {
    this.#sessions.delete(session);
    this.#deadlines.forget(session);
  }

  readonly #onError = (err: unknown): void => {
    this.#parts.log.error({ err }, 'unexpected error of a terminal');
  };
}
