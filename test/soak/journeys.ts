import { TerminalClient } from '../terminal-client.ts';
import type { Person } from './person.ts';

/** A complete activity of a user. It deletes what it creates. */
export type Journey = (person: Person) => Promise<void>;

type Item = { id: number };
type Started = { attempt_id: number; container_id: number };

const read: Journey = async (person) => {
  const courses = await person.get<{ sections: { themes: Item[] }[] }[]>('/api/lessons/courses');
  const themes = courses.flatMap(({ sections }) => sections.flatMap((section) => section.themes));
  for (const { id } of person.some(themes, 4)) {
    await person.get(`/api/lessons/themes/${id}`);
    await person.get(`/api/lessons/themes/${id}/content`);
    await person.think();
    await person.post(`/api/lessons/themes/${id}/complete`);
  }
  await person.delete(`/api/lessons/themes/${themes[0]?.id}/complete`);
};

const look: Journey = async (person) => {
  for (const path of ['stats', 'activity', 'analytics?days=30']) await person.get(`/api/dashboard/${path}`);
  await person.think();
  for (const path of [
    '/api/exams',
    '/api/sandbox-templates',
    '/api/exams/attempts',
    '/api/laboratories/attempts',
    '/api/auth/me',
  ])
    await person.get(path);
};

const present: Journey = async (person) => {
  await person.put('/api/profile/me', { full_name: 'Somebody', bio: `It is ${new Date().toISOString()}` });
  await person.upload('/api/profile/avatar', 'file', person.picture);
  const { avatar_url } = await person.get<{ avatar_url: string }>('/api/profile/me');
  await person.download(avatar_url);
  await person.think();
  if (person.chance(0.5)) await person.delete('/api/profile/avatar');
};

const leaveAndComeBack: Journey = async (person) => {
  await person.post('/api/auth/refresh');
  await person.post('/api/auth/logout');
  await person.expect([401], 'GET', '/api/auth/me');
  await person.logIn();
};

/** Types into a terminal, sees the answer, loses the connection, takes the shell up again and ends it. */
async function workInTerminal(person: Person, containerId: number): Promise<void> {
  const address = `${person.base}/ws/terminal/${containerId}?token=${person.token}`;
  const first = new TerminalClient(address, { protocol: 'terminal.v1' });
  const ready = await first.message('ready');
  await first.ready();
  first.type('echo answer-$((6 * 7)); seq 200\n');
  await first.shows('answer-42');
  await person.think();
  first.socket.terminate();
  await first.closed;
  const again = new TerminalClient(`${address}&session=${String(ready['session_id'])}`, { protocol: 'terminal.v1' });
  await again.message('ready');
  again.type('exit\n');
  await again.closed;
  person.count('terminals');
}

/** Without capacity, a user does something else. */
async function withRoom(person: Person, work: () => Promise<void>): Promise<void> {
  if (!person.reserveCapacity()) return await read(person);
  try {
    await work();
  } finally {
    person.giveRoom();
  }
}

const practise: Journey = (person) =>
  withRoom(person, async () => {
    const made = await person.expect<Item>([201, 503], 'POST', '/api/containers/create', {});
    if (!made?.id) return;
    try {
      await workInTerminal(person, made.id);
      await person.post(`/api/containers/${made.id}/stop`);
      await person.post(`/api/containers/${made.id}/start`);
      await person.get('/api/containers/sandbox');
    } finally {
      await person.delete(`/api/containers/${made.id}`);
    }
  });

/** @param count of the first ones of the courses, which one is chosen among */
const attempt =
  (kind: 'exams' | 'laboratories', count: number): Journey =>
  (person) =>
    withRoom(person, async () => {
      const courses = await person.get<Item[]>('/api/lessons/courses');
      const subjects = courses.map((course) =>
        person.get<(Item & { kind: string })[]>(`/api/dashboard/course-subjects?course_id=${course.id}`),
      );
      const all = (await Promise.all(subjects)).flat().filter((one) => (kind === 'exams') === (one.kind === 'exam'));
      const first = all.toSorted((one, other) => one.id - other.id).slice(0, count);
      const [{ id } = { id: 0 }] = person.some(first, 1);
      await person.get(`/api/${kind}/${id}`);
      const started = await person.expect<Started>([201, 503], 'POST', `/api/${kind}/${id}/start`);
      if (!started?.attempt_id) return;
      try {
        await workInTerminal(person, started.container_id);
        if (kind === 'laboratories') await person.post(`/api/${kind}/${id}/check`);
      } finally {
        if (person.chance(0.8)) await person.post(`/api/${kind}/${id}/submit`);
        else await person.post(`/api/${kind}/attempts/${started.attempt_id}/abandon`);
      }
      await person.get(`/api/${kind}/attempts/${started.attempt_id}/results`);
    });

const student: Journey[] = [
  read,
  look,
  present,
  leaveAndComeBack,
  practise,
  attempt('exams', 2),
  attempt('laboratories', 4),
  read,
  look,
];

const instructor: Journey[] = [
  async (person) => {
    const attempts = await person.get<Item[]>('/api/instructor/attempts');
    for (const { id } of person.some(attempts, 3)) {
      await person.expect([200, 404], 'GET', `/api/instructor/attempts/${id}`);
      const recordings = await person.expect<Item[]>([200, 404], 'GET', `/api/instructor/attempts/${id}/recordings`);
      for (const recording of person.some(recordings ?? [], 1))
        await person.expect([200, 404], 'GET', `/api/instructor/recordings/${recording.id}`);
    }
    await person.get('/api/instructor/attempts/export');
    await person.get('/api/instructor/containers');
  },
  look,
];

const administrator: Journey[] = [
  async (person) => {
    const name = `made${Date.now()}`;
    const account = { username: name, email: `${name}@example.com`, password: 'a long password', role: 'student' };
    const user = await person.expect<Item>([201], 'POST', '/api/admin/users', account);
    await person.put(`/api/admin/users/${user?.id}/role`, { role: 'instructor' });
    await person.get('/api/admin/users?page_size=100');
    await person.get('/api/admin/users/export');
    await person.delete(`/api/admin/users/${user?.id}`);
  },
  async (person) => {
    for (const path of ['stats', 'containers', 'attempts', 'activity']) await person.get(`/api/admin/${path}`);
    const fields = { title: 'Soaked', container_image: 'none', time_limit_minutes: 5, passing_score: 1 };
    const exam = await person.expect<Item>([201], 'POST', '/api/admin/exams', { ...fields, is_active: false });
    const task = { title: 'Task', description: '', points: 1, verification_script: 'echo PASS' };
    await person.expect([201], 'POST', `/api/admin/exams/${exam?.id}/tasks`, task);
    await person.delete(`/api/admin/exams/${exam?.id}`);
  },
];

const journeysOf = { student, instructor, admin: administrator };
type Role = keyof typeof journeysOf;

/** Does everything once. */
export async function tour(person: Person, role: Role): Promise<void> {
  for (const journey of journeysOf[role]) await journey(person).catch((error: unknown) => person.fail(error));
}

/** Continues until it is stopped, and completes the current activity. */
export async function live(person: Person, role: Role, stop: AbortSignal): Promise<void> {
  const journeys = journeysOf[role];
  while (!stop.aborted) {
    const [journey] = person.some(journeys, 1);
    await journey?.(person).catch((error: unknown) => person.fail(error));
    if (!stop.aborted) await person.think();
  }
}
