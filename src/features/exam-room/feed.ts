import type { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import { newEventStream, writeComment, writeEvent } from '../../../packages/limits/event-stream.ts';
import {
  ForbiddenError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
} from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import {
  type RoomSession,
  type RoomStore,
  type RoomStudent,
  type StudentInRoom,
  seenBy,
  sessionSeenBy,
} from './store.ts';

export type RoomFeedParts = {
  store: Pick<RoomStore, 'checkAccess' | 'session' | 'students'>;
  /** Those of these containers in which a student has a terminal open, in any process. */
  connected: (containerIds: readonly number[]) => Promise<Set<number>>;
  /** Called again and again while a member of staff watches the room of this session. */
  watched: (sessionId: number) => Promise<void>;
  options: {
    /** Milliseconds after which a room is read although nothing was reported: terminals open and close without a report. */
    interval: number;
    /** Streams at once in this process. */
    maxWatchers: number;
    /** Of one user, in this process. */
    maxWatchersPerUser?: number;
  };
  log: FastifyBaseLogger;
};

/** Whether a terminal of a student is open. */
type Connection = { is_connected: boolean };
/** A session, and everybody in it. */
type Room = { session: RoomSession; students: (StudentInRoom & Connection)[] };
/** What is new in a room. `gone` are the ids of users who are no longer in it. */
type RoomChange = { session?: RoomSession; students: Room['students']; gone: number[] };

type Watcher = { stream: PassThrough; admit: () => Caller | Promise<Caller>; caller: Caller };
type Watched = {
  watchers: Set<Watcher>;
  last: Room | undefined;
  timer: NodeJS.Timeout;
  rounds: CoalescingRunner;
  /** What to read again: the whole room, or these users. */
  stale: 'room' | Set<number> | undefined;
};

/** Milliseconds in which changes are put together: sixty students start at the same moment. */
const pause = 250;
/** Streams of one user: some tabs, each with a room. */
const usualPerUser = 10;
/** Bytes that a client may leave unread. It then connects again and begins with the whole room. */
const maxUnread = 4 * 1024 * 1024;

/**
 * Streams the room of an exam session to those who supervise it. Processes are notified of changes by the database. One read serves all
 * watchers of a room in a process, and nothing is read without watchers. A change of some students costs a read of these students.
 */
export class RoomFeed implements AsyncDisposable {
  readonly #parts: RoomFeedParts;
  readonly #rooms = new Map<number, Watched>();
  /** Streams of each user, and those that are about to begin. */
  readonly #watching = new Map<number, number>();
  readonly #end = new AbortController();

  constructor(parts: RoomFeedParts) {
    this.#parts = parts;
  }

  /** @throws NotFoundError, ForbiddenError */
  async read(caller: Caller, id: number): Promise<ReturnType<typeof shownTo<Room>>> {
    await this.#parts.store.checkAccess(caller, id);
    return shownTo(caller, await this.#read(id));
  }

  /**
   * Server-sent events: `room` with all that `read` returns, then `change` with what has changed. The stream ends when its watcher may no
   * longer see the room.
   * @param admit the caller, as long as the request's token is valid @throws UnauthorizedError
   * @throws NotFoundError, ForbiddenError, UnavailableError or TooManyRequestsError with too many watchers
   */
  async watch(id: number, admit: Watcher['admit']): Promise<Readable> {
    const caller = await admit();
    // Before the room is read, so that many requests at once read no more rooms than they may watch.
    const leave = this.#enter(caller.id);
    try {
      return await this.#watch(id, caller, admit, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** @returns what gives the place back @throws UnavailableError, TooManyRequestsError */
  #enter(userId: number): () => void {
    const { maxWatchers, maxWatchersPerUser = usualPerUser } = this.#parts.options;
    const own = this.#watching.get(userId) ?? 0;
    const all = [...this.#watching.values()].reduce((sum, count) => sum + count, 0);
    if (own >= maxWatchersPerUser)
      throw new TooManyRequestsError('too_many_requests', 'Too many of your pages watch exam rooms', 30);
    if (all >= maxWatchers)
      throw new UnavailableError('overloaded', 'Too many exam rooms are being watched', { retryAfter: 30 });
    this.#watching.set(userId, own + 1);
    return () => {
      const left = (this.#watching.get(userId) ?? 0) - 1;
      if (left > 0) this.#watching.set(userId, left);
      else this.#watching.delete(userId);
    };
  }

  async #watch(id: number, caller: Caller, admit: Watcher['admit'], leave: () => void): Promise<Readable> {
    await this.#parts.store.checkAccess(caller, id);
    const room = await this.#read(id);
    const watcher: Watcher = { stream: newEventStream(maxUnread), admit, caller };
    const watched = this.#rooms.get(id) ?? this.#begin(id);
    this.#send(watcher, 'room', room);
    // The others may have been sent changes since this room was read.
    const missed = watched.last && differencesOf(room, watched.last);
    if (missed) this.#send(watcher, 'change', missed);
    watched.last ??= room;
    watched.watchers.add(watcher);
    watcher.stream.once('close', () => {
      leave();
      this.#leave(id, watcher);
    });
    if (this.#end.signal.aborted) watcher.stream.end();
    // Nobody was notified of a change during the first read.
    this.#refreshSoon(watched, 'room');
    return watcher.stream;
  }

  /**
   * Reports a change.
   * @param what the id of a session, or `session:user` if only this user has changed in the session, or `*` if anything may have changed
   */
  changed(what: string): void {
    const [session, user] = what.split(':').map(Number);
    for (const [id, watched] of this.#rooms) {
      if (what === '*' || session === id) this.#refreshSoon(watched, user ?? 'room');
    }
  }

  /** Ends all streams. Resolves when no room is being read. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    const rooms = [...this.#rooms.values()];
    for (const { watchers } of rooms) for (const { stream } of watchers) stream.end();
    await Promise.all(rooms.map(({ rounds }) => rounds.idle()));
  }

  #begin(id: number): Watched {
    const timer = setInterval(() => void this.#check(id, watched), this.#parts.options.interval);
    const failed = (error: unknown) =>
      this.#parts.log.warn({ err: error, exam_session: id }, 'an exam room was not read');
    const rounds = new CoalescingRunner(() => this.#refresh(id, watched).catch(failed));
    const watched: Watched = { watchers: new Set(), last: undefined, timer, rounds, stale: undefined };
    this.#rooms.set(id, watched);
    return watched;
  }

  #leave(id: number, watcher: Watcher): void {
    const watched = this.#rooms.get(id);
    watched?.watchers.delete(watcher);
    if (watched?.watchers.size !== 0) return;
    clearInterval(watched.timer);
    this.#rooms.delete(id);
  }

  /** Whether the watchers may still watch, and what nobody has reported. */
  async #check(id: number, watched: Watched): Promise<void> {
    const { store, log } = this.#parts;
    for (const watcher of watched.watchers) {
      const { stream, admit } = watcher;
      try {
        // The role may have changed.
        watcher.caller = await admit();
        await store.checkAccess(watcher.caller, id);
        if (watcher.caller.role !== 'student') await this.#parts.watched(id);
      } catch (error) {
        if (error instanceof UnauthorizedError || error instanceof ForbiddenError || error instanceof NotFoundError)
          stream.end();
        else log.warn({ err: error, exam_session: id }, 'the access to an exam room could not be checked');
      }
    }
    this.#refreshSoon(watched, 'room');
  }

  /** @param what a user or the whole room */
  #refreshSoon(watched: Watched, what: number | 'room'): void {
    if (what === 'room' || watched.stale === 'room') watched.stale = 'room';
    else watched.stale = (watched.stale ?? new Set()).add(what);
    void watched.rounds.run();
  }

  async #refresh(id: number, watched: Watched): Promise<void> {
    while (watched.stale && (await this.#wait()) && watched.watchers.size > 0) {
      const { stale, last } = watched;
      watched.stale = undefined;
      const partial = last && stale !== 'room' ? await this.#readAgain(id, last, stale) : undefined;
      const room = partial ?? (await this.#read(id));
      const changes = watched.last && differencesOf(watched.last, room);
      watched.last = room;
      for (const watcher of watched.watchers) {
        if (changes) this.#send(watcher, 'change', changes);
        else writeComment(watcher.stream);
      }
    }
  }

  /** @returns false if the feed ends meanwhile */
  #wait(): Promise<boolean> {
    return delay(pause, true, { signal: this.#end.signal }).catch(() => false);
  }

  #send({ stream, caller }: Watcher, event: 'room' | 'change', data: Room | RoomChange): void {
    writeEvent(stream, event, JSON.stringify(shownTo(caller, data)));
  }

  async #read(id: number): Promise<Room> {
    const [session, students] = await Promise.all([this.#parts.store.session(id), this.#students(id)]);
    return { session, students };
  }

  /** The room with a new read of these users; undefined if one of them has joined or left it. */
  async #readAgain(id: number, last: Room, userIds: ReadonlySet<number>): Promise<Room | undefined> {
    return withStudents(last, userIds, await this.#students(id, userIds));
  }

  async #students(id: number, userIds?: ReadonlySet<number>): Promise<Room['students']> {
    const { store, connected } = this.#parts;
    const students = await store.students(id, userIds);
    const running = students.flatMap(({ status, container_id }) =>
      status === 'in_progress' && container_id !== null ? [container_id] : [],
    );
    const open = running.length > 0 ? await connected(running) : new Set<number>();
    return students.map((student) => ({
      ...student,
      is_connected: student.container_id !== null && open.has(student.container_id),
    }));
  }
}

/** A room, or what is new in it, as the reader may see it. */
const shownTo = <Part extends { session?: RoomSession; students: Room['students'] }>(
  reader: Pick<Caller, 'role'>,
  part: Part,
): Omit<Part, 'students'> & { students: (RoomStudent & Connection)[] } => ({
  ...part,
  ...(part.session ? { session: sessionSeenBy(reader, part.session) } : {}),
  students: part.students.map((student) => seenBy(reader, student)),
});

/** @returns undefined without a difference */
function differencesOf(before: Room, now: Room): RoomChange | undefined {
  const known = new Map(before.students.map((student) => [student.user_id, student]));
  const students = now.students.filter((student) => !isDeepStrictEqual(known.get(student.user_id), student));
  const present = new Set(now.students.map(({ user_id }) => user_id));
  const gone = [...known.keys()].filter((id) => !present.has(id));
  const isChanged = !isDeepStrictEqual(before.session, now.session);
  if (!isChanged && students.length === 0 && gone.length === 0) return undefined;
  return { ...(isChanged ? { session: now.session } : {}), students, gone };
}

/** A room after a new read of some of its students. @returns undefined unless these are the same students as before */
function withStudents(room: Room, userIds: ReadonlySet<number>, students: Room['students']): Room | undefined {
  const now = new Map(students.map((student) => [student.user_id, student]));
  if (now.size !== userIds.size) return undefined;
  const known = room.students.filter(({ user_id }) => now.has(user_id));
  if (known.length !== now.size) return undefined;
  return { ...room, students: room.students.map((student) => now.get(student.user_id) ?? student) };
}
