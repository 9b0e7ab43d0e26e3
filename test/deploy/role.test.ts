import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { type Cluster, openCluster } from '../../src/adapters/kubernetes/cluster.ts';
import { clusterFacts } from '../../src/adapters/kubernetes/requirements.ts';
import { clusterRegistrySkip, openClusterEngine, removeFromCluster } from '../cluster.ts';
import { smallContainer } from '../engines.ts';
import { ImageRegistry } from '../image-registry.ts';
import { until } from '../until.ts';
import { manifest } from './manifests.ts';

type Rule = { apiGroups: string[]; resources: string[]; verbs: string[] };

const role = manifest('Role').rules as Rule[];
const rights = role.flatMap(({ resources, verbs }) =>
  resources.flatMap((resource) => verbs.map((verb) => ({ resource, verb }))),
);
/** Newer clusters ask for it when a WebSocket is opened, this one may not. */
const isNewer = ({ resource, verb }: (typeof rights)[number]): boolean => resource === 'pods/exec' && verb === 'create';

/** Each right is removed from the Role of the manifests, one at a time. Something that the service does must then fail. */
describe('the Role of the manifests', { skip: clusterRegistrySkip, timeout: 600_000 }, () => {
  const namespace = `test-${randomUUID()}`;
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  let cluster: Cluster;
  let folder: string;
  let registry: ImageRegistry;
  const send = <Result>(method: string, path: string, body?: unknown) =>
    cluster.request<Result>(method, path, { body, signal: AbortSignal.timeout(30_000) });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platform-test-'));
    registry = await ImageRegistry.start();
    await registry.push('bare:1', 'platform-grader');
    cluster = await openCluster({ kubeconfig: process.env['KUBECONFIG'], namespace });
    await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const account = () => send('GET', cluster.path('serviceaccounts', 'default'));
    await until(
      () =>
        account().then(
          () => true,
          () => false,
        ),
      'the account of the namespace',
    );
  });
  after(async () => {
    await send('DELETE', `/api/v1/namespaces/${namespace}`);
    cluster[Symbol.dispose]();
    await registry[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** A kubeconfig of an account with these rules. */
  async function accountWith(rules: readonly Rule[]): Promise<string> {
    const name = `test-${randomUUID()}`;
    await send('POST', cluster.path('serviceaccounts'), { metadata: { name } });
    await send('POST', `${rbac}/roles`, { metadata: { name }, rules });
    await send('POST', `${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await send<{ status: { token: string } }>(
      'POST',
      cluster.path('serviceaccounts', name, 'token'),
      body,
    );
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromFile(process.env['KUBECONFIG'] ?? '');
    const [user] = config.getUsers();
    const users = [{ name: user?.name, user: { token: status.token } }];
    const path = join(folder, name);
    await writeFile(path, JSON.stringify({ ...JSON.parse(config.exportConfig()), users }), { mode: 0o600 });
    return path;
  }

  /** What the service does with containers. @throws if a right for it is missing */
  async function exercise(kubeconfig: string): Promise<void> {
    const installation = `test-${randomUUID()}`;
    const place = { KUBECONFIG: kubeconfig, KUBERNETES_NAMESPACE: namespace, engineTimeoutSeconds: 20 };
    try {
      await using engine = await openClusterEngine(place, installation);
      await engine.probe();
      const ref = await engine.create(smallContainer('platform-sandbox'));
      await engine.rename(ref, 'renamed');
      assert.ok(await engine.inspect(ref));
      const shell = new SshShell({ engine });
      {
        await using _connection = await shell.connect(ref, 'grader');
      }
      await engine.stop(ref);
      await engine.rename(ref, 'renamed-again');
      assert.equal((await engine.list()).length, 1);
      await engine.start(ref);
      // A second process finds the policies of the first.
      await using second = await openClusterEngine(place, installation);
      await second.remove(await second.create(smallContainer()));
      await engine.remove(ref);
      const reference = registry.reference('bare:1');
      const pulled = await engine.images?.pull(reference, {
        ...{ credential: registry.credential, signal: AbortSignal.timeout(60_000) },
        ...{ onFound: async () => {}, onProgress: () => {} },
      });
      assert.equal(await engine.images?.remove(pulled?.imageId ?? '', reference), true);
    } finally {
      await removeFromCluster(installation, namespace);
    }
  }

  const without = ({ resource, verb }: (typeof rights)[number]): Rule[] =>
    role
      .map((rule) =>
        rule.resources.includes(resource) ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
      )
      .filter(({ verbs }) => verbs.length > 0);

  it('is enough', async () => {
    await exercise(await accountWith(role));
  });

  // Long: a few at once, because each waits for Pods most of the time.
  it('has no right that could be removed', async () => {
    const left = [...rights];
    const needless: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let right = left.shift(); right; right = left.shift()) {
          const name = `${right.verb} ${right.resource}`;
          const kubeconfig = await accountWith(without(right));
          using account = await openCluster({ kubeconfig, namespace });
          assert.deepEqual((await clusterFacts(account)).missing, [`the right to ${right.verb} ${right.resource}`]);
          const failure = await exercise(kubeconfig).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure === undefined && !isNewer(right)) needless.push(name);
        }
      }),
    );
    assert.deepEqual(needless, []);
  });
});
