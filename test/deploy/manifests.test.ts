import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { rights } from '../../src/adapters/kubernetes/requirements.ts';
import { loadConfig } from '../../src/config.ts';
import { TestServer } from '../server.ts';
import { folder, kustomizations, manifest, manifests, settings } from './manifests.ts';

const root = join(folder, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const isPart = (part: object, whole: object): boolean =>
  Object.entries(part).every(([key, value]) => (whole as Record<string, unknown>)[key] === value);

describe('the manifests of Kubernetes', () => {
  const deployment = manifest('Deployment').spec;
  const pod = deployment.template.spec;
  const [container] = pod.containers;
  const { labels } = deployment.template.metadata;

  it('use stable API versions, but for the resources of the Prometheus Operator', () => {
    const stable =
      /^(v1|apps\/v1|batch\/v1|networking\.k8s\.io\/v1|rbac\.authorization\.k8s\.io\/v1|node\.k8s\.io\/v1)$/;
    const others = manifests().filter(({ apiVersion }) => !stable.test(apiVersion));
    assert.deepEqual(others.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort(), [
      'autoscaling/v2 HorizontalPodAutoscaler',
      'monitoring.coreos.com/v1 PrometheusRule',
      'monitoring.coreos.com/v1 ServiceMonitor',
      'policy/v1 PodDisruptionBudget',
    ]);
  });

  it('refer to existing files, and every file is used', () => {
    const used = kustomizations().flatMap(({ path, resources = [], components = [], configMapGenerator = [] }) => {
      const generated = configMapGenerator.flatMap(({ envs = [], files = [] }) => [...envs, ...files]);
      const names = [...resources, ...components, ...generated.map((name) => name.replace(/^.*=/, ''))];
      return names.map((name) => join(dirname(path), name));
    });
    assert.deepEqual(
      used.filter((path) => !existsSync(path)),
      [],
    );
    const all = globSync('**/*.{yaml,json,env}', { cwd: folder }).filter(
      (path) => !path.endsWith('kustomization.yaml'),
    );
    assert.deepEqual(
      all.filter((path) => !used.includes(join(folder, path))),
      [],
    );
  });

  it('select the replicas by their labels, and their ports by name', () => {
    assert.ok(isPart(deployment.selector.matchLabels, labels));
    const service = manifest('Service', 'learning-platform');
    assert.ok(isPart(service.spec.selector, labels));
    assert.ok(isPart(manifest('PodDisruptionBudget').spec.selector.matchLabels, labels));
    assert.ok(isPart(manifest('NetworkPolicy', 'learning-platform-service').spec.podSelector.matchLabels, labels));
    const [rule] = manifest('NetworkPolicy', 'database').spec.ingress;
    assert.ok(isPart(rule.from[0].podSelector.matchLabels, labels));
    const monitor = manifest('ServiceMonitor').spec;
    assert.ok(isPart(monitor.selector.matchLabels, service.metadata.labels));
    const [port] = container.ports;
    assert.equal(service.spec.ports[0].targetPort, port.name);
    for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert.equal(container[kind].httpGet.port, port.name);
    assert.equal(monitor.endpoints[0].port, service.spec.ports[0].name);
    const [path] = manifest('Ingress').spec.rules[0].http.paths;
    assert.deepEqual(path.backend.service, { name: service.metadata.name, port: { name: service.spec.ports[0].name } });
    assert.equal(manifest('HorizontalPodAutoscaler').spec.scaleTargetRef.name, manifest('Deployment').metadata.name);
  });

  it('name the images and the secrets that the documentation creates', () => {
    const images = kustomizations().flatMap(({ images: named = [] }) => named.map(({ name }) => name));
    assert.ok(images.includes(container.image));
    const document = text('docs/kubernetes.md');
    assert.ok(document.includes(container.image));
    const [, { secretRef }] = container.envFrom;
    const { name, key } = manifest('ServiceMonitor').spec.endpoints[0].authorization.credentials;
    const [database] = manifest('StatefulSet').spec.template.spec.containers;
    const { secretKeyRef } = database.env.find(
      ({ name: one }: { name: string }) => one === 'POSTGRES_PASSWORD',
    ).valueFrom;
    assert.equal(name, secretRef.name);
    for (const secret of [secretRef.name, secretKeyRef.name])
      assert.match(document, new RegExp(`create secret generic ${secret}\\b`));
    for (const one of [key, 'DATABASE_URL', 'SECRET_KEY', secretKeyRef.key])
      assert.match(document, new RegExp(`--from-literal=${one}=`));
  });

  it('give the service a configuration that it accepts, with known settings only', () => {
    const sources = globSync('src/config/*.ts', { cwd: root }).map(text).join('');
    const known = [...sources.matchAll(/env\.\w+\('([A-Z0-9_]+)'/g)].map(([, name]) => name ?? '');
    const own = container.env.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'HOME');
    assert.deepEqual(
      [...Object.keys(settings()), ...own].filter((name) => !known.includes(name)),
      [],
    );
    const secrets = { DATABASE_URL: 'postgresql://platform:x@database/platform', SECRET_KEY: 'x'.repeat(32) };
    const config = loadConfig({ ...settings(), ...secrets });
    assert.deepEqual([config.engine.kind, config.processes], ['kubernetes', 1]);
    const namespaces = manifests().filter(({ kind }) => kind === 'Namespace');
    assert.ok(namespaces.some(({ metadata }) => metadata.name === config.kubernetes.namespace));
    assert.equal(manifest('Role').metadata.namespace, config.kubernetes.namespace);
    const stop = (config.stopDelay + config.stopTimeout) / 1000;
    assert.ok(pod.terminationGracePeriodSeconds > stop + 10, 'there is time to end');
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    assert.ok(config.stopDelay / 1000 > periodSeconds * failureThreshold, 'the cluster notices first');
  });

  it('grant exactly the rights that the service uses', () => {
    const granted = manifest('Role').rules.map(
      ({ apiGroups, resources, verbs }: { apiGroups: string[]; resources: string[]; verbs: string[] }) => ({
        group: apiGroups.join(),
        resource: resources.join(),
        verbs,
      }),
    );
    assert.deepEqual(granted, rights);
    const table = text('docs/kubernetes.md');
    for (const { resource, verbs } of rights)
      assert.match(table, new RegExp(`^\\| \`${resource}\`[^|]*\\| ${verbs.join(', ')} \\|$`, 'm'));
  });

  it('run Pods without privileges, and without a token where none is used', () => {
    for (const spec of [pod, manifest('StatefulSet').spec.template.spec]) {
      assert.equal(spec.securityContext.runAsNonRoot, true);
      assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
      for (const { securityContext, resources } of spec.containers) {
        assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
        assert.deepEqual(
          [securityContext.allowPrivilegeEscalation, securityContext.readOnlyRootFilesystem],
          [false, true],
        );
        assert.ok(resources.requests.memory && resources.limits.memory);
      }
    }
    assert.equal(manifest('StatefulSet').spec.template.spec.automountServiceAccountToken, false);
  });
});

/** The names of metrics in an expression of Prometheus. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without) ?\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)].map(([name]) => name).filter((name) => name !== 'by');
}

describe('the dashboard and the alerts', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());

  type Panel = { title: string; targets: { expr: string }[] };
  type Rules = { rules: { alert: string; expr: string }[] };
  const panels = (JSON.parse(text('deploy/kubernetes/components/monitoring/dashboard.json')) as { panels: Panel[] })
    .panels;
  const alerts = manifest('PrometheusRule').spec.groups.flatMap(({ rules }: Rules) => rules) as Rules['rules'];
  const expressions = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.map(({ expr }) => expr),
  ];

  it('use metrics that the service has, and the autoscaler as well', async () => {
    await server.request('GET', '/healthz');
    const answer = await server.request('GET', '/metrics');
    const names = new Set(
      [...answer.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
      ),
    );
    const used = expressions.flatMap(metricsIn);
    const [{ pods }] = manifest('HorizontalPodAutoscaler').spec.metrics;
    assert.ok(new Set(used).size >= 15, 'the expressions are read');
    assert.deepEqual(
      [...used, pods.metric.name].filter((name) => !names.has(name)),
      [],
    );
  });

  it('select routes that exist, and the job that the ServiceMonitor makes', async () => {
    const routes = [...text('docs/endpoints.md').matchAll(/`(?:GET|POST) (\/[^`\s]+)`/g)].map(([, path = '']) =>
      path.replaceAll(/\{(\w+)\}/g, ':$1'),
    );
    const service = manifest('Service', 'learning-platform').metadata.name;
    for (const expression of expressions) {
      assert.ok(expression.includes(`job="${service}"`), expression);
      const [, pattern] = /route=~"([^"]+)"/.exec(expression) ?? [];
      if (pattern !== undefined)
        assert.ok(
          routes.some((path) => new RegExp(`^${pattern}$`).test(path)),
          expression,
        );
    }
  });
});

it('the image starts Node as the launcher does', () => {
  const launcher = text('launch.mjs');
  const image = text('Dockerfile');
  const [, options = ''] = /nodeOptions = \[([^\]]*)\]/.exec(launcher) ?? [];
  const [, arenas = ''] = /MALLOC_ARENA_MAX: '(\d+)'/.exec(launcher) ?? [];
  assert.ok(image.includes(`CMD ["node", ${options.replaceAll("'", '"')}, "src/main.ts"`));
  assert.match(image, new RegExp(`^ENV MALLOC_ARENA_MAX=${arenas}$`, 'm'));
});
