import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { type Cluster, openCluster } from '../../src/adapters/kubernetes/cluster.ts';
import { clusterFacts, rights } from '../../src/adapters/kubernetes/requirements.ts';
import { ConflictError, UnavailableError } from '../../src/errors.ts';
import { type ContainerEngine, NoSuchContainerError } from '../../src/ports/container-engine.ts';
import { closeNamespace, clusterSkip, openClusterEngine } from '../cluster.ts';
import { smallContainer } from '../engines.ts';
import type { TestSettings } from '../settings.ts';
import { until } from '../until.ts';

/** For `then`: whether it succeeded. */
const outcome = [() => true, () => false] as const;

/** What the contract of the port does not have: a cluster that refuses, and Pods that others delete. */
describe('a Kubernetes cluster', { skip: clusterSkip, timeout: 600_000 }, () => {
  const namespace = `test-${randomUUID()}`;
  let cluster: Cluster;
  let engine: ContainerEngine;
  const place = (env: TestSettings = {}) => openClusterEngine({ KUBERNETES_NAMESPACE: namespace, ...env });
  const send = <Result>(method: string, path: string, body?: unknown) =>
    cluster.request<Result>(method, path, { body, signal: AbortSignal.timeout(10_000) });

  before(async () => {
    cluster = await openCluster({ kubeconfig: process.env['KUBECONFIG'], namespace });
    await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    engine = await place();
    // The namespace's account, which the API server asks for in every Pod, is made by a controller.
    await until(
      () =>
        send('GET', cluster.path('serviceaccounts', 'default')).then(
          () => true,
          () => false,
        ),
      'the account',
    );
  });
  after(async () => {
    await engine?.[Symbol.asyncDispose]();
    await send('DELETE', `/api/v1/namespaces/${namespace}`);
    cluster[Symbol.dispose]();
  });

  const refusal = (code: string) => (error: unknown) => error instanceof UnavailableError && error.code === code;
  const pods = async () => (await send<{ items: { metadata: { name: string } }[] }>('GET', cluster.path('pods'))).items;

  it('has Pods without a token, closed by policies, with limits and requests', async () => {
    const spec = { ...smallContainer(), hasInternet: true };
    const ref = await engine.create(spec);
    // biome-ignore lint/suspicious/noExplicitAny: what the API server has stored
    const { spec: pod, metadata } = await send<any>('GET', cluster.path('pods', ref));
    assert.deepEqual(
      [
        pod.restartPolicy,
        pod.automountServiceAccountToken,
        pod.enableServiceLinks,
        pod.securityContext.seccompProfile.type,
      ],
      ['Never', false, false, 'RuntimeDefault'],
    );
    assert.deepEqual(
      pod.volumes.map(({ name }: { name: string }) => name),
      ['grader'],
    );
    const [main] = pod.containers;
    assert.deepEqual(main.securityContext.capabilities.drop, ['ALL']);
    assert.deepEqual(main.volumeMounts, [{ name: 'grader', mountPath: '/.grader', readOnly: true }]);
    assert.deepEqual(main.resources.limits, { cpu: '1', memory: '256Mi', 'ephemeral-storage': '64Mi' });
    assert.equal(main.resources.requests.cpu, '50m');
    assert.equal(metadata.labels['platform.internet'], 'true');
    const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
    // biome-ignore lint/suspicious/noExplicitAny: what the API server has stored
    const { items } = await send<any>('GET', path);
    assert.equal(items.length, 2);
    const [block] = items.flatMap(
      ({ spec: { egress } }: { spec: { egress?: { to: unknown[] }[] } }) => egress?.[0]?.to ?? [],
    );
    assert.ok(block.ipBlock.except.includes('169.254.0.0/16') && block.ipBlock.except.includes('10.0.0.0/8'));
    await engine.remove(ref);
  });

  it('without room, by a quota or on every node, refuses and keeps nothing', async () => {
    await using elsewhere = await place({ KUBERNETES_NODE_SELECTOR: 'platform.test=no-such-node' });
    await assert.rejects(elsewhere.create(smallContainer()), refusal('no_capacity'));
    {
      await using _quota = await closeNamespace(namespace);
      await assert.rejects(engine.create(smallContainer()), refusal('no_capacity'));
    }
    assert.equal(engine.problem(), undefined);
    await until(async () => (await pods()).length === 0, 'no Pod is left');
  });

  it('without an image refuses, whether the image is known to the service or not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platform-test-'));
    try {
      const path = join(folder, 'images.json');
      const image = { RepoTags: ['no.such.registry.example.com/school/python:3'], Config: { Cmd: ['/bin/sh'] } };
      await writeFile(path, JSON.stringify([image]));
      await using described = await place({ KUBERNETES_IMAGES: path });
      await assert.rejects(described.create(smallContainer(image.RepoTags[0])), refusal('image_missing'));
      await assert.rejects(engine.create(smallContainer(image.RepoTags[0])), refusal('image_missing'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('that deletes a Pod ends its streams, and the container is gone', async () => {
    const ref = await engine.create(smallContainer());
    const shell = new SshShell({ engine });
    const connection = await shell.connect(ref, 'grader');
    await send('DELETE', cluster.path('pods', ref));
    await connection.closed;
    assert.equal(await engine.inspect(ref), undefined);
    for (const use of [() => engine.start(ref), () => engine.rename(ref, 'x'), () => engine.restart(ref)])
      await assert.rejects(use, NoSuchContainerError);
    await engine.remove(ref);
  });

  it('that removes a Pod before it runs refuses the container at once', async () => {
    const refused = assert.rejects(engine.create(smallContainer()), /has ended|removed before it ran/);
    await until(async () => {
      const [pod] = await pods();
      if (!pod) return false;
      await send('DELETE', cluster.path('pods', pod.metadata.name), { gracePeriodSeconds: 0 });
      return true;
    }, 'the Pod');
    await refused;
  });

  it('that has lost a node ends the streams of its Pods', async () => {
    const ref = await engine.create(smallContainer());
    const shell = new SshShell({ engine });
    const connection = await shell.connect(ref, 'grader');
    // What the controller of nodes does. A node that is lost does not close its connections.
    const body = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    const contentType = 'application/strategic-merge-patch+json';
    await cluster.request('PATCH', cluster.path('pods', ref, 'status'), { body, contentType });
    await connection.closed;
    await engine.remove(ref);
  });

  it('keeps a sandbox running whose home is too large, and resumes an interrupted stop', async () => {
    await using small = await place({ maxHomeMb: 1 });
    const ref = await small.create(smallContainer('platform-sandbox'));
    const shell = new SshShell({ engine: small });
    const run = async (script: string) => {
      await using connection = await shell.connect(ref, 'grader');
      return (await connection.runScript(script, { seconds: 10, outputBytes: 1000 })).output;
    };
    await run('head -c 2000000 /dev/urandom >/home/student/big');
    await assert.rejects(small.stop(ref), (error) => error instanceof ConflictError && error.code === 'home_too_large');
    assert.equal((await small.inspect(ref))?.isRunning, true);
    await until(async () => /infinity/.test(await run('ps').catch(() => '')), "the image's command again");
    await run('rm /home/student/big; echo mine >/home/student/file');

    // A process that died after it had stored the home and recorded it.
    const { metadata } = await send<{ metadata: { labels: object; annotations: object } }>(
      'GET',
      cluster.path('pods', ref),
    );
    await small.stop(ref);
    await small.start(ref);
    const record = {
      name: ref,
      labels: { ...metadata.labels, 'platform.stopped': 'true' },
      annotations: metadata.annotations,
    };
    await send('POST', cluster.path('configmaps'), { metadata: record });
    assert.equal((await small.inspect(ref))?.isRunning, false);
    assert.equal((await small.list()).length, 1);
    await small.start(ref);
    assert.equal(await run('cat /home/student/file'), 'mine\n');
    await small.remove(ref);
  });

  // Long: one home folder, saved, changed, saved again and restored.
  it('saves the home of a running container if it has changed, and replaces a lost container with it', async () => {
    await using small = await place({ maxHomeMb: 1 });
    const { homes } = small;
    assert.ok(homes);
    const losses: string[] = [];
    homes.onLost((ref) => losses.push(ref));
    const savedOf = async () => {
      const uids: string[] = [];
      for await (const { uid } of homes.saved()) uids.push(uid);
      return uids;
    };
    const spec = smallContainer('platform-sandbox');
    const ref = await small.create(spec);
    const shell = new SshShell({ engine: small });
    const runIn = async (pod: string, script: string) => {
      await using connection = await shell.connect(pod, 'grader');
      return (await connection.runScript(script, { seconds: 10, outputBytes: 1000 })).output;
    };
    const run = (script: string) => runIn(ref, script);

    const first = await homes.save(ref, null);
    assert.equal(first.isSaved, true);
    assert.deepEqual(await homes.save(ref, first.mark), { mark: first.mark, isSaved: false });
    await run('cd /home/student; echo mine >file; echo old >gone; rm .bashrc; chown -R student: .');
    const second = await homes.save(ref, first.mark);
    assert.equal(second.isSaved && second.mark !== first.mark, true);
    // The same size and the same time of the content.
    await run('cd /home/student; touch -r file stamp; echo hers >file; touch -r stamp file; rm stamp gone');
    const third = await homes.save(ref, second.mark);
    assert.equal(third.isSaved, true);
    await run('head -c 2000000 /dev/urandom >/home/student/big');
    await assert.rejects(
      homes.save(ref, third.mark),
      (error) => error instanceof ConflictError && error.code === 'home_too_large',
    );
    assert.deepEqual(await savedOf(), [spec.uid]);

    // As a cluster evicts it.
    await send('POST', cluster.path('pods', ref, 'eviction'), {
      ...{ apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: ref, namespace } },
    });
    await until(() => losses.includes(ref), 'a report of the loss');
    await assert.rejects(homes.save(ref, null), NoSuchContainerError);
    const replaced = await homes.replace(ref, { ...spec, uid: randomUUID() });
    assert.equal(replaced.hasHome, true);
    assert.equal(
      await runIn(replaced.ref, 'cd /home/student; cat file; ls -A file gone .bashrc big 2>/dev/null; stat -c %U file'),
      'hers\nfile\nstudent\n',
    );
    await homes.forget(spec.uid);
    // It has a home of its own from its first moment.
    assert.equal((await savedOf()).length, 1);
    await small.remove(replaced.ref);
    assert.deepEqual(await savedOf(), []);
  });

  it('replaces a lost container only while there is room, and keeps the lost one', async () => {
    const spec = smallContainer();
    const ref = await engine.create(spec);
    assert.ok(engine.homes);
    await using elsewhere = await place({ KUBERNETES_NODE_SELECTOR: 'platform.test=no-such-node' });
    assert.ok(elsewhere.homes);
    await assert.rejects(elsewhere.homes.replace(ref, { ...spec, uid: randomUUID() }), refusal('no_capacity'));
    assert.equal((await engine.inspect(ref))?.isRunning, true);
    const { ref: other, hasHome } = await engine.homes.replace(ref, { ...spec, uid: randomUUID() });
    assert.equal(hasHome, false);
    await engine.remove(ref);
    await engine.remove(other);
  });

  // Long: each right is taken away and reported.
  it('reports which rights the service lacks', async () => {
    assert.deepEqual((await clusterFacts(cluster)).missing, []);
    const account = `test-${randomUUID()}`;
    await send('POST', cluster.path('serviceaccounts'), { metadata: { name: account } });
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const rules = rights.map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs }));
    // Enough to read, and not to create.
    const lesser = rules.map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== 'create') }));
    await send('POST', `${path}/roles`, { metadata: { name: account }, rules: lesser });
    await send('POST', `${path}/rolebindings`, {
      metadata: { name: account },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    });
    const kubeconfig = await kubeconfigOf(account);
    await using limited = await place({ KUBECONFIG: kubeconfig });
    using asLimited = await openCluster({ kubeconfig, namespace });
    const lacks = ['pods', 'pods/exec', 'configmaps', 'secrets', 'networkpolicies'];
    assert.deepEqual(
      (await clusterFacts(asLimited)).missing,
      lacks.map((resource) => `the right to create ${resource}`),
    );
    using nowhere = await openCluster({ kubeconfig: process.env['KUBECONFIG'], namespace: 'no-such-namespace' });
    assert.deepEqual((await clusterFacts(nowhere)).missing, ['the namespace no-such-namespace']);
    await limited.probe();
    await assert.rejects(limited.create(smallContainer()), refusal('engine_unavailable'));
    assert.match(limited.problem() ?? '', /lacks a right/);

    await send('PUT', `${path}/roles/${account}`, { metadata: { name: account }, rules });
    // The API server learns of a changed Role in a moment.
    const refs: string[] = [];
    const tryToCreate = async () => void refs.push(await limited.create(smallContainer()));
    await until(() => tryToCreate().then(...outcome), 'the rights');
    const [ref = ''] = refs;
    await limited.rename(ref, 'renamed');
    await limited.stop(ref);
    await limited.start(ref);
    assert.equal((await limited.list()).length, 1);
    await limited.remove(ref);
    assert.equal(limited.problem(), undefined, 'these rights are enough');
  });

  async function kubeconfigOf(account: string): Promise<string> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const path = cluster.path('serviceaccounts', account, 'token');
    const { status } = await send<{ status: { token: string } }>('POST', path, body);
    const folder = await mkdtemp(join(tmpdir(), 'platform-test-'));
    after(() => rm(folder, { recursive: true, force: true }));
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromFile(process.env['KUBECONFIG'] ?? '');
    const [user] = config.getUsers();
    const named = {
      ...JSON.parse(config.exportConfig()),
      users: [{ name: user?.name, user: { token: status.token } }],
    };
    const file = join(folder, 'kubeconfig');
    await writeFile(file, JSON.stringify(named), { mode: 0o600 });
    return file;
  }
});
