/** The service for `storm.ts` and `start-storm.ts`, with an exam and 60 users. Prints its address as JSON. */

import { makeAssessment, warmedUp } from '../test/made-assessment.ts';
import { TestServer } from '../test/server.ts';

const warm = process.env['WARM_CONTAINERS'] ?? '0';

const server = await TestServer.start({
  CONTAINER_CPUS: '0.5',
  CONTAINER_MEMORY_MB: '128',
  CONTAINER_PROCESSES: '128',
  WARM_CONTAINERS: warm,
  // The default of this machine, or the given value.
  CONTAINER_STARTS: process.env['CONTAINER_STARTS'] ?? '',
});
const admin = await server.user('admin');
const exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { time_limit_minutes: 60 });
const starters: string[] = [];
for (let index = 0; index < 60; index += 1) starters.push((await server.user()).token);
const { token } = await server.user();
await server.application.reconciler.run();
await warmedUp(server, Number(warm));
const prefix = server.config.engine.namePrefix;
process.stdout.write(`${JSON.stringify({ url: server.url, exam, prefix, token, starters })}\n`);
process.on('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.exit(0)));
