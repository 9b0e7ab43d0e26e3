/**
 * The service for `kubernetes-service.ts`, with an exam and users, on the engine that `TEST_CONTAINER_ENGINE` names. It reports its memory
 * and its requests to the API server of a cluster when it is asked.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { TestServer } from '../test/server.ts';
import { until } from '../test/until.ts';

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
  ...{ TERMINALS_MAX: '1000', CONTAINERS_MAX: '200', ENGINE_TIMEOUT_SECONDS: '120' },
});
const admin = await server.user('admin');
const fields = {
  title: 'Bench',
  container_image: 'platform-exam-linux-basics',
  time_limit_minutes: 60,
  passing_score: 1,
};
const exam = (await server.post('/api/admin/exams', admin.token, fields)).body.id;
for (let index = 0; index < 8; index += 1) {
  const task = { title: `Task ${index}`, points: 1, verification_script: 'echo PASS' };
  await server.post(`/api/admin/exams/${exam}/tasks`, admin.token, task);
}
const tokens: string[] = [];
for (let index = 0; index < users; index += 1) tokens.push((await server.user()).token);
await server.application.reconciler.run();
const ready = server.application.db.selectFrom('containers').select('id').where('status', '=', 'warm');
const isWarm = async () => (await ready.execute()).length >= Number(warm);
await until(isWarm, 'the warm containers', 120_000);
process.send?.({ url: server.url, exam, tokens, admin: admin.token } satisfies Ready);

process.once('disconnect', () => void answer('stop'));
process.on('message', (question: 'state' | 'warm' | 'stop') => void answer(question));

async function answer(question: 'state' | 'warm' | 'stop'): Promise<void> {
  if (question === 'stop') {
    await server[Symbol.asyncDispose]();
    process.exit(0);
  }
  if (question === 'warm') await until(isWarm, 'the warm containers', 120_000);
  else {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc?.();
      await delay(300);
    }
  }
  const { user, system } = process.cpuUsage();
  process.send?.({ requests, rss: process.memoryUsage.rss(), cpu: (user + system) / 1000 } satisfies State);
}
