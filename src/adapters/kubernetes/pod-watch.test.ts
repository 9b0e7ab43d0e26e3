import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { KubeConfig } from '@kubernetes/client-node';
import { until } from '../../../test/until.ts';
import { UnavailableError } from '../../errors.ts';
import { Cluster } from './cluster.ts';
import { ApiError, kubernetesFailures, PodError } from './failures.ts';
import type { podManifest } from './pod-manifest.ts';
import { PodWatch } from './pod-watch.ts';
import { Pods } from './pods.ts';

type Handler = (url: URL, answer: ServerResponse, request: IncomingMessage) => void;

const pod = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
const list = (version: string, ...items: object[]) => JSON.stringify({ metadata: { resourceVersion: version }, items });

/** The fake is an API server that fails in ways that a healthy one does not. */
describe('the API server of a cluster', () => {
  let cluster: Cluster;
  let handlers: Handler[];
  const requests: string[] = [];
  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    requests.push(
      `${url.searchParams.get('watch') ? 'watch' : 'list'} ${url.searchParams.get('resourceVersion') ?? ''}`.trim(),
    );
    const handler = handlers.shift();
    // Without a handler a request stays open.
    handler?.(url, answer, request);
  });

  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    handlers = [];
    requests.length = 0;
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [
        { name: 'c', server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, skipTLSVerify: true },
      ],
      users: [{ name: 'u' }],
      contexts: [{ name: 'x', cluster: 'c', user: 'u', namespace: 'school' }],
      currentContext: 'x',
    });
    cluster = new Cluster(config, undefined);
  });
  afterEach(async () => {
    cluster[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('has its watch resumed from the last version, and its Pods listed again when that is too old', async () => {
    handlers = [
      (_url, answer) => answer.end(list('10', pod('a', '5'), pod('b', '6'))),
      (_url, answer) => answer.end(event('MODIFIED', pod('a', '11')) + event('BOOKMARK', pod('', '15'))),
      (_url, answer) => answer.destroy(),
      (_url, answer) => answer.end(event('ADDED', pod('c', '20'))),
      (_url, answer) => answer.end(event('ERROR', { code: 410, reason: 'Expired' })),
      // `b` was deleted while nobody watched.
      (_url, answer) => answer.end(list('30', pod('a', '11'), pod('c', '20'))),
      (_url, answer) => answer.writeHead(410).end('{"message":"too old resource version"}'),
      (_url, answer) => answer.end(list('40', pod('a', '11'))),
    ];
    const heard: string[] = [];
    await using watch = new PodWatch(cluster, 'platform.installation=1');
    watch.listen((name, seen) => heard.push(`${seen ? seen.metadata.resourceVersion : 'gone'} ${name}`));
    await until(async () => requests.length === 9, 'all requests');
    assert.deepEqual(requests, [
      'list',
      'watch 10',
      'watch 15',
      'watch 15',
      'watch 20',
      'list',
      'watch 30',
      'list',
      'watch 40',
    ]);
    assert.deepEqual(heard, ['5 a', '6 b', '11 a', '20 c', 'gone b', '11 a', '20 c', 'gone c', '11 a']);
  });

  it('that removes a new Pod ends its start, which the end of one of the same name does not', async () => {
    const uid = (own: string, version: string) => ({ metadata: { name: 'a', uid: own, resourceVersion: version } });
    const events = Promise.withResolvers<ServerResponse>();
    const created = Promise.withResolvers<ServerResponse>();
    const serve: Handler = (url, answer, { method }) => {
      if (method === 'POST') created.resolve(answer);
      else if (method === 'DELETE') answer.end('{}');
      else if (url.searchParams.has('watch')) events.resolve(answer);
      else answer.end(list('1'));
    };
    handlers = Array.from({ length: 4 }, () => serve);
    await using watch = new PodWatch(cluster, 'platform.installation=1');
    const manifest = { metadata: { name: 'a' } } as ReturnType<typeof podManifest>;
    const started = assert.rejects(new Pods(cluster, watch).start(manifest, AbortSignal.timeout(20_000)), PodError);
    const [changes, answer] = await Promise.all([events.promise, created.promise]);
    const seen = new Set<string>();
    watch.listen((_name, pod, own) => seen.add(`${own} ${pod ? 'exists' : 'gone'}`));
    changes.write(
      event('ADDED', uid('old', '2')) + event('DELETED', uid('old', '3')) + event('ADDED', uid('new', '4')),
    );
    await until(() => seen.has('new exists'), 'the events');
    answer.end(JSON.stringify(uid('new', '4')));
    await once(answer, 'close');
    changes.write(event('DELETED', uid('new', '5')));
    await started;
    assert.deepEqual([...seen], ['old exists', 'old gone', 'new exists', 'new gone']);
  });

  it('that is too busy for a moment is asked again', async () => {
    const refuse: Handler = (_url, answer) =>
      answer.writeHead(429, { 'retry-after': '0.01' }).end('{"message":"busy"}');
    handlers = [refuse, refuse, (_url, answer) => answer.end('{"ok":true}')];
    assert.deepEqual(await cluster.request('GET', cluster.path('pods')), { ok: true });
    handlers = [refuse, refuse, refuse, refuse];
    const error = await cluster.request('GET', cluster.path('pods')).catch((failure: unknown) => failure);
    assert.ok(error instanceof ApiError && error.status === 429);
    const told = kubernetesFailures.portError(error, 'ref');
    assert.ok(told instanceof UnavailableError && told.code === 'engine_unavailable' && told.retryAfter !== undefined);
    assert.equal(kubernetesFailures.problemOf(error), undefined);
  });

  it('reports quotas as missing room, and missing rights and namespaces as a problem of the whole', () => {
    const quota = new ApiError(
      403,
      'pods "p" is forbidden: exceeded quota: school, requested: pods=1, used: pods=9, limited: pods=9',
    );
    const full = kubernetesFailures.portError(quota, 'ref');
    assert.ok(full instanceof UnavailableError && full.code === 'no_capacity');
    assert.equal(kubernetesFailures.problemOf(quota), undefined);
    const right = new ApiError(403, 'pods is forbidden: User "u" cannot create resource "pods"');
    assert.match(kubernetesFailures.problemOf(right) ?? '', /lacks a right.*cannot create/);
    assert.match(kubernetesFailures.problemOf(new ApiError(404, 'namespaces "school" not found')) ?? '', /namespace/);
    assert.equal(
      kubernetesFailures.portError(new ApiError(404, 'pods "p" not found'), 'p').name,
      'NoSuchContainerError',
    );
    assert.match(kubernetesFailures.problemOf(new Error('connect ECONNREFUSED')) ?? '', /cannot be reached/);
  });
});
