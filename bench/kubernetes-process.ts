/**
 * The service for `kubernetes-service.ts`, with an exam and users, on the engine that `TEST_CONTAINER_ENGINE` names. It reports its memory
 * and its requests to the API server of a cluster when it is asked.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { makeAssessment, warmedUp } from '../test/made-assessment.ts';
import { TestServer } from '../test/server.ts';

export type Ready = { url: string; exam: number; tokens: string[]; admin: string };
export type State = { requests: number; rss: number; cpu: number };

let requests = 0;
// Every request and WebSocket of Node's client.
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  if (/^\/(api\/v1\/namespaces|apis)\//.test(request.path)) requests += 1;
});

const users = Number(process.env['BENCH_USERS'] ?? '1');
const warm = process.env['WARM_CONTAINERS'] ?? '0';
const server = await TestServer.start({
  ...{ CONTAINER_CPUS: '0.5', CONTAINER_MEMORY_MB: '128', CONTAINER_PROCESSES: '128' },
  ...{ WARM_CONTAINERS: warm, CONTAINER_STARTS: process.env['CONTAINER_STARTS'] ?? '8' },
  ...{ TERMINALS_MAX: '1000', CONTAINERS_MAX: '200', engineTimeoutSeconds: 120 },
  homeSaveSeconds: Number(process.env['BENCH_HOME_SAVE_SECONDS'] ?? '30'),
});
const admin = await server.user('admin');
const scripts = Array<string>(8).fill('echo PASS');
const exam = await makeAssessment(server, admin, 'exam', scripts, { time_limit_minutes: 60 });
const tokens: string[] = [];
for (let index = 0; index < users; index += 1) tokens.push((await server.user()).token);
await server.application.reconciler.run();
await warmedUp(server, Number(warm));
process.send?.({ url: server.url, exam, tokens, admin: admin.token } satisfies Ready);

process.once('disconnect', () => void answer('stop'));
process.on('message', (question: 'state' | 'warm' | 'stop') => void answer(question));

async function answer(question: 'state' | 'warm' | 'stop'): Promise<void> {
  if (question === 'stop') {
    await server[Symbol.asyncDispose]();
    process.exit(0);
  }
  if (question === 'warm') await warmedUp(server, Number(warm));
  else {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc?.();
      await delay(300);
    }
  }
  const { user, system } = process.cpuUsage();
  process.send?.({ requests, rss: process.memoryUsage.rss(), cpu: (user + system) / 1000 } satisfies State);
}
