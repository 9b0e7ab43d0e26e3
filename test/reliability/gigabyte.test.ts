import assert from 'node:assert/strict';
import { after, before, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';

/** In MiB: a gigabyte with `RELIABILITY_ROUNDS=full`. */
const size = rounds(32, 1024);
const bytes = size * 1024 * 1024;
const flood = `yes 'a line of output that nobody needs' | head -c ${bytes}`;
/** The allowed growth of the process in MB, independent of the size. It includes the client of the test. */
const mostGrown = 200;

/** The test and the service share a process, so its memory is measured for both. */
describeLong(`${size} MiB of output`, { skip: engineSkip }, () => {
  let server: TestServer;
  let other: TestUser;
  let exam: number;
  before(async () => {
    server = await TestServer.start({ scriptSeconds: 300 });
    const admin = await server.user('admin');
    other = await server.user();
    exam = await makeAssessment(server, admin, 'exam', [`${flood}; echo; echo PASS`]);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  /** Does some work. Meanwhile it sends requests of another user and measures the memory. */
  async function watched<T>(t: TestContext, work: Promise<T>): Promise<T> {
    const before = process.memoryUsage().rss;
    let most = before;
    const times: number[] = [];
    let isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    const begin = performance.now();
    while (!isOver) {
      const asked = performance.now();
      assert.equal((await server.get('/api/dashboard/stats', other.token)).status, 200);
      times.push(performance.now() - asked);
      most = Math.max(most, process.memoryUsage().rss);
      await delay(20);
    }
    const result = await done;
    const seconds = (performance.now() - begin) / 1000;
    times.sort((a, b) => a - b);
    const [p99, slowest] = [times[Math.floor(times.length * 0.99)] ?? 0, times.at(-1) ?? 0];
    const grown = (most - before) / 1e6;
    t.diagnostic(
      `${seconds.toFixed(1)} s, ${grown.toFixed(0)} MB more; ${times.length} requests meanwhile, p99 ${p99.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
    );
    assert.ok(grown < mostGrown, `${grown} MB more`);
    // On a busy machine everything takes longer, as the median shows.
    const usual = times[Math.floor(times.length / 2)] ?? 0;
    assert.ok(p99 < 2000 + 20 * usual, `${p99} ms, and usually ${usual} ms`);
    return result;
  }

  /** Reads a terminal to the end of a command's output, and keeps only the end. */
  async function readAll(address: string, command: string): Promise<number> {
    const socket = new WebSocket(address.replace(/^http/, 'ws'));
    let read = 0;
    let tail = '';
    try {
      return await new Promise((resolve, reject) => {
        socket.on('error', reject);
        socket.on('close', (code, reason) => reject(new Error(`closed: ${code} ${reason}`)));
        socket.on('open', () => socket.send(Buffer.from(`${command}; echo; echo at the e""nd\n`)));
        socket.on('message', (data: Buffer) => {
          read += data.length;
          tail = (tail + data.toString('latin1')).slice(-200);
          if (/\nat the end\r\n/.test(tail)) resolve(read);
        });
      });
    } finally {
      socket.terminate();
    }
  }

  it('through the terminal, then from a check, use bounded memory without blocking others', async (t) => {
    const user = await server.user();
    const started = await server.post(`/api/exams/${exam}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    const address = `${server.url}/ws/terminal/${started.body.container_id}?token=${user.token}`;
    const read = await watched(t, readAll(address, flood));
    assert.ok(read >= bytes, `${read} bytes`);

    const submitted = await watched(t, server.post(`/api/exams/${exam}/submit`, user.token));
    assert.equal(submitted.status, 200, submitted.text);
    const [result] = submitted.body.results;
    assert.equal(result.passed, true, result.output.slice(-500));
    assert.ok(result.output.length <= server.config.grading.outputBytes + 200, `${result.output.length}`);
  });
});
