import { readFile } from 'node:fs/promises';
import { UnavailableError } from '../../errors.ts';
import type { ImageFacts } from '../engine/container-facts.ts';
import { PodError } from './failures.ts';

/** An image in the output of `docker image inspect`. */
type Inspected = {
  RepoTags?: string[] | null;
  Config?: {
    Labels?: Record<string, string> | null;
    Entrypoint?: string[] | null;
    Cmd?: string[] | null;
    WorkingDir?: string | null;
  } | null;
};

/**
 * The labels, command and folder of images. The API of a cluster does not tell them, so they come from the service: from the shipped
 * definitions, and for other images from a file with the output of `docker image inspect`.
 */
export class ImageList {
  readonly #facts: ReadonlyMap<string, ImageFacts>;

  constructor(facts: Iterable<readonly [string, ImageFacts]>) {
    this.#facts = new Map(facts);
  }

  /** @throws PodError if the image is not described */
  get(name: string): ImageFacts {
    const facts = this.#facts.get(name) ?? this.#facts.get(withoutTag(name));
    if (facts) return facts;
    const cause = `${name} is not described: see KUBERNETES_IMAGES`;
    throw new PodError(
      new UnavailableError('image_missing', 'The container image does not exist', { retryAfter: 60, cause }),
    );
  }
}

/**
 * Reads the output of `docker image inspect`.
 * @param prefix that the names of images have in the cluster and not in the service
 * @throws Error if the file cannot be read or has another format
 */
export async function readImageFacts(path: string, prefix: string): Promise<[string, ImageFacts][]> {
  const images = JSON.parse(await readFile(path, 'utf8')) as Inspected[];
  if (!Array.isArray(images)) throw new Error(`${path} is not the output of docker image inspect`);
  return images.flatMap(({ RepoTags, Config }) => {
    const command = [Config?.Entrypoint, Config?.Cmd].flatMap((part) => part ?? []);
    const facts = { labels: Config?.Labels ?? {}, command, folder: Config?.WorkingDir || '/' };
    return (RepoTags ?? []).map((tag): [string, ImageFacts] => {
      const name = tag.startsWith(prefix) ? tag.slice(prefix.length) : tag;
      return [name.endsWith(':latest') ? withoutTag(name) : name, facts];
    });
  });
}

const withoutTag = (name: string): string => name.replace(/:latest$/, '');
