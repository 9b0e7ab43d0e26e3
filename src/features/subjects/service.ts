import { setTimeout as delay } from 'node:timers/promises';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { Conflict, found } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { GradedAttempt } from '../attempts/gradings.ts';
import type { AttemptMachine, StartedAttempt } from '../attempts/machine.ts';
import type { QueuedAttempt, StartQueue } from '../attempts/start-queue.ts';
import type { AttemptStore } from '../attempts/store.ts';
import { kinds } from './kinds.ts';
import type { Subject, SubjectStore } from './store.ts';

export type SubjectParts = {
  kind: AttemptKind;
  store: Pick<SubjectStore, 'all'>;
  attempts: Pick<AttemptStore, 'activeFor' | 'isStarting'>;
  machine: AttemptMachine;
  queue: Pick<StartQueue, 'join'>;
  feed: ChangeFeed;
  /** Milliseconds to wait for another process to finish a start. */
  startPatience: number;
};

/** An attempt that a start created or found, or one that waits for its container. */
export type Start = (StartedAttempt & { isNew: boolean }) | QueuedAttempt;
export type StartOptions = {
  /** Whether it may wait for a container in the queue. */
  mayQueue: boolean;
};

/** Milliseconds between two polls for a start of another process. */
const startPause = 50;

/** The subjects of one kind, exams or laboratories, for students. */
export class SubjectService {
  readonly kind: AttemptKind;
  readonly #parts: SubjectParts;
  readonly #cache: RowCache<'all', Subject[]>;
  /** The active subjects among those that are cached. */
  readonly #active = new WeakMap<Subject[], Subject[]>();
  /** Starts in progress, by user and subject. */
  readonly #starting = new Map<string, Promise<Start>>();

  constructor(parts: SubjectParts) {
    this.kind = parts.kind;
    this.#parts = parts;
    this.#cache = new RowCache<'all', Subject[]>({
      feed: parts.feed,
      channel: 'catalogue_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  /** The subjects that students see. The same array until one of them changes. */
  async list(): Promise<readonly Subject[]> {
    const all = await this.#all();
    const known = this.#active.get(all);
    if (known) return known;
    const active = all.filter(({ is_active }) => is_active);
    this.#active.set(all, active);
    return active;
  }

  /** A retired subject is visible only to administrators and to users with an active attempt. @throws NotFound */
  async get(caller: Pick<Caller, 'id' | 'role'> | undefined, id: number): Promise<Subject> {
    const subject = (await this.#all()).find((candidate) => candidate.id === id);
    const isVisible = subject?.is_active || caller?.role === 'admin';
    const isAttempted = async () => caller && (await this.#parts.attempts.activeFor(caller.id, this.kind, id));
    return found(subject && (isVisible || (await isAttempted())) ? subject : undefined, this.#name);
  }

  /** The laboratory of a section. @throws NotFound where the section has none */
  async ofSection(sectionId: number): Promise<Subject> {
    return found(
      (await this.list()).find(({ section_id }) => section_id === sectionId),
      this.#name,
    );
  }

  /**
   * Starts an attempt. For practice it may return the active attempt, even to calls during its start.
   * @throws NotFound, Conflict without tasks, while another attempt is active or another process starts one, Unavailable without a
   * container or a place in the queue
   */
  async start(caller: Caller, id: number, options: StartOptions): Promise<Start> {
    if (!kinds[this.kind].isPractice) return await this.#startNew(caller, await this.get(caller, id), options);
    const key = `${caller.id} ${id} ${options.mayQueue}`;
    const underWay = this.#starting.get(key);
    if (underWay) return { ...(await underWay), isNew: false };
    const start = this.#startOrResume(caller, id, options).finally(() => this.#starting.delete(key));
    this.#starting.set(key, start);
    return await start;
  }

  /** @throws NotFound without an active attempt; see AttemptMachine.check */
  async check(caller: Caller, id: number): Promise<GradedAttempt & { containerId: number | null }> {
    const { machine } = this.#parts;
    const checked = await machine.check(caller, this.kind, id);
    return { ...checked, containerId: (await machine.container(checked.attempt.id))?.id ?? null };
  }

  /** @throws NotFound without an active attempt; see AttemptMachine.submit */
  async submit(caller: Caller, id: number): Promise<GradedAttempt> {
    return await this.#parts.machine.submit(caller, this.kind, id);
  }

  /** Drops the cached subjects after another component has changed them. */
  forget(): void {
    this.#cache.forget();
  }

  async #all(): Promise<Subject[]> {
    return await this.#cache.get('all', () => this.#parts.store.all());
  }

  async #startNew(caller: Caller, subject: Subject, { mayQueue }: StartOptions): Promise<Start> {
    const { machine, queue } = this.#parts;
    if (subject.task_count === 0) throw new Conflict('no_tasks', `This ${this.kind} has no tasks yet`);
    const started = { ...subject, kind: this.kind };
    return { ...(await (mayQueue ? queue.join(caller, started) : machine.start(caller, started))), isNew: true };
  }

  async #startOrResume(caller: Caller, id: number, options: StartOptions): Promise<Start> {
    const subject = await this.get(caller, id);
    const active = await this.#activeAttempt(caller, id);
    if (active) return active;
    try {
      return await this.#startNew(caller, subject, options);
    } catch (error) {
      const quicker = error instanceof Conflict ? await this.#startedElsewhere(caller, id) : undefined;
      if (!quicker) throw error;
      return quicker;
    }
  }

  /** Another process may have been faster, and still be starting it. Where that start fails, there is no attempt in the end. */
  async #startedElsewhere(caller: Caller, id: number): Promise<Start | undefined> {
    const deadline = performance.now() + this.#parts.startPatience;
    for (;;) {
      const active = await this.#activeAttempt(caller, id);
      if (active || performance.now() > deadline || !(await this.#parts.attempts.isStarting(caller.id, id)))
        return active ?? (await this.#activeAttempt(caller, id));
      await delay(startPause);
    }
  }

  async #activeAttempt(caller: Caller, id: number): Promise<Start | undefined> {
    const { attempts, machine } = this.#parts;
    const attempt = await attempts.activeFor(caller.id, this.kind, id);
    const container = attempt && attempt.status !== 'queued' ? await machine.container(attempt.id) : undefined;
    return attempt && container ? { attempt, container, isNew: false } : undefined;
  }

  get #name(): string {
    return kinds[this.kind].name;
  }
}
