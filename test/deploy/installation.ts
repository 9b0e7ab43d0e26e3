import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Tuning } from '../../src/config/tuning.ts';
import { apply, forwardToLoopback, kubectl } from './kubectl.ts';
import { folder as manifests } from './manifests.ts';

/** The users of the Pods, to which the folders of the volumes belong. */
const users = { service: 1000, database: 999 };

/** What a cluster for tests has in place of Services, storage classes and a registry. */
type Surroundings = {
  /** The node that runs everything. */
  node: string;
  /** Its address. */
  address: string;
  /** Whether that is an address of this machine. */
  isHere: boolean;
};

/**
 * The manifests of `deploy/kubernetes` in namespaces of their own, on one node. An overlay has the differences from a usual cluster, as
 * in any installation: names of images, volumes on the node, small requests, and the address of an API server that listens on
 * this machine only.
 */
export class Installation implements AsyncDisposable {
  readonly name = `test-${randomBytes(4).toString('hex')}`;
  /** Of the containers. */
  readonly containers = `${this.name}-containers`;
  readonly #image: string;
  readonly #folder: string;
  readonly #place: Surroundings;
  readonly #cleanup: AsyncDisposableStack;
  #kubeconfig: object | undefined;

  private constructor(image: string, folder: string, place: Surroundings, cleanup: AsyncDisposableStack) {
    this.#image = image;
    this.#folder = folder;
    this.#place = place;
    this.#cleanup = cleanup;
  }

  /** Creates the namespaces. @param image of the service; `IMAGE-postgres` is that of the database */
  static async create(image: string): Promise<Installation> {
    const cleanup = new AsyncDisposableStack();
    try {
      const folder = await mkdtemp(join(tmpdir(), 'platform-deploy-'));
      cleanup.defer(() => rm(folder, { recursive: true, force: true }));
      const own = new Installation(image, folder, await surroundings(), cleanup);
      await own.#prepare();
      return own;
    } catch (error) {
      await cleanup.disposeAsync();
      throw error;
    }
  }

