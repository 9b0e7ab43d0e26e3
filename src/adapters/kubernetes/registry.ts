import { createHash } from 'node:crypto';
import { lookup } from 'node:dns';
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ImagePullError } from '../../ports/container-engine.ts';
import { registryOf } from '../../values/image-problems.ts';
import { readAtMost } from '../engine/bounded-output.ts';
import { type ImageFacts, labels } from '../engine/container-facts.ts';
import { maxImageBytes } from '../engine/image-examination.ts';
import { privateNetworks } from '../engine/internet.ts';

export type RegistryOptions = {
  credential: { username: string; password: string } | undefined;
  signal: AbortSignal;
};

export type RegistryImage = { digest: string; facts: ImageFacts };

/** Of one answer: registries refuse larger manifests themselves. */
const maxAnswerBytes = 4 * 1024 ** 2;
/** Of the image's command, which each of its Pods has. */
const maxCommandBytes = 32 * 1024;
/** Registries without TLS, as for container engines. */
const isLoopback = /^(localhost|127(\.\d{1,3}){3})(:|$)/;
const requestTimeoutMs = 30_000;
const maxRedirects = 3;

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** What is read of a manifest, or of a list of those for several processors. A registry can send anything. */
type Manifest = {
  manifests?: { digest: string; platform?: { os?: string; architecture?: string } }[];
  config?: { digest: string };
  layers?: { size: number }[];
};
type ImageConfig = {
  config?: { Labels?: Record<string, unknown> | null; Entrypoint?: unknown; Cmd?: unknown; WorkingDir?: unknown };
};

/**
 * Asks a registry for the digest of an image and what its Pods need to know. Nothing of its layers is read: the nodes pull them.
 * @throws ImagePullError, the signal's reason
 */
export async function readImage(reference: string, options: RegistryOptions): Promise<RegistryImage> {
  try {
    const registry = new RegistryRepository(reference, options);
    const top = await registry.read('manifests', versionOf(reference));
    const digest = digestOf(top);
    const list = JSON.parse(top) as Manifest;
    const chosen = list.manifests && forThisProcessor(list.manifests);
    const { config, layers } = chosen ? (JSON.parse(await registry.content('manifests', chosen)) as Manifest) : list;
    if (!config || !Array.isArray(layers)) throw new ImagePullError('pull_failed');
    const bytes = layers.reduce((sum, { size }) => sum + size, 0);
    if (!(bytes <= maxImageBytes)) throw new ImagePullError('image_too_large');
    return { digest, facts: factsOf(JSON.parse(await registry.content('blobs', config.digest)) as ImageConfig) };
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof ImagePullError ? error : new ImagePullError('pull_failed');
  }
}

const digestOf = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const versionOf = (reference: string): string => /(?:@|:)((?:sha256:)?[^/:@]+)$/.exec(reference)?.[1] ?? 'latest';

/** The nodes choose by themselves. What Pods need to know does not depend on the processor. */
function forThisProcessor(manifests: NonNullable<Manifest['manifests']>): string {
  const own = process.arch === 'x64' ? 'amd64' : process.arch;
  const some = manifests.filter(({ platform }) => platform?.os === 'linux');
  const chosen = some.find(({ platform }) => platform?.architecture === own) ?? some[0];
  if (!chosen) throw new ImagePullError('pull_failed');
  return chosen.digest;
}

/** Only what decides something: capabilities are not the image's matter, see `withoutCapabilities`. */
function factsOf({ config: { Labels, Entrypoint, Cmd, WorkingDir } = {} }: ImageConfig): ImageFacts {
  const words = (list: unknown) => (Array.isArray(list) ? list.filter((word) => typeof word === 'string') : []);
  const command = [...words(Entrypoint), ...words(Cmd)];
  if (JSON.stringify(command).length > maxCommandBytes) throw new ImagePullError('pull_failed');
  const privileges = Labels?.[labels.privileges] === 'sudo' ? 'sudo' : 'none';
  const folder = typeof WorkingDir === 'string' && WorkingDir.startsWith('/') ? WorkingDir.slice(0, 4096) : '/';
  return { labels: { [labels.privileges]: privileges }, command, folder };
}

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** The repository of one reference, for the requests of one reading. */
class RegistryRepository {
  readonly #options: RegistryOptions;
  readonly #base: URL;
  readonly #name: string;
  #authorization: string | undefined;
  /** The registry is in a private network. */
  #isInside = false;

  constructor(reference: string, options: RegistryOptions) {
    const host = registryOf(reference);
    const name = reference.slice(host.length + 1).replace(/[:@].*$/, '');
    const isHub = /^(index\.)?docker\.io$/.test(host);
    this.#options = options;
    this.#base = new URL(`${isLoopback.test(host) ? 'http' : 'https'}://${isHub ? 'registry-1.docker.io' : host}`);
    this.#name = isHub && !name.includes('/') ? `library/${name}` : name;
  }

