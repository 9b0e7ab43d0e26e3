import assert from 'node:assert/strict';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type ApiDocument, DocumentedAnswers, withoutReferences } from '../documented-answers.ts';
import { describeLong, isFull, rounds } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { type GeneratedRequest, generatedRequests, wireOf } from './generated-requests.ts';

const count = rounds(1000, 100_000);
/** Number of requests after which deleted rows and logged-out users are replaced. */
const lifetime = 200;

describeLong('requests generated from the API document', { timeout: 3_600_000 }, () => {
  let server: TestServer;
  let world: World;
  let document: ApiDocument;
  const lines: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  before(async () => {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const most = '1000000000';
    const limits = { REQUESTS_PER_MINUTE: most, PEOPLE_PER_ADDRESS: '1000000', loginFailuresPerAccount: Number(most) };
    server = await TestServer.start(limits, {
      engine: { reason: 'this test has none' },
      log: pino({ level: 'error', base: null }, stream),
    });
    document = withoutReferences((await server.get('/api/openapi.json')).body);
    world = await makeWorld(server);
  });
  after(async () => {
    agent.destroy();
    await server?.[Symbol.asyncDispose]();
  });

  it(`are answered as documented, and never with 500 (${count})`, async () => {
    const documented = new DocumentedAnswers(document);
    const statuses = new Map<number, number>();
    const reached = new Set<string>();
    let sent = 0;
    const property = fc.asyncProperty(generatedRequests(document), async (generated) => {
      sent += 1;
      if (sent % lifetime === 0) world = await makeWorld(server);
      const { method, path, headers, body } = wireOf(generated, world.idOf);
      const token = world.tokens[generated.role];
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sentHeaders = {
        ...headers,
        ...length,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const answer = await send(method, path, sentHeaders, body);
      if (answer.status === 401 && token !== undefined && generated.role in world.renew) {
        world.tokens[generated.role] = await world.renew[generated.role as 'admin']();
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300) reached.add(`${method} ${generated.template}`);
      const isWithoutEngine = /^(There are no containers|All containers are in use)/.test(answer.body?.detail);
      assert.ok(
        answer.status < 500 || (answer.status === 503 && isWithoutEngine),
        `${method} ${path} ${JSON.stringify(headers)} ${body}: ${answer.status} ${answer.text}\n${lines.join('')}`,
      );
      // Headers that are too large are refused before the routing.
      if (answer.status !== 431) documented.check(method, path, answer);
    });
    await fc.assert(property, { numRuns: count, seed: isFull ? Date.now() : 20_261_121, endOnFailure: true });
    const table = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
    console.log(`${count} requests; ${table.join(', ')}; ${reached.size} operations succeeded`);
    assert.deepEqual(lines, []);
  });

  async function send(method: string, path: string, headers: Record<string, string>, body: string | undefined) {
    const { status, received, bytes } = await new Promise<{
      status: number;
      received: IncomingHttpHeaders;
      bytes: Buffer;
    }>((resolve, reject) => {
      const request = httpRequest(server.url, { method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        const isStream = response.headers['content-type']?.startsWith('text/event-stream');
        const finish = () =>
          resolve({ status: response.statusCode ?? 0, received: response.headers, bytes: Buffer.concat(chunks) });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          // A stream of events does not end by itself.
          if (!isStream || !chunk.includes('\n\n')) return;
          finish();
          response.destroy();
        });
        response.on('error', reject);
        response.on('end', finish);
      });
      request.on('error', reject);
      request.end(body);
    });
    const text = bytes.toString();
    const isJson = received['content-type']?.startsWith('application/json') && text !== '';
    const answered = new Headers(
      Object.entries(received).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return { status, headers: answered, text, body: isJson ? JSON.parse(text) : undefined };
  }
});

type World = {
  tokens: Partial<Record<GeneratedRequest['role'], string>>;
  /** The token of a new user of that role, because requests log users out and delete them. */
  renew: Record<'student' | 'instructor' | 'admin', () => Promise<string>>;
  idOf: (name: string, index: number) => number;
};