  /** Creates a Secret, or replaces its values. */
  async putSecret(name: string, values: Record<string, string>): Promise<void> {
    await apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: this.name }, stringData: values });
  }

  /** Makes a port of this machine reachable from the Pods. @returns `HOST:PORT` */
  async reach(port: number): Promise<string> {
    const forward = this.#cleanup.use(await forwardToLoopback(this.#place.address, port));
    return `${this.#place.address}:${forward.port}`;
  }

  /** `kubectl apply -k` of a folder of the manifests with the components, and waits until it runs. */
  async apply(path: string, workload: string, components: readonly string[] = []): Promise<void> {
    const [kind = ''] = workload.split('/');
    await kubectl('apply', '--kustomize', await this.#writeOverlay(path, kind, components));
    await this.kubectl('rollout', 'status', workload, '--timeout=300s');
  }

  /** The server checks the manifests of an overlay with the components, and changes nothing. @returns what it would create or change */
  async tryOut(path: string, components: readonly string[]): Promise<string> {
    const overlay = await this.#writeOverlay(path, 'deployment', components);
    return await kubectl('apply', '--dry-run=server', '--output=name', '--kustomize', overlay);
  }

  /** @param kind of the workload @returns a folder */
  async #writeOverlay(path: string, kind: string, components: readonly string[]): Promise<string> {
    const overlay = join(this.#folder, `test-${path.replaceAll('/', '-')}`);
    await mkdir(overlay, { recursive: true });
    const isService = kind === 'deployment';
    const settings = {
      KUBERNETES_NODE_SELECTOR: `kubernetes.io/hostname=${this.#place.node}`,
      KUBERNETES_REQUEST_PERCENT: '5',
      WARM_CONTAINERS: '0',
      // For a machine that does other work as well.
      SERVICE_TUNING: JSON.stringify({ engineTimeoutSeconds: 120 } satisfies Partial<Tuning>),
      ...(this.#kubeconfig ? { KUBECONFIG: '/cluster/kubeconfig' } : {}),
    };
    const cluster = this.#kubeconfig
      ? {
          volumes: [{ name: 'cluster', secret: { secretName: 'cluster' } }],
          mounts: { volumeMounts: [{ name: 'cluster', mountPath: '/cluster' }] },
        }
      : { volumes: [], mounts: {} };
    const container = {
      name: isService ? 'service' : 'postgres',
      resources: { requests: { cpu: '200m', memory: '128Mi' } },
      ...(isService ? cluster.mounts : {}),
    };
    const spec = {
      nodeSelector: { 'kubernetes.io/hostname': this.#place.node },
      containers: [container],
      ...(isService ? { volumes: cluster.volumes } : {}),
    };
    const patch = { apiVersion: 'apps/v1', kind, metadata: { name: 'x' }, spec: { template: { spec } } };
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [`../${path}`],
      components: components.map((component) => `../components/${component}`),
      images: [
        { name: 'learning-platform-service', newName: this.#image, newTag: 'latest' },
        { name: 'postgres', newName: `${this.#image}-postgres`, newTag: 'latest' },
      ],
      patches: [{ target: { kind: isService ? 'Deployment' : 'StatefulSet' }, patch: stringify(patch) }],
      ...(isService
        ? {
            configMapGenerator: [
              {
                ...{ name: 'learning-platform', namespace: this.name, behavior: 'merge' },
                literals: Object.entries(settings).map(([key, value]) => `${key}=${value}`),
              },
            ],
          }
        : {}),
    };
    await writeFile(join(overlay, 'kustomization.yaml'), stringify(kustomization));
    return overlay;
  }

  /** `kubectl` in the namespace of the service. */
  async kubectl(...args: string[]): Promise<string> {
    return await kubectl(`--namespace=${this.name}`, ...args);
  }

  /** The names of the Pods of the service or the database that are not ending. */
  async pods(component: 'service' | 'database'): Promise<{ name: string; address: string }[]> {
    const text = await this.kubectl(
      'get',
      'pods',
      '--output=json',
      `--selector=app.kubernetes.io/component=${component}`,
    );
    const { items } = JSON.parse(text) as {
      items: { metadata: { name: string; deletionTimestamp?: string }; status: { podIP: string } }[];
    };
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata, status }) => ({ name: metadata.name, address: status.podIP }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }

  async #prepare(): Promise<void> {
    await this.#copyManifests();
    this.#cleanup.defer(() => this.#remove());
    await kubectl('apply', '--filename', join(this.#folder, 'base/namespaces.yaml'));
    await this.#reachApiServer();
    const { name } = this;
    for (const [volume, claim] of [
      ['service', 'learning-platform-data'],
      ['database', 'data-database-0'],
    ] as const) {
      const path = join(this.#folder, 'volumes', volume);
      await mkdir(path, { recursive: true, mode: 0o700 });
      await chown(path, users[volume], users[volume]);
      await apply({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `${name}-${volume}` },
        spec: {
          ...{ accessModes: ['ReadWriteOnce'], capacity: { storage: '20Gi' }, hostPath: { path } },
          claimRef: { namespace: name, name: claim },
        },
      });
    }
  }

  /** Names of namespaces cannot be changed by an overlay that has two of them. */
  async #copyManifests(): Promise<void> {
    await cp(manifests, this.#folder, { recursive: true });
    for (const path of globSync('**/*.{yaml,env}', { cwd: this.#folder })) {
      const text = await readFile(join(this.#folder, path), 'utf8');
      const renamed = text
        .replaceAll('learning-platform-containers', this.containers)
        .replaceAll(/namespace: learning-platform$/gm, `namespace: ${this.name}`);
      const isNamespaces = path.endsWith('namespaces.yaml');
      await writeFile(
        join(this.#folder, path),
        isNamespaces ? renamed.replaceAll('name: learning-platform\n', `name: ${this.name}\n`) : renamed,
      );
    }
  }

  /** A kubeconfig for Pods that do not reach the API server by its Service. The token is that of the Pod's service account. */
  async #reachApiServer(): Promise<void> {
    if (!this.#place.isHere) return;
    const config = JSON.parse(await kubectl('config', 'view', '--minify', '--raw', '--output=json')) as {
      clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    };
    const [named] = config.clusters;
    if (!named) throw new Error('the kubeconfig has no cluster');
    const server = new URL(named.cluster.server);
    if (server.hostname !== '127.0.0.1') return;
    const cluster = {
      ...named.cluster,
      server: `https://${await this.reach(Number(server.port))}`,
      'tls-server-name': 'kubernetes.default.svc',
    };
    const tokenFile = '/var/run/secrets/kubernetes.io/serviceaccount/token';
    this.#kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'own' },
      clusters: [{ name: 'own', cluster }],
      contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
      users: [{ name: 'own', user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } }],
    };
    await this.putSecret('cluster', { kubeconfig: JSON.stringify(this.#kubeconfig) });
  }

  async #remove(): Promise<void> {
    for (const namespace of [this.name, this.containers]) {
      await kubectl(`--namespace=${namespace}`, 'delete', 'deployments,statefulsets', '--all', '--wait=false');
      await kubectl(`--namespace=${namespace}`, 'delete', 'pods', '--all', '--force', '--grace-period=0');
      await kubectl('delete', 'namespace', namespace, '--wait=false');
    }
    for (const volume of ['service', 'database'])
      await kubectl('delete', 'persistentvolume', `${this.name}-${volume}`, '--ignore-not-found', '--wait=false');
  }
}

async function surroundings(): Promise<Surroundings> {
  const { items } = JSON.parse(await kubectl('get', 'nodes', '--output=json')) as {
    items: {
      metadata: { name: string };
      status: { addresses: { type: string; address: string }[]; conditions: { type: string; status: string }[] };
    }[];
  };
  const ready = items.find(({ status }) =>
    status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
  const address = ready?.status.addresses.find(({ type }) => type === 'InternalIP')?.address;
  if (!ready || address === undefined) throw new Error('the cluster has no node that is ready');
  return { node: ready.metadata.name, address, isHere: await canListen(address) };
}

/** A bridge without Pods is not in the list of the system's interfaces. */
async function canListen(address: string): Promise<boolean> {
  const server = createServer().listen(0, address);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
