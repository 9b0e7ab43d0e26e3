import type Docker from 'dockerode';
import type { ImageFacts } from '../engine/container-facts.ts';
import { ensureInternetNetwork } from './confined-network.ts';
import { ensureGraderVolume } from './grader-volume.ts';

const maxImages = 500;

/** What new containers use: the facts of images, the grader's volume and the network for the internet. Each is read or created once. */
export class EngineFixtures {
  readonly #docker: Docker;
  readonly #images = new Map<string, ImageFacts>();
  #graderVolume: Promise<string> | undefined;
  #internetNetwork: Promise<string> | undefined;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** The identifier of the image that has a name now. */
  async imageId(name: string): Promise<string> {
    const { id, facts } = await this.#read(name);
    this.#keep(id, facts);
    // The earlier target of the name is no longer valid.
    this.#keep(name, facts);
    return id;
  }

  /** @param name or the identifier of the image */
  async image(name: string): Promise<ImageFacts> {
    const known = this.#images.get(name);
    if (known) return known;
    const { facts } = await this.#read(name);
    this.#keep(name, facts);
    return facts;
  }

  async #read(name: string): Promise<{ id: string; facts: ImageFacts }> {
    const { Id, Config } = await this.#docker.getImage(name).inspect();
    // Both are lists of words, even in the engine's older formats.
    const words = [Config.Entrypoint, Config.Cmd].flatMap((part) => part ?? []);
    const facts = { labels: Config.Labels ?? {}, command: words, folder: Config.WorkingDir || '/' };
    return { id: Id, facts };
  }

  #keep(name: string, facts: ImageFacts): void {
    if (this.#images.size > maxImages) this.#images.clear();
    this.#images.set(name, facts);
  }

  async graderVolume(): Promise<string> {
    this.#graderVolume ??= ensureGraderVolume(this.#docker);
    return await this.#kept(this.#graderVolume);
  }

  async internetNetwork(): Promise<string> {
    this.#internetNetwork ??= ensureInternetNetwork(this.#docker);
    return await this.#kept(this.#internetNetwork);
  }

  /** Something of it was removed from the engine. */
  forget(): void {
    this.#graderVolume = undefined;
    this.#internetNetwork = undefined;
    this.#images.clear();
  }

  /** A failure is not kept, so the next call retries. */
  async #kept(fixture: Promise<string>): Promise<string> {
    try {
      return await fixture;
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}
