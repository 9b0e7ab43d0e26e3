import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import { ForbiddenError, found, ServiceError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import { type ContainerEngine, ImagePullError, type ImageSource } from '../../ports/container-engine.ts';
import { registryOf, wholeReference } from '../../values/image-problems.ts';
import type { ImageChange, NewImage, ShownImage } from './schema.ts';
import type { ImageRow, ImageStore, ListedImage, PullOutcome } from './store.ts';

export type ImageServiceParts = {
  store: ImageStore;
  engine: Pick<ContainerEngine, 'images' | 'imageId' | 'problem'>;
  /** Encrypts passwords. What was sealed for a place cannot be opened for another one. */
  seal: { seal: (text: string, place: string) => Buffer; open: (sealed: Buffer, place: string) => string | undefined };
  /** The names of the images that the project ships. */
  shipped: readonly string[];
  /** What a course may use; for 0: what every course may. */
  grants: (courseId: number) => Promise<{ images: string[]; common_images: string[]; registries: string[] }>;
  /** Runs work in one of the processes that share the database. */
  alone: (work: () => Promise<void>) => Promise<unknown>;
  log: FastifyBaseLogger;
};

const placeOf = (id: number): string => `container_images.sealed_password ${id}`;

/**
 * Images of registries. A pull is a state in the database: one process pulls one image after another until none is left. A process that
 * ends meanwhile leaves the state, and the next round of any process pulls that image again.
 */
export class ImageService implements AsyncDisposable {
  readonly #parts: ImageServiceParts;
  readonly #rounds: CoalescingRunner;
  readonly #stop = new AbortController();

  constructor(parts: ImageServiceParts) {
    this.#parts = parts;
    this.#rounds = new CoalescingRunner(async () => void (await parts.alone(() => this.#pullAll())));
  }

  /**
   * Those that the project ships or that are used without having been added, then the added ones by name.
   * @param courseId those that the course may use. Undefined: all
   */
  async list(page: Page, courseId?: number): Promise<{ rows: ShownImage[]; total: number }> {
    const { store, grants, shipped } = this.#parts;
    const { images, common_images } = await grants(courseId ?? 0);
    const names = [...new Set([...shipped, ...common_images, ...images])];
    const others = await store.notAdded(names);
    const course = courseId === undefined ? undefined : { id: courseId, names: names.map(wholeReference) };
    const first = others.slice(page.offset, page.offset + page.limit);
    const rest = { limit: page.limit - first.length, offset: Math.max(0, page.offset - others.length) };
    const added = await store.list(rest, course);
    const ofEngine = await Promise.all(first.map((name) => this.#ofEngine(name)));
    return {
      rows: [...ofEngine, ...added.rows.map((row) => (isOf(row, courseId) ? shown(row) : asForeign(row)))],
      total: others.length + added.total,
    };
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<ShownImage> {
    return shown(found(await this.#parts.store.byId(id), 'Container image'));
  }

  /**
   * Its pull begins in the background.
   * @throws ConflictError if the reference is taken or the course has its share; see #checkRegistry
   */
  async add(actorId: number, { credential = null, name, reference }: NewImage, courseId?: number): Promise<ShownImage> {
    const given = { name, reference: wholeReference(reference), course_id: courseId ?? null };
    await this.#checkRegistry(given.reference, courseId);
    return await this.#begun(await this.#parts.store.create(actorId, given, this.#seal(credential)));
  }

  /** @throws NotFoundError; with a credential, see #checkRegistry */
  async update(actorId: number, id: number, { credential, ...change }: ImageChange, courseId?: number) {
    if (credential !== undefined) await this.#checkRegistry((await this.get(id)).reference, courseId);
    const seal = credential === undefined ? undefined : this.#seal(credential);
    return await this.#begun(found(await this.#parts.store.update(actorId, id, change, seal), 'Container image'));
  }

  /** Until the new one has passed its examination, attempts get the one before. @throws NotFoundError; see #checkRegistry */
  async pullAgain(actorId: number, id: number, courseId?: number): Promise<ShownImage> {
    await this.#checkRegistry((await this.get(id)).reference, courseId);
    return await this.#begun(found(await this.#parts.store.pullAgain(actorId, id), 'Container image'));
  }

  /** The engine deletes it in the background. @throws NotFoundError, ConflictError while something has it */
  async delete(actorId: number, id: number): Promise<void> {
    found(await this.#parts.store.delete(actorId, id), 'Container image');
    void this.run();
  }

  /** Pulls what waits for it, and deletes what nothing uses. Never throws. */
  async run(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    await this.#rounds
      .run()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'images could not be pulled'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the service stops'));
    await this.#rounds.idle();
  }

  #seal(credential: { username: string; password: string } | null) {
    return (id: number) => ({
      username: credential?.username ?? null,
      sealed_password: credential && this.#parts.seal.seal(credential.password, placeOf(id)),
    });
  }

  /** @throws ForbiddenError for a registry that administrators have not listed for the course */
  async #checkRegistry(reference: string, courseId: number | undefined): Promise<void> {
    if (courseId === undefined) return;
    const { registries } = await this.#parts.grants(courseId);
    if (!registries.includes(registryOf(reference)))
      throw new ForbiddenError('not_granted', 'Administrators have not granted the registry to the course');
  }

  async #begun({ id, state }: ImageRow): Promise<ShownImage> {
    if (state === 'pulling') void this.run();
    return await this.get(id);
  }

  async #pullAll(): Promise<void> {
    const { store, engine, log } = this.#parts;
    while (!this.#stop.signal.aborted && engine.images && engine.problem() === undefined) {
      const row = await store.waiting();
      if (!row) return await this.#deleteStale(engine.images);
      const outcome = await this.#pull(row, engine.images);
      if (!outcome) return;
      log.info({ image: row.reference, problem: 'problem' in outcome ? outcome.problem : null }, 'pulled an image');
      await store.record(row, outcome);
    }
  }

  /** What a container still has is deleted in a later round. */
  async #deleteStale(images: ImageSource): Promise<void> {
    const { store } = this.#parts;
    for (const { id, reference, image_id } of await store.stale())
      if (await images.remove(image_id, reference)) await store.forgetStale(id, image_id);
  }

  /** @returns undefined if the service stops meanwhile. @throws UnavailableError if the engine fails */
  async #pull(row: ImageRow, images: ImageSource): Promise<PullOutcome | undefined> {
    const { store, seal } = this.#parts;
    const { id, username, sealed_password, reference } = row;
    const password = sealed_password === null ? undefined : seal.open(sealed_password, placeOf(id));
    if (sealed_password !== null && password === undefined) return { problem: 'password_unreadable' };
    const credential = username !== null && password !== undefined ? { username, password } : undefined;
    let percent = 0;
    let writing = Promise.resolve();
    const onProgress = (now: number): void => {
      if (now <= percent) return;
      percent = now;
      // The newest number only, and one write at a time.
      writing = writing
        .then(async () => (now === percent ? await store.setPercent(row, now) : undefined))
        .catch(() => {});
    };
    try {
      const onFound = (imageId: string) => store.markPulled(id, imageId);
      const { signal } = this.#stop;
      const { lacks, ...pulled } = await images.pull(reference, { credential, signal, onFound, onProgress });
      await writing;
      return lacks.length > 0 ? { problem: 'parts_missing', lacks } : pulled;
    } catch (error) {
      await writing;
      if (this.#stop.signal.aborted) return undefined;
      if (error instanceof ImagePullError) return { problem: error.problem };
      throw error;
    }
  }

  async #ofEngine(name: string): Promise<ShownImage> {
    const { engine, shipped } = this.#parts;
    const isThere = await engine.imageId(name).then(
      () => true,
      (error: unknown) => !(error instanceof ServiceError && error.code === 'image_missing'),
    );
    return {
      ...{ id: null, is_shipped: shipped.includes(name), name, reference: name, username: null },
      ...{ course_id: null, course_name: null },
      ...{ state: isThere ? ('ready' as const) : ('failed' as const), percent: isThere ? 100 : 0 },
      ...{ problem: isThere ? null : ('reference_unknown' as const), lacks: [], digest: null, is_usable: isThere },
      ...{ examined_at: null, created_at: null },
    };
  }
}

/** Administrators reach all, the staff of a course what it has added. */
const isOf = ({ course_id }: ListedImage, courseId: number | undefined): boolean =>
  courseId === undefined || course_id === courseId;

function shown(row: ListedImage): ShownImage {
  const { id, name, reference, username, state, percent, problem, lacks, digest, image_id } = row;
  const { course_id, course_name, examined_at, created_at } = row;
  return {
    ...{ id, is_shipped: false, name, reference, username, state: state === 'removed' ? 'failed' : state, percent },
    ...{ problem, lacks, digest, is_usable: image_id !== null, course_id, course_name, examined_at, created_at },
  };
}

/** An image that a course may use and does not change. */
const asForeign = (row: ListedImage): ShownImage => ({ ...shown(row), id: null, username: null });
