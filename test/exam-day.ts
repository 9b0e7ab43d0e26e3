import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { EventReader } from './event-reader.ts';
import { TerminalClient } from './terminal-client.ts';
import { until } from './until.ts';

export type ExamDay = {
  /** Of the service. */
  url: string;
  /** The tokens of an administrator and of the instructor. */
  admin: string;
  teacher: string;
  /** An exam whose one task is the file `done`, and its course. */
  exam: number;
  course: number;
  students: number;
  /** Milliseconds over which the starts are spread. */
  within: number;
  /** Requests before the start, for comparison. */
  quietRequests: number;
};
/** Milliseconds: of each start until its attempt is in progress, and of other requests before and while all start. */
export type ExamDayFigures = { starts: number[]; quiet: number[]; bell: number[]; queued: number };

// biome-ignore lint/suspicious/noExplicitAny: arbitrary answers
type Answer = { status: number; code: string | null; body: any; text: string };
type Student = { name: string; token: string; id: number };

/**
 * The exam of a class, with requests only: an administrator imports the students, an instructor plans a session with two accommodations,
 * all students start when it opens and work in their terminals. Some reload, lose the connection, come late, start twice or try it from
 * another network. The instructor supervises, pauses once, gives one student more time, sends a message, releases the results and exports
 * the grades. Fails where anything of that is not as it should be.
 */
export async function examDay(day: ExamDay): Promise<ExamDayFigures> {
  const { url, admin, teacher, exam } = day;
  const call = async (method: string, path: string, token?: string, json?: unknown, more = {}): Promise<Answer> => {
    const headers: Record<string, string> = {
      ...more,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    if (json !== undefined) headers['content-type'] ??= 'application/json';
    const body = json === undefined ? null : typeof json === 'string' ? json : JSON.stringify(json);
    const response = await fetch(url + path, { method, headers, body });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const code = response.headers.get('error-code');
    return { status: response.status, code, body: isJson ? JSON.parse(text) : undefined, text };
  };
  const done = async (status: number, ...args: Parameters<typeof call>) => {
    const answer = await call(...args);
    assert.equal(answer.status, status, `${args[0]} ${args[1]}: ${answer.text}`);
    return answer.body;
  };
  const { class_id, students } = await enrol(day, done);
  // Soon enough for all containers to be created now.
  const planned = Date.now() + 110_000;
  const session = await done(201, 'POST', '/api/exam-sessions', teacher, {
    ...{ exam_id: exam, class_id, title: 'Monday', opens_at: new Date(planned).toISOString() },
    ...{ closes_at: new Date(planned + 3_600_000).toISOString(), time_limit_minutes: 20, max_attempts: 1 },
    ...{ access_code: 'room 12', networks: ['127.0.0.1/32', '::1/128'], results_visible: 'when_released' },
  });
  const at = `/api/exam-sessions/${session.id}`;
  const [slow, late] = students as [Student, Student];
  await done(200, 'PUT', `${at}/accommodations/${slow.id}`, teacher, { time_factor: 1.5 });
  await until(
    async () => (await done(200, 'GET', '/api/admin/system', admin)).warm_pool.ready >= students.length,
    'the containers of the students',
    100_000,
  );
  const early = await call('POST', `/api/exams/${exam}/start`, slow.token, { access_code: 'room 12' });
  assert.equal(early.code, 'not_open_yet');
  const me = () => call('GET', '/api/auth/me', teacher);
  let left = day.quietRequests;
  const quiet = await sample(me, () => --left === 0);
  const opens = Date.now() + 1000;
  await done(200, 'PUT', at, teacher, { opens_at: new Date(opens).toISOString() });
  const own = { opens_at: new Date(opens + 2000).toISOString() };
  await done(200, 'PUT', `${at}/accommodations/${late.id}`, teacher, own);
  await using room = await EventReader.open({ url }, `${at}/room/events`, teacher);
  assert.equal((await room.next())?.data.students.length, students.length);
  await delay(Math.max(0, opens - Date.now()));
  let started = 0;
  const bellRings = sample(me, () => started === students.length);
  const starting = Promise.all(
    students.map(async (student, index) => {
      await delay((day.within * index) / students.length);
      if (index === 1) await until(() => Date.now() > opens + 2000, 'the own window');
      else if (index % 6 === 5) await delay(1500);
      const attempt = await begin(url, exam, student, index, call);
      started += 1;
      return attempt;
    }),
  );
  // Together: when a start fails, the end of the service breaks the other requests, and their errors would hide the one of the start.
  const [attempts, bell] = await Promise.all([starting, bellRings]);
  const states = new Map<number, string>();
  while ([...states.values()].filter((state) => state === 'in_progress').length < students.length)
    for (const { user_id, status } of (await room.next())?.data.students ?? []) states.set(user_id, status);
  const { starts, terminals, queued } = {
    starts: attempts.map(({ milliseconds }) => milliseconds),
    terminals: attempts.map(({ terminal }) => terminal),
    queued: attempts.filter(({ isQueued }) => isQueued).length,
  };
  const seen = (await done(200, 'GET', `${at}/room`, teacher)).students as {
    attempts: number;
    is_connected: boolean;
  }[];
  assert.ok(
    seen.every(({ attempts: count }) => count === 1),
    'one attempt each',
  );
  assert.ok(
    seen.every(({ is_connected }) => is_connected),
    'each has a terminal open',
  );
  await supervise({ at, teacher, exam, slow, students, terminals }, done);

  await Promise.all(
    students.map(async ({ token }, index) => {
      const { score, results } = await done(200, 'POST', `/api/exams/${exam}/submit`, token);
      assert.deepEqual([score, results], [null, []], `student ${index} sees no results yet`);
    }),
  );
  for (const terminal of terminals) terminal.socket.close();
  await done(200, 'POST', `${at}/release`, teacher);
  const [own_] = await done(200, 'GET', '/api/exams/attempts', slow.token);
  assert.deepEqual([own_.score, own_.passed], [1, true]);
  const csv = await call('GET', `/api/classes/${class_id}/grades`, teacher, undefined, { accept: 'text/csv' });
  const rows = csv.text.trim().split(/\r?\n/).slice(1);
  assert.equal(rows.length, students.length);
  assert.ok(
    rows.every((row) => /,1(,|$)/.test(row)),
    csv.text.slice(0, 500),
  );
  return { starts, quiet, bell, queued };
}

type Done = (
  status: number,
  method: string,
  path: string,
  token?: string,
  json?: unknown,
  more?: object,
) => Promise<Answer['body']>;

/** Imports the students into a new class, and logs them in with their generated passwords. */
async function enrol(day: ExamDay, done: Done): Promise<{ class_id: number; students: Student[] }> {
  const { teacher, course, students: count } = day;
  const { id: class_id } = await done(201, 'POST', '/api/classes', teacher, { name: 'Monday', course_ids: [course] });
  const lines = Array.from({ length: count }, (_, index) => `day-${index},day-${index}@example.com,Student ${index},`);
  const csv = ['username,email,full_name,role', ...lines].join('\n');
  const path = `/api/classes/${class_id}/members/import`;
  const imported = await done(200, 'POST', path, day.admin, csv, { 'content-type': 'text/csv' });
  const students: Student[] = [];
  for (const { username, password, user_id } of imported) {
    const { access_token } = await done(200, 'POST', '/api/auth/login', undefined, { username, password });
    students.push({ name: username, token: access_token, id: user_id });
  }
  return { class_id, students };
}

/** Milliseconds of each request, one after the other, until it is over. */
async function sample(request: () => Promise<Answer>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  do {
    const begin = performance.now();
    assert.equal((await request()).status, 200);
    times.push(performance.now() - begin);
    await delay(5);
  } while (!isOver());
  return times;
}

/** Starts, as some do in a strange way, and works. */
async function begin(
  url: string,
  exam: number,
  { token }: Student,
  index: number,
  call: (method: string, path: string, token?: string, json?: unknown, more?: object) => Promise<Answer>,
) {
  const path = `/api/exams/${exam}/start`;
  if (index % 10 === 2) assert.equal(await fromOutside(url + path, token), 'wrong_network');
  if (index % 10 === 3) {
    const guess = await call('POST', path, token, { access_code: 'room 13' });
    assert.equal(guess.code, 'wrong_access_code');
  }
  const begun = performance.now();
  const started = await call('POST', path, token, { access_code: 'room 12' }, { prefer: 'respond-async' });
  assert.ok(started.status === 201 || started.status === 202, started.text);
  const active = async () => (await call('GET', '/api/exams/attempts/active', token)).body;
  let attempt = started.body;
  while (attempt.status === 'queued') {
    await delay(250);
    attempt = await active();
  }
  const milliseconds = performance.now() - begun;
  if (index % 4 === 1) {
    const again = await call('POST', path, token, { access_code: 'room 12' });
    assert.equal(again.code, 'attempt_active', 'nobody starts twice');
  }
  const { container_id } = await active();
  const address = `${url}/ws/terminal/${container_id}?token=${token}`;
  const connect = (rest = '') => new TerminalClient(address + rest, { protocol: 'terminal.v1' });
  let terminal = connect();
  await terminal.ready();
  if (index % 5 === 4) {
    const { session_id } = await terminal.message('ready');
    // A reload closes the connection, a lost network does not even do that.
    if (index % 2 === 0) terminal.socket.close();
    else terminal.socket.terminate();
    terminal = connect(`&session=${session_id}`);
    await terminal.message('ready');
  }
  terminal.type('touch ~/done; echo begun-$((40 + 2))\n');
  await terminal.shows('begun-42');
  return { milliseconds, terminal, isQueued: started.status === 202 };
}

/** The code of the refusal of a request from another address of this machine. */
async function fromOutside(address: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = httpRequest(address, { method: 'POST', headers, localAddress: '127.0.0.2' });
  request.end(JSON.stringify({ access_code: 'room 12' }));
  return await new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      resolve(String(response.headers['error-code']));
    });
  });
}

