/**
 * Throughput of unauthenticated requests, against a script of the pages, which is a file. Throughput of two authenticated routes,
 * against a bare Fastify route that runs one prepared query by key and returns the same answer. Latency of a request during 50
 * concurrent logins, against the same on an idle service. Rounds alternate.
 */
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';
import { launch } from './launch.ts';

const connections = 20;
const rounds = 5;
const seconds = 3;

type Hello = { url: string; token: string; tokens: string[]; username: string; password: string };

/** @param tokens each connection has the next of them */
async function rate(url: string, headers: Record<string, string> = {}, tokens: string[] = []): Promise<number> {
  let next = 0;
  const result = await autocannon({
    ...{ url, headers, connections, duration: seconds },
    setupClient: (client) => {
      const token = tokens[next++ % tokens.length];
      if (token !== undefined) client.setHeaders({ ...headers, authorization: `Bearer ${token}` });
    },
  });
  // 304 is the answer to a client that has the file.
  const refused = result.non2xx - result['3xx'];
  if (refused > 0 || result.errors > 0) throw new Error(`${url}: ${refused} refused, ${result.errors} failed`);
  return result.requests.average;
}

await using _environment = await prepareEnvironment();
const service = await launch<Hello>('service-process.ts');
const { url, token, tokens, username, password } = service.hello;
const headers = { authorization: `Bearer ${token}` };
const read = async (path: string) => await (await fetch(url + path, { headers })).text();

/** The first script that a page names. */
async function scriptOf(path: string): Promise<string> {
  const html = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
  return /<script[^>]* src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? '';
}
const packed = { 'accept-encoding': 'br' };
const [pageScript, referenceScript] = [await scriptOf('/'), await scriptOf('/api/docs')];
const tagOf = async (path: string) => (await fetch(url + path, { headers: packed })).headers.get('etag') ?? '';
const known = async (path: string) => ({ ...packed, 'if-none-match': await tagOf(path) });
/** The script of the pages whose packed size is nearest to that of another answer. */
async function scriptAsLargeAs(path: string): Promise<string> {
  const bytes = Number((await fetch(url + path, { headers: packed })).headers.get('content-length'));
  const folder = join(import.meta.dirname, '../web/dist/assets');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js.br'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const distances = sizes.map((size) => Math.abs(size - bytes));
  return `/assets/${names[distances.indexOf(Math.min(...distances))]?.slice(0, -'.br'.length)}`;
}
for (const [what, path, asked, file, script] of [
  ['the script of /api/docs, known / a script of the pages, known', referenceScript, known, known, pageScript],
  [
    '/api/openapi.json, brotli / a script of that size, brotli',
    '/api/openapi.json',
    () => packed,
    () => packed,
    await scriptAsLargeAs('/api/openapi.json'),
  ],
] as const) {
  const [ours, reference]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours?.push(await rate(url + path, await asked(path)));
    reference?.push(await rate(url + script, await file(script)));
  }
  report(`GET ${what}`, median(ours ?? []), median(reference ?? []), 'requests/s', '≥ 0.60');
}
const bare = await launch(
  ...(['bare-process.ts', await read('/api/auth/me'), await read('/api/exams'), await read('/api/exams/1')] as const),
);

for (const [path, key] of [
  ['/api/auth/me', 'me'],
  ['/api/exams', 'exams'],
  ['/api/exams/1', 'exam'],
] as const) {
  const [ours, reference]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours?.push(await rate(url + path, {}, tokens));
    reference?.push(await rate(`${bare.hello['url']}/${key}`));
  }
  report(`GET ${path} / bare route`, median(ours ?? []), median(reference ?? []), 'requests/s', '≥ 0.80');
}

/** One request after the other, at a steady pace, until the given promise settles. */
async function latencies(until: Promise<unknown>, atLeast: number): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  while (!isOver || times.length < atLeast) {
    times.push(await timed(() => read('/api/auth/me')));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}

const login = async () => {
  const body = JSON.stringify({ username, password });
  const { status } = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (status !== 200) throw new Error(`login: ${status}`);
};
const p99 = { quiet: [] as number[], busy: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  p99.quiet.push(quantile(await latencies(Promise.resolve(), 600), 0.99));
  const logins = Promise.all(Array.from({ length: 50 }, login));
  p99.busy.push(quantile(await latencies(logins, 100), 0.99));
}
report('p99 of GET /api/auth/me during 50 logins / in quiet', median(p99.busy), median(p99.quiet), 'ms', '< 4.00');

for (const { child } of [service, bare]) {
  child.kill();
  await once(child, 'exit');
}
