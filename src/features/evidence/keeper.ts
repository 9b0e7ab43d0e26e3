import { createHash, randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import type { EvidenceNote } from '../../database/tables.ts';
import { NotFoundError, overloaded, UnavailableError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { type ContainerEngine, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { type KeptLayer, listPaths, maxLayerBytes, readLayer } from './layer.ts';
import type { AttemptFacts, Claimed, EvidenceRow, EvidenceStore, KeptEvidence } from './store.ts';

/** Writes archives of tar, see packages/ssh/tar.ts. */
export type Tar = {
  header: (entry: { name: string; bytes: number; modified: Date }) => Buffer;
  padding: (bytes: number) => Buffer;
  end: Buffer;
};

export type KeeperParts = {
  engine: Pick<ContainerEngine, 'start' | 'restart' | 'inspect' | 'openCommand'>;
  store: EvidenceStore;
  objects: ObjectStore;
  recordings: { read: (key: string) => Promise<{ stream: AsyncIterable<Uint8Array>; bytes: number } | undefined> };
  tar: Tar;
  /** Signs the manifest. Both texts are base64. */
  signer: { publicKey: string; sign: (bytes: Buffer) => string };
  config: { days: number; bytes: number };
  log: FastifyBaseLogger;
};

type GivenUp = { id: number; engine_ref: string | null };
type Checksum = { name: string; bytes: number; sha256: string };
/** What the machine of an attempt left. */
type Files = { paths: Buffer; layer: Checksum };

const folder = 'evidence';
const layerPath = (key: string): string => `${folder}/${key}.layer`;
const restPath = (key: string): string => `${folder}/${key}.tar`;
const fileForm = /^evidence\/([0-9a-f]{40})\.(?:layer|tar)$/;
/** The first block of an archive: the header of its first file. */
const headerBytes = 512;
const maxRestBytes = 512 * 1024 * 1024;
/** Collected at once in a process: each reads a whole disk. */
const atOnce = 4;
const hour = 3_600_000;

export const layerName = 'layer.cpio.gz';
const noFiles: Files = { paths: Buffer.alloc(0), layer: { name: layerName, bytes: 0, sha256: '' } };
const readme = `The evidence of one attempt.

attempt.json      the attempt, its times, the image of its machine, and the revision of the exam or laboratory with its checks
results.json      the result of each task at the end, with the output of its check
answers.json      what was answered to tasks without a check
answer-N          the file that was the answer to task N
events.json       what was logged about the student in the time of the attempt
recording-N.cast  the terminals, for asciinema
layer.cpio.gz     the files of the machine that its image does not have, or has otherwise:
                    mkdir layer; cd layer; gunzip <../layer.cpio.gz | cpio -idm
paths.txt.gz      the paths of all files of the machine. A folder ends with /. What the image has and the list has not was deleted.
                  Lines at the beginning: "+ " and a service that ran, "# " with the user and the command of another process.
                  A line that begins with "! " is a changed file that was left out of the layer, because the layer would be too large.
                  An attempt without a machine has neither of these two.
manifest.json     size and SHA-256 of each file, what is missing, and the public key of the installation
manifest.sig      the signature of manifest.json (Ed25519, base64)

"npm run verify-evidence FILE" of the platform checks all of it, without a database.
`;

/**
 * Keeps what an attempt left when it ended: the files of its container, outputs, recordings, events, times, signed. It happens after the
 * results are written and before the container is removed, in the background. The record of a given-up container is the sign that it is
 * still to be done, so a process that was killed leaves it to the reconciler. Where there was none, the sign is the record of the evidence.
 */
export class EvidenceKeeper {
  readonly #parts: KeeperParts;
  readonly #turns = new ConcurrencyLimiter(
    { concurrency: atOnce, maxWaiting: 100_000 },
    overloaded('Too much evidence is being kept'),
  );
  readonly #underWay = new Map<number, Promise<boolean>>();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.config.days > 0;
  }

  /**
   * Keeps the evidence of a given-up container, where there is any to keep. Whatever fails, the container can be removed afterwards.
   * @returns false while another process does it @throws UnavailableError when the engine does not answer: it is tried again
   */
  async keep(container: GivenUp): Promise<boolean> {
    if (!this.isOn) return true;
    const before = this.#underWay.get(container.id);
    if (before) return await before;
    const keeping = this.#keepClaimed(container).finally(() => this.#underWay.delete(container.id));
    this.#underWay.set(container.id, keeping);
    return await keeping;
  }

  /** Only what there is something to keep of waits for its turn. */
  async #keepClaimed({ id, engine_ref }: GivenUp): Promise<boolean> {
    const claim = await this.#parts.store.claim(id);
    if (claim === undefined || claim === 'elsewhere') return claim === undefined;
    await this.#inTurn(claim, (key, notes) => this.#keepFiles(engine_ref, key, notes));
    await this.#makeRoom();
    return true;
  }

  /** Keeps the evidence of the attempts that had no machine and have ended. One process does it at a time. */
  async collect(): Promise<void> {
    const { store } = this.#parts;
    if (!this.isOn) return await this.#discard(await store.dropWaiting());
    for (let after = 0; ; ) {
      const claims = await store.claimWithoutMachine(after);
      if (claims.length === 0) return;
      await Promise.all(claims.map((claim) => this.#inTurn(claim, async () => noFiles)));
      await this.#makeRoom();
      after = Math.max(...claims.map(({ attemptId }) => attemptId));
    }
  }

  async #inTurn(claim: Claimed, files: (key: string, notes: EvidenceNote[]) => Promise<Files>): Promise<void> {
    await this.#turns.run(() => this.#keep(claim, files), { client: 'evidence' });
  }

  async #makeRoom(): Promise<void> {
    await this.#discard(await this.#parts.store.fit(this.#parts.config.bytes));
  }

  async #keep(
    { attemptId, formerKey }: Claimed,
    filesOf: (key: string, notes: EvidenceNote[]) => Promise<Files>,
  ): Promise<void> {
    const { store, objects, log } = this.#parts;
    const key = randomBytes(20).toString('hex');
    try {
      const notes: EvidenceNote[] = [];
      const files = await filesOf(key, notes).catch(async (error: unknown) => {
        await store.release(attemptId);
        throw error;
      });
      const facts = await store.facts(attemptId);
      if (!facts) return;
      const rest = await objects.put(restPath(key), this.#rest(facts, files, notes), { maxBytes: maxRestBytes });
      const { layer, paths } = files;
      const kept = { key, bytes: rest + layer.bytes, layer_bytes: layer.bytes, path_bytes: paths.length, notes };
      if (!(await store.finish(attemptId, kept))) await this.#discard([key]);
    } catch (error) {
      if (isEngineDown(error)) throw error;
      log.error({ err: error, attempt: attemptId }, 'the evidence of an attempt could not be kept');
      await this.#discard([key]);
      await store.finish(attemptId, { key: null, notes: ['storage_failed'] });
    }
    if (formerKey !== null) await this.#discard([formerKey]);
  }

  /** Reads the files of a container. @throws UnavailableError when the engine does not answer */
  async #keepFiles(ref: string | null, key: string, notes: EvidenceNote[]): Promise<Files> {
    const { engine, objects, config, log } = this.#parts;
    try {
      if (ref === null) throw new NoSuchContainerError('');
      await engine.start(ref).catch(engineDown);
      const createdAt = Math.floor(((await engine.inspect(ref).catch(engineDown))?.createdAt.getTime() ?? 0) / 1000);
      // A container without a free process starts anew. Its files stay.
      const { paths, isCut } = await listPaths(engine, ref, createdAt).catch(async () => {
        await engine.restart(ref);
        return await listPaths(engine, ref, createdAt);
      });
      if (isCut) notes.push('files_left_out');
      const hash = createHash('sha256');
      const maxBytes = Math.min(config.bytes, maxLayerBytes);
      const bytes = await objects.put(layerPath(key), hashed(readLayer(engine, ref), hash), { maxBytes });
      return { paths, layer: { name: layerName, bytes, sha256: hash.digest('hex') } };
    } catch (error) {
      if (isEngineDown(error)) throw error;
      const isLost = error instanceof NoSuchContainerError;
      notes.push(isLost ? 'container_lost' : 'layer_failed');
      if (!isLost) log.warn({ err: error, container: ref }, 'the files of a container could not be kept');
      return noFiles;
    }
  }

  /** The archive without the files of the container. The paths come first, where they are found again. */
  async *#rest(facts: AttemptFacts, { paths, layer }: Files, notes: EvidenceNote[]): AsyncGenerator<Buffer> {
    const { store, tar, recordings, signer } = this.#parts;
    const modified = new Date();
    const files: Checksum[] = layer.bytes === 0 ? [] : [layer];
    async function* entry(name: string, bytes: number, content: AsyncIterable<Uint8Array> | Uint8Array[]) {
      const hash = createHash('sha256');
      yield tar.header({ name, bytes, modified });
      let read = 0;
      for await (const chunk of content) {
        hash.update(chunk);
        read += chunk.length;
        yield Buffer.from(chunk);
      }
      if (read !== bytes) throw new Error(`${name} has ${read} bytes instead of ${bytes}`);
      yield tar.padding(bytes);
      files.push({ name, bytes, sha256: hash.digest('hex') });
    }
    const text = (name: string, content: string | Buffer) => {
      const bytes = Buffer.from(content);
      return entry(name, bytes.length, [bytes]);
    };
    if (paths.length > 0) yield* text('paths.txt.gz', paths);
    yield* text('README.txt', readme);
    yield* text('attempt.json', json(facts.attempt));
    yield* text('results.json', json(facts.results));
    yield* text('events.json', json(facts.events));
    yield* text('answers.json', json(facts.answers));
    for (const { task_id, file_bytes } of facts.answers)
      if (file_bytes !== null)
        yield* entry(`answer-${task_id}`, file_bytes, store.answerFile(facts.attempt.id, task_id));
    for (const [index, { key }] of facts.recordings.entries()) {
      const recording = await recordings.read(key).catch(() => undefined);
      if (recording) yield* entry(`recording-${index + 1}.cast`, recording.bytes, recording.stream);
      else if (!notes.includes('recordings_missing')) notes.push('recordings_missing');
    }
    const manifest = { format: 1, kept_at: modified, public_key: signer.publicKey, missing: notes, files: [...files] };
    const signed = Buffer.from(json(manifest));
    yield* text('manifest.json', signed);
    yield* text('manifest.sig', `${signer.sign(signed)}\n`);
    yield tar.end;
  }

  /** For a caller who sees the attempt as staff. @throws NotFoundError */
  async summary(caller: Caller, attemptId: number): Promise<EvidenceRow | undefined> {
    return await this.#parts.store.ofAttempt(caller, attemptId);
  }

  get publicKey(): string {
    return this.#parts.signer.publicKey;
  }

  /** When what was kept then is deleted, unless it goes earlier to make room. */
  expiryOf(keptAt: Date): Date {
    return new Date(keptAt.getTime() + this.#parts.config.days * 24 * hour);
  }

  /** The whole archive. @throws NotFoundError, UnavailableError */
  async open(caller: Caller, attemptId: number): Promise<{ bytes: number; content: AsyncGenerator<Uint8Array> }> {
    const row = await this.#parts.store.ofAttempt(caller, attemptId);
    if (row?.status !== 'kept' || row.key === null) throw gone();
    const { objects, tar } = this.#parts;
    const [layer, rest] = await Promise.all([
      row.layer_bytes > 0 ? objects.open(layerPath(row.key)) : undefined,
      objects.open(restPath(row.key)),
    ]);
    if (!rest || (row.layer_bytes > 0 && !layer)) {
      layer?.stream.destroy();
      rest?.stream.destroy();
      throw gone();
    }
    const head = tar.header({ name: layerName, bytes: row.layer_bytes, modified: row.kept_at ?? new Date() });
    const padding = tar.padding(row.layer_bytes);
    async function* content(): AsyncGenerator<Uint8Array> {
      try {
        if (layer) {
          yield head;
          yield* layer.stream as AsyncIterable<Uint8Array>;
          yield padding;
        }
        yield* rest?.stream as AsyncIterable<Uint8Array>;
      } finally {
        layer?.stream.destroy();
        rest?.stream.destroy();
      }
    }
    const ofLayer = layer ? head.length + layer.bytes + padding.length : 0;
    return { bytes: ofLayer + rest.bytes, content: content() };
  }

  /** Whether the evidence of an ended attempt is still to be kept. */
  async isPending(attemptId: number): Promise<boolean> {
    return this.isOn && (await this.#parts.store.isPending(attemptId));
  }

  /** The files of the container of an attempt. @throws NotFoundError where they are not kept */
  async layer(attemptId: number): Promise<KeptLayer> {
    const row = await this.#parts.store.kept(attemptId);
    if (!row || row.layer_bytes === 0 || row.path_bytes === 0) throw gone();
    return this.#layerOf(row);
  }

  #layerOf({ key, path_bytes, layer_bytes }: KeptEvidence): KeptLayer {
    const read = async (path: string, range: { start: number; end: number }) => {
      const object = await this.#parts.objects.open(path, range);
      if (!object) throw gone();
      return object.stream as AsyncIterable<Uint8Array>;
    };
    const ofPaths = { start: headerBytes, end: headerBytes + path_bytes - 1 };
    return {
      paths: { bytes: path_bytes, read: () => read(restPath(key), ofPaths) },
      layer: { bytes: layer_bytes, read: () => read(layerPath(key), { start: 0, end: layer_bytes - 1 }) },
    };
  }

  /** Deletes what is older than it may be, and files that no record names. @returns how many of each @throws UnavailableError */
  async sweep(now = Date.now()): Promise<{ expired: number; files: number }> {
    const { store, objects, config } = this.#parts;
    const expired = await store.removeOlderThan(config.days);
    await this.#discard(expired);
    await this.#makeRoom();
    await objects.removeUnfinished(folder, hour / 1000);
    const old = new Set<string>();
    for await (const { key, changedAt } of objects.list(folder)) {
      const name = fileForm.exec(key)?.[1];
      if (name !== undefined && now - changedAt.getTime() > hour) old.add(name);
    }
    const unused = await store.unused([...old]);
    await this.#discard(unused);
    return { expired: expired.length, files: unused.length };
  }

  /** Never fails: the next sweep deletes what is left. */
  async #discard(keys: readonly string[]): Promise<void> {
    const { objects, log } = this.#parts;
    for (const path of keys.filter(Boolean).flatMap((key) => [layerPath(key), restPath(key)]))
      await objects
        .remove(path)
        .catch((err: unknown) => log.warn({ err }, 'a file of old evidence could not be removed'));
  }
}

export const gone = () => new NotFoundError('evidence_gone', 'The evidence of this attempt is not kept any more');

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function* hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The engine does not answer. The container cannot be removed now either. */
class EngineDownError extends Error {}
const isEngineDown = (error: unknown): boolean => error instanceof EngineDownError;
function engineDown(error: unknown): never {
  if (!(error instanceof UnavailableError)) throw error;
  throw new EngineDownError('the container engine does not answer', { cause: error });
}