type Supervised = {
  at: string;
  teacher: string;
  exam: number;
  slow: Student;
  students: readonly Student[];
  terminals: readonly TerminalClient[];
};

async function supervise({ at, teacher, slow, students, terminals }: Supervised, done: Done): Promise<void> {
  const active = async ({ token }: Student) => await done(200, 'GET', '/api/exams/attempts/active', token);
  const minutesOf = ({ started_at, expires_at }: { started_at: string; expires_at: string }) =>
    (Date.parse(expires_at) - Date.parse(started_at)) / 60_000;
  assert.equal(Math.round(minutesOf(await active(slow))), 30, 'time and a half');
  const other = students[2] as Student;
  assert.equal(Math.round(minutesOf(await active(other))), 20);

  await done(200, 'POST', `${at}/pause`, teacher);
  const paused = await done(200, 'GET', `${at}/room`, teacher);
  assert.ok(paused.students.every(({ paused_at }: { paused_at: string | null }) => paused_at !== null));
  await done(200, 'POST', `${at}/resume`, teacher);
  await done(200, 'POST', `${at}/extend`, teacher, { minutes: 5, user_id: other.id });
  assert.ok(minutesOf(await active(other)) >= 25);
  await done(201, 'POST', `${at}/message`, teacher, { text: 'Ten minutes left' });
  await Promise.all(terminals.map((terminal) => terminal.message('notice', ({ text }) => text === 'Ten minutes left')));
}
