/**
 * The p95 of a student's requests while three connections send hostile bodies of up to a megabyte without pause, against the quiet p95. Every
 * operation that takes a body gets every kind, as a stranger where the operation is public, otherwise as an administrator. Quiet and hostile
 * rounds alternate. `OPERATIONS=login` limits the operations to those whose path has the word.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { prepareEnvironment, quantile, report, timed } from './environment.ts';
import { launch } from './launch.ts';

const connections = 3;
const seconds = Number(process.env['SECONDS_EACH'] ?? 0.5);
const million = 1_000_000;
const only = process.env['OPERATIONS'] ?? '';

type Schema = { properties?: Record<string, unknown>; $ref?: string };
type Operation = { requestBody?: { content: Record<string, { schema?: Schema }> }; security?: unknown[] };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

/** Bodies for a field, with their content types. */
const kinds: Record<string, (field: string) => [type: string, body: string]> = {
  'an array of numbers': (field) => ['application/json', `{"${field}":[${'0,'.repeat(million / 2 - 50)}0]}`],
  'many wrong items': (field) => ['application/json', `{"${field}":[${'{"a":[]},'.repeat(4000)}0]}`],
  'many fields': (field) => [
    'application/json',
    `{${Array.from({ length: 60_000 }, (_, index) => `"${field}${index}":0`).join()}}`,
  ],
  'a deep array': (field) => ['application/json', `{"${field}":${'['.repeat(million - 100)}`],
  'a long text': (field) => ['application/json', JSON.stringify({ [field]: 'a@b.c '.repeat(million / 6 - 10) })],
  'a text of spaces': (field) => ['application/json', JSON.stringify({ [field]: `x${' '.repeat(million - 100)}x` })],
  'a text of escapes': (field) => ['application/json', `{"${field}":"${'\\"'.repeat(million / 2 - 50)}"}`],
  'a long number': (field) => ['application/json', `{"${field}":${'9'.repeat(million - 100)}}`],
  'a form': () => ['application/x-www-form-urlencoded', 'username=a&'.repeat(million / 11 - 10)],
};

await using _environment = await prepareEnvironment();
const { child, hello } = await launch<{ url: string; token: string; adminToken: string }>('service-process.ts');
const agent = new Agent({ keepAlive: true, maxSockets: connections });

/** @returns the status; 0 where the service has closed the connection of a body that is too large */
const send = (method: string, path: string, type: string, body: Buffer, token?: string): Promise<number> =>
  new Promise((resolve) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': type, 'content-length': body.length, ...authorization };
    const sent = request(`${hello.url}${path}`, { agent, method, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', () => resolve(0)).end(body);
  });

const ask = async (): Promise<void> => {
  const answer = await fetch(`${hello.url}/api/dashboard/stats`, {
    headers: { authorization: `Bearer ${hello.token}` },
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`another user got ${answer.status}`);
};

async function measure(): Promise<number[]> {
  const times: number[] = [];
  for (const begin = performance.now(); performance.now() - begin < seconds * 1000; ) times.push(await timed(ask));
  return times;
}

const document = (await (await fetch(`${hello.url}/api/openapi.json`)).json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody, security }]) => {
    const content = requestBody?.content['application/json'];
    if (!content || !path.includes(only)) return [];
    const name = content.schema?.$ref?.split('/').at(-1) ?? '';
    const [field = 'a'] = Object.keys((document.components?.schemas?.[name] ?? content.schema)?.properties ?? {});
    return [
      { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, '1'), field, isPublic: security?.length === 0 },
    ];
  }),
);

await measure();
const quiet: number[] = [];
const worst: { what: string; ratio: number }[] = [];
const hostile: number[] = [];
for (const { method, path, field, isPublic } of operations) {
  const base = await measure();
  quiet.push(...base);
  for (const [kind, bodyOf] of Object.entries(kinds)) {
    const [type, text] = bodyOf(field);
    const body = Buffer.from(text);
    let isOver = false;
    const attacks = Array.from({ length: connections }, async () => {
      while (!isOver) await send(method, path, type, body, isPublic ? undefined : hello.adminToken);
    });
    const times = await measure();
    isOver = true;
    await Promise.all(attacks);
    hostile.push(...times);
    worst.push({ what: `${method} ${path}, ${kind}`, ratio: quantile(times, 0.95) / quantile(base, 0.95) });
  }
}
const what = `requests beside ${connections} connections with hostile bodies to ${operations.length} operations / quiet, 95 %`;
report(what, quantile(hostile, 0.95), quantile(quiet, 0.95), 'ms', '< 5');
for (const { what: one, ratio } of worst.sort((a, b) => b.ratio - a.ratio).slice(0, 5))
  process.stderr.write(`${ratio.toFixed(1)} ${one}\n`);
child.kill('SIGTERM');
await once(child, 'exit');
agent.destroy();