/** At least one row of everything, and a user of each role with an attempt of each kind and a container. */
async function makeWorld(server: TestServer): Promise<World> {
  const { db } = server.application;
  const [student, instructor, admin] = [
    await server.user(),
    await server.user('instructor'),
    await server.user('admin'),
  ];
  // A request may have required a second factor, which processes are told of.
  await db.updateTable('site').set({ second_factor_roles: [] }).execute();
  await until(async () => (await server.get('/api/admin/users', admin.token)).status === 200, 'no second factor');
  const tokens = {
    student: student.token,
    instructor: instructor.token,
    admin: admin.token,
    forged: `${admin.token}x`,
  };
  const made = async (path: string, fields: object): Promise<number> => {
    const { status, body, text } = await server.post(path, admin.token, fields);
    assert.equal(status, 201, `${path}: ${text}`);
    return body.id;
  };
  const course_id = await made('/api/admin/lessons/courses', { name: `Course ${admin.id}` });
  const section_id = await made('/api/admin/lessons/sections', { name: 'Section', course_id });
  await made('/api/admin/lessons/themes', { title: 'Theme', section_id, markdown_file_path: 'linux/files.md' });
  await made('/api/admin/sandbox-templates', { name: `T${admin.id}`, image: 'none', memory_mb: 64, cpus: 1 });
  const assessment = { title: 'Subject', container_image: 'none', passing_score: 1, time_limit_minutes: 30 };
  const task = { title: 'Task', points: 1, verification_script: 'echo PASS' };
  const exam_id = await made('/api/admin/exams', { ...assessment, course_id });
  const laboratory_id = await made('/api/admin/laboratories', { ...assessment, section_id });
  for (const path of [`exams/${exam_id}`, `laboratories/${laboratory_id}`])
    await made(`/api/admin/${path}/tasks`, task);
  // There is no engine, so these attempts have ended.
  for (const user of [student, instructor, admin]) {
    const attempt = {
      title: 'Subject',
      user_id: user.id,
      status: 'finished' as const,
      max_score: 1,
      passing_score: 1,
      score: 1,
      passed: true,
    };
    const ended = { ...attempt, submitted_at: new Date() };
    await db
      .insertInto('attempts')
      .values([
        {
          ...ended,
          kind: 'exam',
          assessment_id: exam_id,
          expires_at: new Date(Date.now() + 1e6),
          container_name: `exam-${user.id}`,
        },
        { ...ended, kind: 'laboratory', assessment_id: laboratory_id, container_name: `laboratory-${user.id}` },
      ])
      .execute();
  }
  const tables = {
    courses: 'courses',
    course_id: 'courses',
    sections: 'sections',
    section: 'sections',
    section_id: 'sections',
    themes: 'themes',
    theme_id: 'themes',
    exams: 'assessments',
    exam_id: 'assessments',
    laboratories: 'assessments',
    laboratory_id: 'assessments',
    users: 'users',
    user_id: 'users',
    actor_id: 'users',
    'sandbox-templates': 'sandbox_templates',
    template_id: 'sandbox_templates',
    containers: 'containers',
    attempts: 'attempts',
  } as const;
  const newest = async (table: string): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id desc limit 12`.execute(
      db,
    );
    return rows.map(({ id }) => Number(id));
  };
  const ids = Object.fromEntries(
    await Promise.all(
      [...new Set(Object.values(tables)), 'assessment_tasks', 'recordings'].map(
        async (table) => [table, await newest(table)] as const,
      ),
    ),
  );
  const idOf = (name: string, index: number): number => {
    const known = ids[(tables as Record<string, string>)[name] ?? ''] ?? ids['assessment_tasks'] ?? [];
    return known[index % known.length] ?? 1;
  };
  const renew = (role: 'student' | 'instructor' | 'admin') => async () => (await server.user(role)).token;
  return { tokens, renew: { student: renew('student'), instructor: renew('instructor'), admin: renew('admin') }, idOf };
}