  /** @param digest as the registry has named it */
  async content(kind: 'manifests' | 'blobs', digest: string): Promise<string> {
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new ImagePullError('pull_failed');
    return await this.read(kind, digest);
  }

  /** @param version a digest, which the content must have, or a tag */
  async read(kind: 'manifests' | 'blobs', version: string): Promise<string> {
    const url = new URL(`/v2/${this.#name}/${kind}/${version}`, this.#base);
    let answer = await this.#get(url);
    if (answer.status === 401 && this.#authorization === undefined) {
      this.#authorization = await this.#logIn(answer.headers['www-authenticate'] ?? '');
      answer = await this.#get(url);
    }
    if (answer.status === 401 || answer.status === 403) throw new ImagePullError('registry_denied');
    if (answer.status === 404) throw new ImagePullError('reference_unknown');
    if (answer.status !== 200 || (version.includes(':') && digestOf(answer.text) !== version))
      throw new ImagePullError('pull_failed');
    return answer.text;
  }

  /** Nothing but the registry and the place of tokens that it names gets the credential. @returns the header of further requests */
  async #logIn(challenge: string): Promise<string> {
    const { credential } = this.#options;
    const basic =
      credential && `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`;
    const [, parameters] = /\bbearer\s+(.*)$/i.exec(challenge) ?? [];
    if (parameters === undefined) {
      if (basic === undefined) throw new ImagePullError('registry_denied');
      return basic;
    }
    const { realm, service } = Object.fromEntries(
      [...parameters.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    ) as Record<string, string | undefined>;
    if (realm === undefined || !URL.canParse(realm)) throw new ImagePullError('pull_failed');
    const url = new URL(realm);
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', `repository:${this.#name}:pull`);
    const { status, text } = await this.#send(url, basic === undefined ? {} : { authorization: basic });
    if ([400, 401, 403].includes(status)) throw new ImagePullError('registry_denied');
    if (status !== 200) throw new ImagePullError('pull_failed');
    const { token, access_token = token } = JSON.parse(text) as { token?: string; access_token?: string };
    return `Bearer ${access_token}`;
  }

  /** Registries keep blobs elsewhere, where their address is the permission. */
  async #get(start: URL): Promise<Answer> {
    let url = start;
    for (let count = 0; count <= maxRedirects; count += 1) {
      const own = this.#authorization === undefined ? {} : { authorization: this.#authorization };
      const headers = { accept: manifestTypes, ...(url.origin === this.#base.origin ? own : {}) };
      const answer = await this.#send(url, headers);
      const { location } = answer.headers;
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
      if (!URL.canParse(location, url)) break;
      url = new URL(location, url);
    }
    throw new ImagePullError('pull_failed');
  }

  /** Another host than the registry's gets requests over TLS only, and none in a network that the registry itself is not in. */
  async #send(url: URL, headers: Record<string, string>): Promise<Answer> {
    const isOwn = url.hostname === this.#base.hostname && [this.#base.protocol, 'https:'].includes(url.protocol);
    const address = url.hostname.replace(/^\[|\]$/g, '');
    if (!isOwn && (url.protocol !== 'https:' || (isIP(address) !== 0 && !mayReach(address, this.#isInside))))
      throw new ImagePullError('pull_failed');
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(requestTimeoutMs)]);
    // Without an agent no connection of others is used, whose address nobody has checked.
    const more = { agent: false, signal, headers, ...(isOwn ? {} : { lookup: checkedLookup(this.#isInside) }) };
    const begin = url.protocol === 'https:' ? secureRequest : plainRequest;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const unreachable = (error?: unknown) =>
        reject(error instanceof ImagePullError ? error : new ImagePullError('registry_unreachable'));
      // An answer that changes the protocol is neither a response nor an error.
      begin(url, more, resolve).on('error', unreachable).on('close', unreachable).end();
    });
    const { remoteAddress } = answer.socket;
    if (isOwn && remoteAddress !== undefined) this.#isInside = !isPublic(remoteAddress);
    const text = await readAtMost(answer, maxAnswerBytes);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }
}

function listOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/** The networks of schools and clusters. The others that are not public are a machine's own, or have the metadata of clouds. */
const isOfSchool = listOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']);
const isReserved = listOf([...privateNetworks, '2001::/23', '2001:db8::/32', '2002::/16']);
const isGlobal = listOf(['0.0.0.0/0', '2000::/3']);
const isPublic = (address: string): boolean => isGlobal(address) && !isReserved(address);
const mayReach = (address: string, isInside: boolean): boolean =>
  isPublic(address) || (isInside && isOfSchool(address));

const checkedLookup =
  (isInside: boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const isRefused = !error && !addresses.every((address) => mayReach(address, isInside));
      callback(isRefused ? new ImagePullError('pull_failed') : error, found as string, family);
    });
