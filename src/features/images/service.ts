import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import { ConflictError, found } from '../../errors.ts';
import { type ContainerEngine, ImagePullError } from '../../ports/container-engine.ts';
import { wholeReference } from '../../values/image-problems.ts';
import type { ImageChange, NewImage, ShownImage } from './schema.ts';
import type { ImageRow, ImageStore, PullOutcome } from './store.ts';

export type ImageServiceParts = {
  store: ImageStore;
  engine: Pick<ContainerEngine, 'images' | 'imageId' | 'problem'>;
  /** Encrypts passwords. What was sealed for a place cannot be opened for another one. */
  seal: { seal: (text: string, place: string) => Buffer; open: (sealed: Buffer, place: string) => string | undefined };
  /** The names of the images that the project ships. */
  shipped: readonly string[];
  /** False for a cluster, whose nodes pull images themselves. */
  canPull: boolean;
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

  /** Those that the project ships, then the added ones by name. */
  async list(): Promise<ShownImage[]> {
    const [shipped, rows] = await Promise.all([this.#shipped(), this.#parts.store.list()]);
    return [...shipped, ...rows.map(shown)];
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<ShownImage> {
    return shown(found(await this.#parts.store.byId(id), 'Container image'));
  }

  /** Its pull begins in the background. @throws ConflictError if the reference is taken, or the engine does not pull images */
  async add(actorId: number, { credential = null, name, reference }: NewImage): Promise<ShownImage> {
    if (!this.#parts.canPull)
      throw new ConflictError('conflict', 'The nodes of the cluster pull images themselves: see KUBERNETES_IMAGES');
    const given = { name, reference: wholeReference(reference) };
    return this.#begun(await this.#parts.store.create(actorId, given, this.#seal(credential)));
  }

  /** @throws NotFoundError */
  async update(actorId: number, id: number, { credential, ...change }: ImageChange): Promise<ShownImage> {
    const seal = credential === undefined ? undefined : this.#seal(credential);
    return this.#begun(found(await this.#parts.store.update(actorId, id, change, seal), 'Container image'));
  }

  /** Until the new one has passed its examination, attempts get the one before. @throws NotFoundError */
  async pullAgain(actorId: number, id: number): Promise<ShownImage> {
    return this.#begun(found(await this.#parts.store.pullAgain(actorId, id), 'Container image'));
  }

  /** @throws NotFoundError, ConflictError while something has it */
  async delete(actorId: number, id: number): Promise<void> {
    const { image_id } = found(await this.#parts.store.delete(actorId, id), 'Container image');
    if (image_id !== null) await this.#removeUnused(image_id);
  }

  /** Pulls what waits for it. Never throws. */
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

  #begun(row: ImageRow): ShownImage {
    if (row.state === 'pulling') void this.run();
    return shown(row);
  }

  async #pullAll(): Promise<void> {
    const { store, engine, log } = this.#parts;
    while (!this.#stop.signal.aborted && engine.images && engine.problem() === undefined) {
      const row = await store.waiting();
      if (!row) return;
      const outcome = await this.#pull(row, engine.images);
      if (!outcome) return;
      log.info({ image: row.reference, problem: 'problem' in outcome ? outcome.problem : null }, 'pulled an image');
      const isRecorded = await store.record(row, outcome);
      const old = 'problem' in outcome || !isRecorded ? null : row.image_id;
      if (old !== null && 'imageId' in outcome && old !== outcome.imageId) await this.#removeUnused(old);
    }
  }

  /** @returns undefined if the service stops meanwhile. @throws UnavailableError if the engine fails */
  async #pull(row: ImageRow, images: NonNullable<ContainerEngine['images']>): Promise<PullOutcome | undefined> {
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
      const pulled = await images.pull(reference, { credential, signal: this.#stop.signal, onProgress });
      await writing;
      const lacks = await images.examine(pulled.imageId);
      return lacks.length > 0 ? { problem: 'parts_missing', lacks } : pulled;
    } catch (error) {
      await writing;
      if (this.#stop.signal.aborted) return undefined;
      if (error instanceof ImagePullError) return { problem: error.problem };
      throw error;
    }
  }

  /** Two references can have one image. */
  async #removeUnused(imageId: string): Promise<void> {
    const rows = await this.#parts.store.list();
    if (!rows.some(({ image_id }) => image_id === imageId)) await this.#parts.engine.images?.remove(imageId);
  }

  async #shipped(): Promise<ShownImage[]> {
    const { shipped, engine } = this.#parts;
    return await Promise.all(
      shipped.map(async (name) => {
        const isThere = await engine.imageId(name).then(
          () => true,
          () => false,
        );
        return {
          ...{ id: null, is_shipped: true, name, reference: name, username: null },
          ...{ state: isThere ? ('ready' as const) : ('failed' as const), percent: isThere ? 100 : 0 },
          ...{ problem: isThere ? null : ('reference_unknown' as const), lacks: [], digest: null, is_usable: isThere },
          ...{ examined_at: null, created_at: null },
        };
      }),
    );
  }
}

const shown = ({ sealed_password: _sealed, image_id, pulls: _pulls, ...row }: ImageRow): ShownImage => ({
  ...row,
  ...{ is_shipped: false, is_usable: image_id !== null },
});
