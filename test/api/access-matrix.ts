import { blankPng } from '../blank-png.ts';
import { image } from '../made-assessment.ts';
import type { RequestOptions, TestServer, TestUser } from '../server.ts';

/** What the matrix works on. `mine` is the student's whose things they are; each call as a role is by a user of its own. */
export type World = {
  server: TestServer;
  admin: TestUser;
  mine: TestUser;
  course: number;
  section: number;
  theme: number;
  exam: number;
  examTask: number;
  laboratory: number;
  laboratoryTask: number;
  template: number;
  sandbox: number;
  examAttempt: number;
  laboratoryAttempt: number;
  /** A class of which the student is a member, and an instructor who is not of its members. */
  class: number;
  /** An exam session of the class that is open. */
  session: number;
  /** An exam session without a class, for which the student was chosen; the instructor is not that of the session. */
  chosenSession: number;
  sessionExam: number;
  /** A note of the student. */
  note: number;
  token: number;
  /** The recording of an exam attempt of the student. */
  recording?: number;
  /** Creates a resource that can be deleted. */
  fresh: (path: string, fields: Record<string, unknown>) => Promise<number>;
  freshUser: () => Promise<number>;
};

type Call = RequestOptions & { path: string };
type Make = (world: World, caller: TestUser | undefined) => Call | string | Promise<Call | string>;

/**
 * Expected statuses, in this order: without a token, as a student, with somebody else's resource as another student, as an
 * instructor, as an administrator. The student's column is the owner's where things have one; null where there is no such thing.
 */
export type Row = [
  operation: string,
  none: number,
  student: number,
  other: number | null,
  instructor: number,
  admin: number,
  make?: Make,
];

const password = (caller: TestUser | undefined) => caller?.password ?? 'no password';
let names = 0;
const unique = (word: string) => {
  names += 1;
  return `${word}-${names}`;
};
const account = () => {
  const username = unique('made');
  return { username, email: `${username}@example.com`, password: 'a long password' };
};
const csv = ({ username, email, password: text }: ReturnType<typeof account>) =>
  `${username},${email},,student,${text}`;
const course = (world: World) => world.fresh('/api/admin/lessons/courses', { name: unique('Course') });
const section = async (world: World) =>
  await world.fresh('/api/admin/lessons/sections', { name: unique('Section'), course_id: await course(world) });
const theme = (world: World) =>
  world.fresh('/api/admin/lessons/themes', { ...themeFields, section_id: world.section, title: unique('Theme') });
const imageFields = () => ({ name: 'Net', reference: `127.0.0.1:1/school/${unique('net').toLowerCase()}:1` });
const newImage = (world: World) => world.fresh('/api/admin/images', imageFields());
const repositoryFields = () => ({ name: 'Private', url: `https://127.0.0.1:1/${unique('repository')}.git` });
const newRepository = (world: World) => world.fresh('/api/admin/lessons/repositories', repositoryFields());
/** One for all roles: there can be few. */
const repositories = new WeakMap<World, Promise<number>>();
function repository(world: World): Promise<number> {
  const known = repositories.get(world) ?? newRepository(world);
  repositories.set(world, known);
  return known;
}
const identityProviders = '/api/admin/identity-providers';
const identityProviderFields = () => ({
  ...{ name: 'School', slug: unique('school'), issuer: 'https://127.0.0.1:1', client_id: 'platform' },
});
const newIdentityProvider = async (world: World) =>
  `${identityProviders}/${await world.fresh(identityProviders, identityProviderFields())}`;
const ltiPlatforms = '/api/admin/lti-platforms';
const ltiPlatformFields = () => ({
  ...{ name: 'Moodle', issuer: 'https://127.0.0.1:1', client_id: unique('tool'), jwks_url: 'https://127.0.0.1:1/keys' },
  ...{ authorization_url: 'https://127.0.0.1:1/auth', token_url: 'https://127.0.0.1:1/token' },
});
const newLtiPlatform = async (world: World) =>
  `${ltiPlatforms}/${await world.fresh(ltiPlatforms, ltiPlatformFields())}`;
const asForm = (path: string, fields: Record<string, string>) => ({
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const unknownPlatform = { iss: 'https://127.0.0.1:1/unknown', login_hint: '1' };
const webhooks = '/api/admin/webhooks';
const webhookFields = () => ({ url: 'https://hooks.example.com/', events: ['content.published'] });
/** One for all roles: there can be few. */
const webhook = (() => {
  const known = new WeakMap<World, Promise<number>>();
  return (world: World) => {
    const one = known.get(world) ?? world.fresh(webhooks, webhookFields());
    known.set(world, one);
    return one;
  };
})();
const serviceAccounts = '/api/admin/service-accounts';
const newServiceAccount = async (world: World) =>
  `${serviceAccounts}/${await world.fresh(serviceAccounts, { name: 'A program', role: 'instructor' })}`;
const written = '/api/admin/written-lessons';
const writtenFields = () => ({ path: `${unique('written')}.md`, text: '# Text' });
const newWritten = (world: World) => world.fresh(written, writtenFields());
const themeFields = { title: 'Theme', markdown_file_path: 'a.md' };
const templateFields = () => ({ name: unique('Template'), image, memory_mb: 64, cpus: 1 });
const template = (world: World) => world.fresh('/api/admin/sandbox-templates', templateFields());
const taskFields = { title: 'Task', points: 1, verification_script: 'echo FAIL' };
const subjects = {
  exam: { path: '/api/admin/exams', fields: { time_limit_minutes: 5 } },
  laboratory: { path: '/api/admin/laboratories', fields: {} },
};
const assessmentFields = (kind: keyof typeof subjects) => ({
  title: 'Subject',
  container_image: image,
  passing_score: 0,
  ...subjects[kind].fields,
});
/** Behind which door an operation is: that of administrators, or that of the world's course. */
type DoorOf = 'admin' | 'course';
const ofCourse = (world: World) => `/api/teaching/courses/${world.course}`;
/** What places an exam or a laboratory in the world's course. */
async function placeIn(world: World, kind: keyof typeof subjects, door: DoorOf): Promise<object> {
  if (door === 'admin') return {};
  if (kind === 'exam') return { course_id: world.course };
  const fields = { name: unique('Section'), course_id: world.course };
  return { section_id: await world.fresh('/api/admin/lessons/sections', fields) };
}
const assessment = async (world: World, kind: keyof typeof subjects, door: DoorOf = 'admin') =>
  await world.fresh(subjects[kind].path, { ...assessmentFields(kind), ...(await placeIn(world, kind, door)) });
/** The caller's attempt of the laboratory is active already, so that a start returns it and creates no container. */
async function practise({ server, laboratory }: World, { id: user_id }: TestUser): Promise<void> {
  const { db } = server.application;
  const container = { name: unique('practice'), user_id, kind: 'laboratory' as const };
  const attempt = await db
    .insertInto('attempts')
    .values({
      ...{ kind: container.kind, assessment_id: laboratory, user_id, title: 'Laboratory' },
      ...{ container_name: container.name, status: 'in_progress', max_score: 1, passing_score: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const values = { ...container, image, attempt_id: attempt.id, status: 'failed' as const };
  await db.insertInto('containers').values(values).execute();
}
const task = async (world: World, kind: keyof typeof subjects, door: DoorOf) => {
  const id = await assessment(world, kind, door);
  return { id, task: await world.fresh(`${subjects[kind].path}/${id}/tasks`, taskFields) };
};

/** A hand of the student, raised at a sandbox that is in the database alone. */
async function raisedHand({ server, mine: { id: user_id } }: World): Promise<{ id: number; container_id: number }> {
  const { db } = server.application;
  const name = unique('hand');
  const sandbox = { user_id, kind: 'sandbox', image, name, engine_ref: name, status: 'running' } as const;
  const made = await db.insertInto('containers').values(sandbox).returning('id').executeTakeFirstOrThrow();
  await db.deleteFrom('hands').where('user_id', '=', user_id).execute();
  const hand = { user_id, container_id: made.id, title: 'Sandbox', text: '' };
  const { id } = await db.insertInto('hands').values(hand).returning('id').executeTakeFirstOrThrow();
  return { id, container_id: made.id };
}

/** A further login of the student. */
async function loginOf({ server, mine }: World): Promise<number> {
  const now = new Date();
  const fields = { user_id: mine.id, login: unique('login'), device: 'Firefox, Linux', address: '192.0.2.1' };
  const made = server.application.db
    .insertInto('logins')
    .values({ ...fields, valid_from: now, expires_at: new Date(now.getTime() + 3_600_000) });
  return (await made.returning('id').executeTakeFirstOrThrow()).id;
}

/** A certificate of the student. */
async function certificate({ server, mine, examAttempt }: World): Promise<string> {
  const { db } = server.application;
  await db.deleteFrom('certificates').where('user_id', '=', mine.id).execute();
  const fields = { kind: 'exam', title: 'Exam', name: 'Zoë', earned_at: new Date() } as const;
  const made = db.insertInto('certificates').values({ ...fields, user_id: mine.id, attempt_id: examAttempt });
  return (await made.returning('id').executeTakeFirstOrThrow()).id;
}

/** A report of the student about the task of the world's exam or laboratory, without an answer. */
async function reported(world: World, kind: keyof typeof subjects): Promise<void> {
  const { db } = world.server.application;
  await db.deleteFrom('task_reports').where('user_id', '=', world.mine.id).where('kind', '=', kind).execute();
  const report = { user_id: world.mine.id, attempt_id: world[`${kind}Attempt`], kind, task_id: world[`${kind}Task`] };
  await db
    .insertInto('task_reports')
    .values({ ...report, task_title: 'Task', text: 'Wrong' })
    .execute();
}
/** What a student reports, and reads again. */
const reports: Row[] = (['exam', 'laboratory'] as const).flatMap((kind): Row[] => {
  const plural = subjects[kind].path.replace('/api/admin/', '');
  return [
    [
      ...([`GET /api/${plural}/{id}/reports`, 401, 200, null, 200, 200] as const),
      (world) => `/api/${plural}/${world[kind]}/reports`,
    ],
    [
      ...([`POST /api/${plural}/{id}/tasks/{task_id}/reports`, 401, 201, 404, 404, 404] as const),
      (world) => ({
        path: `/api/${plural}/${world[kind]}/tasks/${world[`${kind}Task`]}/reports`,
        json: { text: 'Wrong' },
      }),
    ],
  ];
});
/** An attempt of the student that has ended, with a request for a review and a comment of whom calls. */
async function decidable(world: World, author = world.admin, kind: keyof typeof subjects = 'exam') {
  const { server, mine } = world;
  const task = world[`${kind}Task`];
  const { db } = server.application;
  const attempt = await db
    .insertInto('attempts')
    .values({
      ...{ kind, assessment_id: world[kind], user_id: mine.id, title: 'Exam', container_name: unique('decided') },
      ...{
        status: 'finished',
        expires_at: new Date(),
        submitted_at: new Date(),
        score: 0,
        passed: false,
        max_score: 1,
        passing_score: 1,
      },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const of = { attempt_id: attempt.id, text: 'Please look again' };
  const result = { title: 'Task', order_index: 0, points: 1, points_earned: 0, passed: false, output: '' };
  await db
    .insertInto('task_results')
    .values({ attempt_id: attempt.id, task_id: task, ...result })
    .execute();
  const review = await db.insertInto('review_requests').values(of).returning('id').executeTakeFirstOrThrow();
  const comment = { ...of, author_id: author.id };
  const { id } = await db.insertInto('attempt_comments').values(comment).returning('id').executeTakeFirstOrThrow();
  return { attempt: attempt.id, path: `/api/instructor/attempts/${attempt.id}`, review: review.id, comment: id, task };
}

/** The rubric of a task, wherever it is reached. */
function rubricCalls(
  route: string,
  kind: keyof typeof subjects,
  taskOf: (world: World) => string,
): [operation: string, admin: number, make: Make][] {
  const json = { text: 'Explains why', points: 0.5 };
  const item = async (world: World): Promise<string> => {
    const { id } = await world.server.application.db
      .insertInto('rubric_items')
      .values({ ...json, kind, assessment_id: world[kind], task_id: world[`${kind}Task`] })
      .returning('id')
      .executeTakeFirstOrThrow();
    return `${taskOf(world)}/rubric/${id}`;
  };
  const path = `${route}/{id}/tasks/{task_id}/rubric`;
  return [
    [`GET ${path}`, 200, (world) => `${taskOf(world)}/rubric`],
    [`POST ${path}`, 201, (world) => ({ path: `${taskOf(world)}/rubric`, json })],
    [`PUT ${path}/{item_id}`, 200, async (world) => ({ path: await item(world), json: { points: 1 } })],
    [`DELETE ${path}/{item_id}`, 200, item],
  ];
}
/** The same for those who grade, with what a change of it changes. */
const graderRubrics: [string, number, Make][] = (['exam', 'laboratory'] as const).flatMap((kind) => {
  const route = subjects[kind].path.replace('admin', 'instructor');
  const taskOf = (world: World) => `${route}/${world[kind]}/tasks/${world[`${kind}Task`]}`;
  const path = `${route}/{id}/tasks/{task_id}/rubric/changes`;
  const changes = [{ key: 'none', revision: 1, points_earned: 1 }];
  return [
    ...rubricCalls(route, kind, taskOf),
    [
      `GET ${path}`,
      200,
      async (world: World) => {
        const { attempt, task } = await decidable(world, world.admin, kind);
        const of = { attempt_id: attempt, task_id: task, revision: 1, points_before: 0, points_earned: 1, reason: '' };
        const { db } = world.server.application;
        const { id } = await db
          .insertInto('rubric_items')
          .values({ kind, assessment_id: world[kind], task_id: task, text: 'Right', points: 0.5 })
          .returning('id')
          .executeTakeFirstOrThrow();
        const rubric_items = JSON.stringify([{ id, text: 'Right', points: 1 }]);
        await db
          .insertInto('task_decisions')
          .values({ ...of, rubric_items, is_by_rubric: true })
          .execute();
        await db
          .updateTable('task_results')
          .set({ revision: 1, points_earned: 1, passed: true })
          .where('attempt_id', '=', attempt)
          .execute();
        return `${taskOf(world)}/rubric/changes`;
      },
    ],
    [`POST ${path}`, 404, (world: World) => ({ path: `${taskOf(world)}/rubric/changes`, json: { changes } })],
  ] as [string, number, Make][];
});

/** One result, as those who grade it reach it. */
const grading: [string, number, Make][] = [
  [
    'GET /api/instructor/grading',
    200,
    async (world) => {
      await decidable(world);
      return `/api/instructor/grading?exam_id=${world.exam}`;
    },
  ],
  ['GET /api/instructor/grading/tasks', 200, ({ exam }) => `/api/instructor/grading/tasks?exam_id=${exam}`],
  ['GET /api/instructor/grading/awaiting', 200, ({ exam }) => `/api/instructor/grading/awaiting?exam_id=${exam}`],
  ['GET /api/instructor/grading/{key}', 200, async (world) => await workOf(world)],
  // The task is a check, which has no file.
  ['GET /api/instructor/grading/{key}/file', 404, async (world) => `${await workOf(world)}/file`],
  [
    'PUT /api/instructor/grading/{key}',
    200,
    async (world) => ({ path: await workOf(world), json: { points_earned: 1, reason: 'Right', revision: 0 } }),
  ],
  [
    'POST /api/instructor/grading/{key}/comments',
    201,
    async (world) => ({ path: `${await workOf(world)}/comments`, json: { text: 'Well done' } }),
  ],
  [
    'DELETE /api/instructor/grading/{key}/comments/{comment_id}',
    200,
    async (world, caller) => {
      const { work, comment } = await gradedWork(world, caller);
      return `${work}/comments/${comment}`;
    },
  ],
  ['POST /api/instructor/grading/{key}/claim', 200, async (world) => `${await workOf(world)}/claim`],
  ['DELETE /api/instructor/grading/{key}/claim', 200, async (world) => `${await workOf(world)}/claim`],
];
const workOf = async (world: World): Promise<string> => (await gradedWork(world)).work;
async function gradedWork(world: World, author?: World['admin']): Promise<{ work: string; comment: number }> {
  const { attempt, task, comment } = await decidable(world, author);
  const { body } = await world.server.get(
    `/api/instructor/grading?exam_id=${world.exam}&task_id=${task}&is_graded=false`,
    world.admin.token,
  );
  const found = (body as { key: string; student: { attempt_id: number } }[]).find(
    (row) => row.student.attempt_id === attempt,
  );
  return { work: `/api/instructor/grading/${found?.key}`, comment };
}

/** What people decide about an attempt. */
const decisions: [string, number, Make][] = [
  [
    'PUT /api/instructor/attempts/{id}/results/{task_id}',
    200,
    async (world) => {
      const { path, task } = await decidable(world);
      return { path: `${path}/results/${task}`, json: { points_earned: 1, reason: 'Right', revision: 0 } };
    },
  ],
  ['GET /api/instructor/attempts/{id}/comments', 200, async (world) => `${(await decidable(world)).path}/comments`],
  [
    'POST /api/instructor/attempts/{id}/comments',
    201,
    async (world) => ({ path: `${(await decidable(world)).path}/comments`, json: { text: 'Well done' } }),
  ],
  [
    'DELETE /api/instructor/attempts/{id}/comments/{comment_id}',
    200,
    async (world, caller) => {
      const { path, comment } = await decidable(world, caller);
      return `${path}/comments/${comment}`;
    },
  ],
  [
    'GET /api/instructor/review-requests',
    200,
    async (world) => {
      await decidable(world);
      return '/api/instructor/review-requests';
    },
  ],
  [
    'PUT /api/instructor/review-requests/{id}',
    200,
    async (world) => ({
      path: `/api/instructor/review-requests/${(await decidable(world)).review}`,
      json: { outcome: 'granted', text: 'You are right' },
    }),
  ],
];

const evidenceOf = ({ examAttempt }: World) => `/api/instructor/attempts/${examAttempt}/evidence`;
/** What an attempt left when it ended. That of the matrix runs. */
const evidence: [string, number, Make][] = [
  ['GET /api/instructor/attempts/{id}/evidence', 404, evidenceOf],
  ['GET /api/instructor/attempts/{id}/evidence/summary', 200, (world) => `${evidenceOf(world)}/summary`],
];
/** Attempts that are graded again. Those of the matrix run, and nobody has asked for it. */
const regrades: [string, number, Make?][] = [
  [
    'POST /api/instructor/attempts/{id}/regrade',
    409,
    ({ examAttempt }) => ({ path: `/api/instructor/attempts/${examAttempt}/regrade`, json: {} }),
  ],
  ['GET /api/instructor/regrades', 200],
  ['GET /api/instructor/regrades/{id}', 404, () => '/api/instructor/regrades/2000000000'],
  ...['apply', 'drop'].map((act): [string, number, Make] => [
    `POST /api/instructor/regrades/{id}/${act}`,
    404,
    () => `/api/instructor/regrades/2000000000/${act}`,
  ]),
];
/** Attempts that are given back. That of the matrix runs. */
const reopenings: [string, number, Make?][] = [
  [
    'POST /api/instructor/attempts/{id}/reopen',
    409,
    ({ examAttempt }) => ({ path: `/api/instructor/attempts/${examAttempt}/reopen`, json: { minutes: 5 } }),
  ],
  [
    'GET /api/instructor/attempts/{id}/endings',
    200,
    ({ examAttempt }) => `/api/instructor/attempts/${examAttempt}/endings`,
  ],
  [
    'DELETE /api/instructor/attempts/{id}/reopen-request',
    404,
    ({ examAttempt }) => `/api/instructor/attempts/${examAttempt}/reopen-request`,
  ],
  ['GET /api/instructor/reopen-requests', 200],
];

/** The queue of raised hands, and what is done with one of it. */
const hands: Row[] = [
  [
    ...(['GET /api/instructor/hands', 401, 403, null, 200, 200] as const),
    async (world) => {
      await raisedHand(world);
      return '/api/instructor/hands';
    },
  ],
  [
    ...(['POST /api/instructor/hands/{id}/take', 401, 403, null, 200, 200] as const),
    async (world) => `/api/instructor/hands/${(await raisedHand(world)).id}/take`,
  ],
  [
    ...(['POST /api/hands/{id}/close', 401, 200, 404, 200, 200] as const),
    async (world) => `/api/hands/${(await raisedHand(world)).id}/close`,
  ],
];

const everybody: Row[] = [
  // test/api/content-pushes.test.ts signs them.
  [
    ...(['POST /api/hooks/content/{id}', 401, 401, 401, 401, 401] as const),
    () => ({ path: '/api/hooks/content/1', json: { ref: 'refs/heads/main' } }),
  ],
  ['POST /api/auth/register', 200, 200, null, 200, 200, () => ({ path: '/api/auth/register', json: account() })],
  [
    'POST /api/auth/login',
    401,
    200,
    null,
    200,
    200,
    (_, caller) => ({
      path: '/api/auth/login',
      json: { username: caller?.username ?? 'nobody', password: password(caller) },
    }),
  ],
  ['GET /api/auth/registration', 200, 200, null, 200, 200],
  ['GET /api/auth/providers', 200, 200, null, 200, 200],
  ['GET /api/auth/providers/{slug}/logout', 303, 303, null, 303, 303, () => '/api/auth/providers/none/logout'],
  ...['login', 'callback'].map((act): Row => {
    const operation = `GET /api/auth/providers/{slug}/${act}`;
    return [operation, 404, 404, null, 404, 404, () => `/api/auth/providers/none/${act}`];
  }),
  ...(['GET', 'POST'] as const).map((method): Row => {
    const path = '/api/lti/login';
    const request = () =>
      method === 'GET' ? `${path}?${new URLSearchParams(unknownPlatform)}` : asForm(path, unknownPlatform);
    return [`${method} ${path}`, 404, 404, null, 404, 404, request];
  }),
  // The page says that the launch was refused.
  ['POST /api/lti/launch', 200, 200, null, 200, 200, () => asForm('/api/lti/launch', { state: 'x', id_token: 'x' })],
  ['GET /api/lti/keys', 200, 200, null, 200, 200],
  [
    ...(['GET /api/lti/register', 400, 400, null, 400, 400] as const),
    () => '/api/lti/register?key=x&openid_configuration=https://127.0.0.1:1',
  ],
  [
    ...(['POST /api/lti/session', 401, 401, null, 401, 401] as const),
    () => ({ path: '/api/lti/session', json: { launch: 'x' } }),
  ],
  [
    'POST /api/auth/invitation',
    403,
    403,
    null,
    403,
    403,
    () => ({ path: '/api/auth/invitation', json: { code: 'WRONG' } }),
  ],
  ['GET /api/site', 200, 200, null, 200, 200],
  [
    ...(['POST /api/auth/password/forgot', 200, 200, null, 200, 200] as const),
    () => ({ path: '/api/auth/password/forgot', json: { email: 'nobody@example.com' } }),
  ],
  [
    ...(['POST /api/auth/password/reset', 400, 400, null, 400, 400] as const),
    () => ({ path: '/api/auth/password/reset', json: { token: 'wrong', password: 'a new password' } }),
  ],
  [
    ...(['POST /api/auth/email/confirm', 400, 400, null, 400, 400] as const),
    () => ({ path: '/api/auth/email/confirm', json: { token: 'wrong' } }),
  ],
  // Closed unless CATALOGUE_IS_OPEN is set: test/api/open-catalogue.test.ts.
  ['GET /api/catalogue', 404, 404, null, 404, 404],
  ['GET /avatars/{file}', 404, 404, null, 404, 404, () => '/avatars/0123456789abcdef0123456789abcdef.webp'],
  ['GET /.well-known/did.json', 200, 200, null, 200, 200],
  [
    'GET /api/certificates/{certificate}',
    ...([200, 200, null, 200, 200] as const),
    async (world) => `/api/certificates/${await certificate(world)}`,
  ],
  ['GET /api/certificates/status/{list}', 200, 200, null, 200, 200, () => '/api/certificates/status/0'],
  ['GET /healthz', 200, 200, null, 200, 200],
  ['GET /readyz', 200, 200, null, 200, 200],
  ['GET /metrics', 200, 200, null, 200, 200],
];

const users: Row[] = [
  ['GET /api/exam-sessions/time-zone', 401, 200, null, 200, 200],
  ['GET /api/auth/me', 401, 200, null, 200, 200],
  ['GET /api/auth/identities', 401, 200, null, 200, 200],
  [
    'POST /api/auth/identities',
    401,
    404,
    null,
    404,
    404,
    () => ({ path: '/api/auth/identities', json: { provider_id: 2_000_000_000 } }),
  ],
  ['DELETE /api/auth/identities/{id}', 401, 404, null, 404, 404, () => '/api/auth/identities/2000000000'],
  ...(
    [
      ['POST /api/lti/choices', {}],
      ['PUT /api/lti/class', { class_id: null }],
      ['PUT /api/lti/item', { kind: 'lesson', id: 1 }],
    ] as const
  ).map(([operation, fields]): Row => {
    const path = operation.replace(/^\w+ /, '');
    return [operation, 401, 403, null, 403, 403, () => ({ path, json: { launch: 'x', ...fields } })];
  }),
  ['POST /api/auth/refresh', 401, 200, null, 200, 200],
  ['POST /api/auth/logout', 401, 200, null, 200, 200],
  ['GET /api/auth/totp', 401, 200, null, 200, 200],
  ['POST /api/auth/totp', 401, 200, null, 200, 200],
  [
    'POST /api/auth/totp/confirm',
    ...([401, 409, null, 409, 409] as const),
    () => ({ path: '/api/auth/totp/confirm', json: { code: '000000' } }),
  ],
  ['DELETE /api/auth/totp', 401, 200, null, 200, 200],
  ['GET /api/auth/passkeys', 401, 200, null, 200, 200],
  ['POST /api/auth/passkeys/options', 401, 409, null, 409, 409],
  [
    'POST /api/auth/passkeys',
    ...([401, 409, null, 409, 409] as const),
    () => ({
      path: '/api/auth/passkeys',
      json: {
        name: 'Key',
        credential: {
          ...{ id: 'x', rawId: 'x', type: 'public-key' },
          response: { clientDataJSON: 'x', attestationObject: 'x' },
        },
      },
    }),
  ],
  ['DELETE /api/auth/passkeys/{id}', 401, 404, null, 404, 404, () => '/api/auth/passkeys/2000000000'],
  ['POST /api/auth/passkeys/login/options', 409, 409, null, 409, 409],
  [
    'POST /api/auth/passkeys/login',
    ...([409, 409, null, 409, 409] as const),
    () => ({
      path: '/api/auth/passkeys/login',
      json: {
        credential: {
          ...{ id: 'x', rawId: 'x', type: 'public-key' },
          response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
        },
      },
    }),
  ],
  ['GET /api/auth/sessions', 401, 200, null, 200, 200],
  [
    'DELETE /api/auth/sessions/{id}',
    ...([401, 200, 404, 404, 404] as const),
    async (world) => `/api/auth/sessions/${await loginOf(world)}`,
  ],
  [
    'PUT /api/auth/password',
    401,
    200,
    null,
    200,
    200,
    (_, caller) => ({
      path: '/api/auth/password',
      json: { old_password: password(caller), new_password: 'another password' },
    }),
  ],
  ['GET /api/dashboard/stats', 401, 200, null, 200, 200],
  ['GET /api/dashboard/activity', 401, 200, null, 200, 200],
  ['GET /api/dashboard/activity/export', 401, 200, null, 200, 200],
  ['GET /api/dashboard/analytics', 401, 200, null, 200, 200],
  [
    ...(['GET /api/dashboard/course-subjects', 401, 200, null, 200, 200] as const),
    ({ course }) => `/api/dashboard/course-subjects?course_id=${course}`,
  ],
  ['GET /api/auth/email', 401, 200, null, 200, 200],
  ['POST /api/auth/email/check', 401, 200, null, 200, 200],
  ['GET /api/profile/me', 401, 200, null, 200, 200],
  ['GET /api/profile/deletion', 401, 200, null, 200, 200],
  ['POST /api/profile/deletion', 401, 200, null, 200, 200],
  ['DELETE /api/profile/deletion', 401, 200, null, 200, 200],
  ['GET /api/profile/recording-consent', 401, 200, null, 200, 200],
  [
    'PUT /api/profile/recording-consent',
    ...([401, 200, null, 200, 200] as const),
    () => ({ path: '/api/profile/recording-consent', json: { is_given: true } }),
  ],
  ['GET /api/profile/data', 401, 200, null, 200, 200],
  ['PUT /api/profile/me', 401, 200, null, 200, 200, () => ({ path: '/api/profile/me', json: { bio: 'Mine' } })],
  ['DELETE /api/profile/avatar', 401, 200, null, 200, 200],
  ['GET /api/profile/certificates', 401, 200, null, 200, 200],
  [
    'POST /api/profile/certificates',
    ...([401, 409, null, 409, 409] as const),
    ({ exam }) => ({ path: '/api/profile/certificates', json: { kind: 'exam', part_id: exam, name: 'Zoë' } }),
  ],
  ['GET /api/notes', 401, 200, null, 200, 200],
  ['GET /api/auth/tokens', 401, 200, null, 200, 200],
  [
    'POST /api/auth/tokens',
    ...([401, 201, null, 201, 201] as const),
    () => ({ path: '/api/auth/tokens', json: { name: 'A program', scopes: ['read'] } }),
  ],
  [...(['DELETE /api/auth/tokens/{id}', 401, 200, 404, 404, 404] as const), ({ token }) => `/api/auth/tokens/${token}`],
  ['GET /api/search', 401, 200, null, 200, 200, ({ mine }) => `/api/search?q=${mine.username}`],
  [
    'POST /api/notes',
    401,
    201,
    null,
    201,
    201,
    ({ theme: theme_id }) => ({ path: '/api/notes', json: { theme_id, excerpt: unique('Paragraph') } }),
  ],
  [
    'PUT /api/notes/{id}',
    401,
    200,
    404,
    404,
    404,
    ({ note }) => ({ path: `/api/notes/${note}`, json: { text: 'New' } }),
  ],
  [...(['GET /api/hands', 401, 200, 404, 404, 404] as const), ({ sandbox }) => `/api/hands?container_id=${sandbox}`],
  [
    ...(['POST /api/hands', 401, 201, 404, 404, 404] as const),
    async (world) => {
      const { container_id } = await raisedHand(world);
      return { path: '/api/hands', json: { container_id } };
    },
  ],
  ['DELETE /api/notes/{id}', 401, 200, 404, 404, 404, ({ note }) => `/api/notes/${note}`],
  [
    'POST /api/profile/avatar',
    401,
    415,
    null,
    415,
    415,
    () => {
      const body = new FormData();
      body.set('file', new Blob(['no picture']), 'a.png');
      return { path: '/api/profile/avatar', body };
    },
  ],
];

const catalogue: Row[] = [
  ['GET /api/lessons/courses', 401, 200, null, 200, 200],
  ['GET /api/lessons/courses/{course_id}', 401, 200, null, 200, 200],
  ['GET /api/lessons/courses/{course_id}/teachers', 401, 200, null, 200, 200],
  ['GET /api/lessons/course-summaries', 401, 200, null, 200, 200],
  ['GET /api/lessons/themes', 401, 200, null, 200, 200, () => '/api/lessons/themes?markdown_file_path=a.md'],
  ['GET /api/lessons/themes/{theme_id}', 401, 200, null, 200, 200],
  ['GET /api/lessons/themes/{theme_id}/content', 401, 404, null, 404, 404],
  [
    'GET /api/lessons/themes/{theme_id}/files/{*}',
    401,
    404,
    null,
    404,
    404,
    ({ theme }) => `/api/lessons/themes/${theme}/files/a.png`,
  ],
  // Its file is absent.
  ['POST /api/lessons/themes/{theme_id}/complete', 401, 404, null, 200, 200],
  ['DELETE /api/lessons/themes/{theme_id}/complete', 401, 200, null, 200, 200],
  ['POST /api/lessons/refresh-repository', 401, 403, null, 403, 200],
  ['POST /api/admin/lessons/import-preview', 401, 403, null, 403, 200],
  ['POST /api/admin/lessons/import', 401, 403, null, 403, 200],
  ['GET /api/admin/lessons/missing-files', 401, 403, null, 403, 200],
  ['GET /api/sandbox-templates', 401, 200, null, 200, 200],
  ['GET /api/exams', 401, 200, null, 200, 200],
  ['GET /api/exams/{id}', 401, 200, null, 200, 200, ({ exam }) => `/api/exams/${exam}`],
  ['GET /api/laboratories/{id}', 401, 200, null, 200, 200, ({ laboratory }) => `/api/laboratories/${laboratory}`],
  ['GET /api/laboratories/section/{section_id}/laboratory', 401, 200, null, 200, 200],
  ...(['exam', 'laboratory'] as const).flatMap((kind): Row[] => {
    const path = `/api/${kind === 'exam' ? 'exams' : 'laboratories'}`;
    return [
      [`GET ${path}/{id}/revisions`, 401, 403, null, 200, 200, (world) => `${path}/${world[kind]}/revisions`],
      [
        `GET ${path}/{id}/revisions/{revision}`,
        ...([401, 403, null, 200, 200] as const),
        async (world) => `${path}/${await assessment(world, kind)}/revisions/1`,
      ],
    ];
  }),
];

/** Access depends on the owner. Staff can read attempts. Containers are accessible only to their owner. */
const owned: Row[] = [
  [
    'POST /api/containers/create',
    401,
    404,
    null,
    404,
    404,
    () => ({ path: '/api/containers/create', json: { template_id: 2_000_000_000 } }),
  ],
  ['GET /api/containers/sandbox', 401, 200, null, 200, 200],
  ['GET /api/containers/limits', 401, 200, null, 200, 200],
  ['GET /api/containers/{id}', 401, 200, 404, 404, 404],
  ['POST /api/containers/{id}/start', 401, 200, 404, 404, 404],
  ['POST /api/containers/{id}/stop', 401, 200, 404, 404, 404],
  ['POST /api/containers/{id}/reset', 401, 200, 404, 404, 404],
  ['GET /api/containers/{id}/terminals', 401, 200, 404, 200, 200],
  [
    'GET /api/containers/{id}/files',
    401,
    200,
    404,
    404,
    404,
    ({ sandbox }) => `/api/containers/${sandbox}/files?path=/etc/passwd`,
  ],
  [
    'PUT /api/containers/{id}/files',
    401,
    200,
    404,
    404,
    404,
    ({ sandbox }) => ({
      path: `/api/containers/${sandbox}/files?path=x&is_replacing=true`,
      body: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    }),
  ],
  ['GET /api/exams/attempts', 401, 200, null, 200, 200],
  ['GET /api/exams/attempts/active', 401, 200, 404, 404, 404],
  [
    'GET /api/exams/attempts/{id}/results',
    401,
    200,
    404,
    200,
    200,
    ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/results`,
  ],
  [
    'POST /api/exams/{id}/start',
    401,
    201,
    null,
    201,
    201,
    async (world) => `/api/exams/${await assessment(world, 'exam')}/start`,
  ],
  [
    'POST /api/exams/{id}/submit',
    401,
    404,
    404,
    404,
    404,
    async (world) => `/api/exams/${await assessment(world, 'exam')}/submit`,
  ],
  [
    'GET /api/exams/attempts/{id}/signals',
    // It has no results yet.
    ...([401, 404, 404, 404, 404] as const),
    ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/signals`,
  ],
  [
    'GET /api/exams/attempts/{id}/feedback',
    ...([401, 200, 404, 200, 200] as const),
    ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/feedback`,
  ],
  [
    'GET /api/laboratories/attempts/{id}/feedback',
    ...([401, 200, 404, 200, 200] as const),
    ({ laboratoryAttempt }) => `/api/laboratories/attempts/${laboratoryAttempt}/feedback`,
  ],
  [
    ...(['GET /api/exams/attempts/{id}/reopen-request', 401, 200, 404, 404, 404] as const),
    ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/reopen-request`,
  ],
  [
    ...(['POST /api/exams/attempts/{id}/reopen-request', 401, 409, 404, 404, 404] as const),
    ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/reopen-request`,
  ],
  [
    'POST /api/exams/attempts/{id}/review-request',
    ...([401, 403, 404, 404, 404] as const),
    ({ examAttempt }) => ({ path: `/api/exams/attempts/${examAttempt}/review-request`, json: { text: 'Why?' } }),
  ],
  ['GET /api/laboratories/attempts', 401, 200, null, 200, 200],
  ['GET /api/laboratories/attempts/active', 401, 200, null, 200, 200],
  [
    'GET /api/laboratories/attempts/{id}/results',
    401,
    200,
    404,
    200,
    200,
    ({ laboratoryAttempt }) => `/api/laboratories/attempts/${laboratoryAttempt}/results`,
  ],
  [
    'POST /api/laboratories/{id}/check',
    401,
    200,
    404,
    404,
    404,
    ({ laboratory }) => `/api/laboratories/${laboratory}/check`,
  ],
  [
    'POST /api/laboratories/{id}/start',
    401,
    200,
    null,
    200,
    200,
    async (world, caller) => {
      if (caller && caller !== world.mine) await practise(world, caller);
      return `/api/laboratories/${world.laboratory}/start`;
    },
  ],
  [
    'POST /api/laboratories/{id}/submit',
    401,
    200,
    404,
    404,
    404,
    ({ laboratory }) => `/api/laboratories/${laboratory}/submit`,
  ],
  [
    'POST /api/laboratories/attempts/{id}/abandon',
    401,
    409,
    404,
    404,
    404,
    ({ laboratoryAttempt }) => `/api/laboratories/attempts/${laboratoryAttempt}/abandon`,
  ],
  ...['pdf', 'credential'].map(
    (path): Row => [
      `GET /api/profile/certificates/{certificate}/${path}`,
      ...([401, 200, 404, 404, 404] as const),
      async (world) => `/api/profile/certificates/${await certificate(world)}/${path}`,
    ],
  ),
  [
    'DELETE /api/profile/certificates/{certificate}',
    ...([401, 200, 404, 404, 404] as const),
    async (world) => `/api/profile/certificates/${await certificate(world)}`,
  ],
  ...(['exams', 'laboratories'] as const).flatMap((of): Row[] => {
    const path = ({ examAttempt, laboratoryAttempt }: World): string =>
      `/api/${of}/attempts/${of === 'exams' ? examAttempt : laboratoryAttempt}/answers`;
    return [
      [`GET /api/${of}/attempts/{id}/answers`, ...([401, 200, 404, 200, 200] as const), path],
      [
        `PUT /api/${of}/attempts/{id}/answers/{task_id}`,
        // The task takes no answer, and the attempt at the laboratory has ended.
        ...([401, of === 'exams' ? 422 : 409, 404, 404, 404] as const),
        (world) => ({
          path: `${path(world)}/${of === 'exams' ? world.examTask : world.laboratoryTask}`,
          method: 'PUT',
          json: { text: 'Answer' },
        }),
      ],
      [
        `GET /api/${of}/attempts/{id}/answers/{task_id}/file`,
        // There is none.
        ...([401, 404, 404, 404, 404] as const),
        (world) => `${path(world)}/${of === 'exams' ? world.examTask : world.laboratoryTask}/file`,
      ],
    ];
  }),
  // The attempt has no breaks.
  ...(['POST', 'DELETE'] as const).map(
    (method): Row => [
      `${method} /api/exams/attempts/{id}/break`,
      ...([401, 409, 404, 404, 404] as const),
      ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/break`,
    ],
  ),
  [
    'POST /api/exams/attempts/{id}/abandon',
    401,
    200,
    404,
    404,
    404,
    ({ examAttempt }) => `/api/exams/attempts/${examAttempt}/abandon`,
  ],
  ['DELETE /api/containers/{id}', 401, 200, 404, 404, 404],
];

/** A class is seen by its members and by all instructors. Its own instructors, of whom the caller is none, and administrators change it. */
const schoolClass = (world: World) => world.fresh('/api/classes', { name: unique('Class') });
const freshMember = async (world: World) => ({ user_id: await world.freshUser() });
const newColumn = () => ({ name: unique('Column'), max_score: 10 });
/** The path of a new column of the grade book. */
const freshColumn = async (world: World): Promise<string> => {
  const path = `/api/classes/${world.class}/grade-columns`;
  return `${path}/${await world.fresh(path, newColumn())}`;
};
const classes: Row[] = [
  ['GET /api/classes', 401, 200, null, 200, 200],
  ['POST /api/classes', 401, 403, null, 201, 201, () => ({ path: '/api/classes', json: { name: unique('Class') } })],
  [
    'POST /api/classes/archive',
    401,
    403,
    null,
    422,
    200,
    (world) => ({ path: '/api/classes/archive', json: { class_ids: [world.class], is_archived: false } }),
  ],
  ['GET /api/classes/{id}', 401, 200, 404, 200, 200, (world) => `/api/classes/${world.class}`],
  [
    'PUT /api/classes/{id}',
    401,
    403,
    404,
    403,
    200,
    (world) => ({ path: `/api/classes/${world.class}`, json: { description: unique('New') } }),
  ],
  ['DELETE /api/classes/{id}', 401, 404, null, 403, 200, async (world) => `/api/classes/${await schoolClass(world)}`],
  ['GET /api/classes/{id}/copy/dates', 401, 403, 404, 403, 200, (world) => `/api/classes/${world.class}/copy/dates`],
  [
    'POST /api/classes/{id}/copy',
    401,
    403,
    404,
    403,
    201,
    (world) => ({ path: `/api/classes/${world.class}/copy`, json: { name: unique('Class') } }),
  ],
  ['GET /api/classes/{id}/members', 401, 403, 404, 200, 200, (world) => `/api/classes/${world.class}/members`],
  [
    'POST /api/classes/{id}/members',
    401,
    403,
    404,
    403,
    201,
    async (world) => ({ path: `/api/classes/${world.class}/members`, json: await freshMember(world) }),
  ],
  [
    'PUT /api/classes/{id}/members/{user_id}',
    401,
    403,
    404,
    403,
    200,
    (world) => ({ path: `/api/classes/${world.class}/members/${world.mine.id}`, json: { role: 'student' } }),
  ],
  [
    'POST /api/classes/{id}/members/{user_id}/invitation',
    401,
    403,
    404,
    403,
    409,
    (world) => `/api/classes/${world.class}/members/${world.mine.id}/invitation`,
  ],
  [
    'POST /api/classes/{id}/members/{user_id}/view',
    ...([401, 403, 404, 403, 200] as const),
    (world) => `/api/classes/${world.class}/members/${world.mine.id}/view`,
  ],
  [
    'DELETE /api/classes/{id}/members/{user_id}/view',
    ...([401, 200, 200, 200, 200] as const),
    (world) => `/api/classes/${world.class}/members/${world.mine.id}/view`,
  ],
  [
    'POST /api/classes/{id}/members/import',
    401,
    403,
    404,
    403,
    200,
    async (world) => ({
      path: `/api/classes/${world.class}/members/import`,
      headers: { 'content-type': 'text/csv' },
      body: `username\n${world.mine.username}\n`,
    }),
  ],
  [
    'POST /api/classes/{id}/members/import/check',
    401,
    403,
    404,
    403,
    200,
    (world) => ({
      path: `/api/classes/${world.class}/members/import/check`,
      headers: { 'content-type': 'text/csv' },
      body: `username\n${world.mine.username}\n`,
    }),
  ],
  ['GET /api/classes/{id}/join-codes', 401, 403, 404, 403, 200, (world) => `/api/classes/${world.class}/join-codes`],
  [
    'POST /api/classes/{id}/join-codes',
    401,
    403,
    404,
    403,
    201,
    (world) => ({ path: `/api/classes/${world.class}/join-codes`, json: {} }),
  ],
  [
    'DELETE /api/classes/{id}/join-codes/{code_id}',
    401,
    403,
    404,
    403,
    200,
    async (world) => {
      const path = `/api/classes/${world.class}/join-codes`;
      return `${path}/${await world.fresh(path, {})}`;
    },
  ],
  ['GET /api/classes/{id}/grades', 401, 403, 404, 200, 200, (world) => `/api/classes/${world.class}/grades`],
  ['GET /api/classes/{id}/grades/mine', 401, 200, 404, 403, 403, (world) => `/api/classes/${world.class}/grades/mine`],
  [
    'GET /api/classes/{id}/grades/statistics',
    401,
    403,
    404,
    200,
    200,
    (world) => `/api/classes/${world.class}/grades/statistics`,
  ],
  [
    'GET /api/classes/{id}/grades/comparison',
    401,
    403,
    404,
    200,
    200,
    (world) => `/api/classes/${world.class}/grades/comparison?with=${world.class}`,
  ],
  [
    'PUT /api/classes/{id}/grade-book',
    401,
    403,
    404,
    403,
    200,
    (world) => ({ path: `/api/classes/${world.class}/grade-book`, json: { is_visible: true } }),
  ],
  [
    'POST /api/classes/{id}/grade-columns',
    401,
    403,
    404,
    403,
    201,
    (world) => ({ path: `/api/classes/${world.class}/grade-columns`, json: newColumn() }),
  ],
  [
    'PUT /api/classes/{id}/grade-columns/{column_id}',
    401,
    403,
    404,
    403,
    200,
    async (world) => ({ path: await freshColumn(world), json: { weight: 2 } }),
  ],
  ['DELETE /api/classes/{id}/grade-columns/{column_id}', 401, 403, 404, 403, 200, (world) => freshColumn(world)],
  [
    'PUT /api/classes/{id}/grade-columns/{column_id}/values/{user_id}',
    401,
    403,
    404,
    403,
    200,
    async (world) => ({ path: `${await freshColumn(world)}/values/${world.mine.id}`, json: { value: 1 } }),
  ],
  [
    'POST /api/classes/{id}/grade-columns/import/check',
    401,
    403,
    404,
    403,
    200,
    (world) => ({
      path: `/api/classes/${world.class}/grade-columns/import/check`,
      headers: { 'content-type': 'text/csv' },
      body: 'username,Absent\n',
    }),
  ],
  [
    'POST /api/classes/{id}/grade-columns/import',
    401,
    403,
    404,
    403,
    200,
    async (world) => {
      const column = newColumn();
      await world.fresh(`/api/classes/${world.class}/grade-columns`, column);
      return {
        path: `/api/classes/${world.class}/grade-columns/import`,
        headers: { 'content-type': 'text/csv' },
        body: `username,${column.name}\n${world.mine.username},1\n`,
      };
    },
  ],
  ['GET /api/classes/{id}/progress', 401, 403, 404, 200, 200, (world) => `/api/classes/${world.class}/progress`],
  ['POST /api/classes/join', 401, 404, null, 404, 404, () => ({ path: '/api/classes/join', json: { code: 'WRONG' } })],
  // The student leaves the class at the end.
  [
    'DELETE /api/classes/{id}/members/{user_id}',
    401,
    200,
    404,
    403,
    200,
    async (world, caller) => {
      if (caller === world.mine) return `/api/classes/${world.class}/members/${world.mine.id}`;
      const path = `/api/classes/${world.class}/members`;
      const { user_id } = await freshMember(world);
      await world.server.post(path, world.admin.token, { user_id });
      return `${path}/${user_id}`;
    },
  ],
];

/** A session is seen like its class, and changed by those who change the class. */
export const sessionFields = (world: Pick<World, 'sessionExam' | 'class'>) => ({
  ...{ exam_id: world.sessionExam, class_id: world.class },
  ...{ opens_at: '2020-01-01T00:00:00Z', closes_at: '2099-01-01T00:00:00Z' },
});
const examSession = (world: World) => world.fresh('/api/exam-sessions', sessionFields(world));
const ofSession = (method: string, rest: string, student: number, instructor: number, json?: object): Row => [
  `${method} /api/exam-sessions/{id}${rest}`,
  ...([401, student, 404, instructor, 200] as const),
  (world) => {
    const path = `/api/exam-sessions/${world.session}${rest.replace('{user_id}', `${world.mine.id}`)}`;
    return json ? { path, json } : path;
  },
];
const chosen = (world: World, rest = '') => `/api/exam-sessions/${world.chosenSession}/users${rest}`;
/** The students of a session without a class. */
const chosenStudents: Row[] = [
  [
    ...(['GET /api/exam-sessions/candidates', 401, 403, null, 200, 200] as const),
    (world) => `/api/exam-sessions/candidates?q=${world.mine.username}`,
  ],
  [
    ...(['POST /api/exam-sessions/candidates', 401, 403, null, 200, 200] as const),
    (world) => ({ path: '/api/exam-sessions/candidates', json: { names: [world.mine.email] } }),
  ],
  [
    ...(['POST /api/exam-sessions/forecast', 401, 403, null, 200, 200] as const),
    (world) => {
      const { opens_at, closes_at } = sessionFields(world);
      return { path: '/api/exam-sessions/forecast', json: { user_ids: [world.mine.id], opens_at, closes_at } };
    },
  ],
  ['GET /api/exam-sessions/{id}/users', 401, 403, 404, 200, 200, (world) => chosen(world)],
  [
    ...(['POST /api/exam-sessions/{id}/users', 401, 403, 404, 403, 200] as const),
    (world) => ({ path: chosen(world), json: { user_ids: [world.mine.id] } }),
  ],
  [
    ...(['DELETE /api/exam-sessions/{id}/users/{user_id}', 401, 403, 404, 403, 200] as const),
    async (world, caller) => {
      if (caller === world.mine) return chosen(world, `/${world.mine.id}`);
      const user_id = await world.freshUser();
      await world.server.post(chosen(world), world.admin.token, { user_ids: [user_id] });
      return chosen(world, `/${user_id}`);
    },
  ],
];
const supervisors = (world: World, rest = '') => `/api/exam-sessions/${world.chosenSession}/supervisors${rest}`;
const freshColleague = (world: World) => world.fresh('/api/admin/users', { ...account(), role: 'instructor' });
/** Those who supervise it. */
const supervision: Row[] = [
  [
    'GET /api/exam-sessions/{id}/signals',
    ...([401, 403, 404, 200, 200] as const),
    ({ session }) => `/api/exam-sessions/${session}/signals`,
  ],
  ['GET /api/exam-sessions/{id}/supervisors', 401, 403, 404, 200, 200, (world) => supervisors(world)],
  [
    ...(['POST /api/exam-sessions/{id}/supervisors', 401, 403, 404, 403, 201] as const),
    async (world) => ({ path: supervisors(world), json: { user_id: await freshColleague(world) } }),
  ],
  [
    ...(['DELETE /api/exam-sessions/{id}/supervisors/{user_id}', 401, 403, 404, 403, 200] as const),
    async (world) => {
      const user_id = await freshColleague(world);
      await world.server.post(supervisors(world), world.admin.token, { user_id });
      return supervisors(world, `/${user_id}`);
    },
  ],
];
const ofClass = (method: string, rest: string, instructor: number, json?: object): Row => [
  `${method} /api/classes/{id}/accommodations${rest}`,
  ...([401, 403, 404, instructor, 200] as const),
  (world) => {
    const path = `/api/classes/${world.class}/accommodations${rest.replace('{user_id}', `${world.mine.id}`)}`;
    return json ? { path, json } : path;
  },
];
const examSessions: Row[] = [
  ...chosenStudents,
  ...supervision,
  ofClass('GET', '', 200),
  ofClass('PUT', '/{user_id}', 403, { time_factor: 2 }),
  ofClass('DELETE', '/{user_id}', 403),
  ['GET /api/exam-sessions', 401, 200, null, 200, 200],
  ['GET /api/exam-sessions/calendar.ics', 401, 200, null, 200, 200],
  [
    ...(['GET /api/exam-sessions/forecast', 401, 403, 404, 403, 200] as const),
    (world) => {
      const { class_id, opens_at, closes_at } = sessionFields(world);
      return `/api/exam-sessions/forecast?${new URLSearchParams({ class_id: `${class_id}`, opens_at, closes_at })}`;
    },
  ],
  [
    ...(['POST /api/exam-sessions', 401, 403, 404, 403, 201] as const),
    (world) => ({ path: '/api/exam-sessions', json: sessionFields(world) }),
  ],
  ofSession('GET', '', 200, 200),
  ofSession('GET', '/calendar.ics', 200, 200),
  ofSession('PUT', '', 403, 403, { max_attempts: 3 }),
  ofSession('GET', '/accommodations', 403, 200),
  ofSession('PUT', '/accommodations/{user_id}', 403, 403, { time_factor: 2 }),
  ofSession('DELETE', '/accommodations/{user_id}', 403, 403),
  ofSession('POST', '/release', 403, 403),
  ofSession('POST', '/pause', 403, 403),
  [
    ...(['POST /api/exam-sessions/{id}/regrade', 401, 403, 404, 403, 409] as const),
    async (world) => ({ path: `/api/exam-sessions/${world.session}/regrade`, json: {} }),
  ],
  ofSession('POST', '/resume', 403, 403),
  ofSession('POST', '/extend', 403, 403, { minutes: 5 }),
  // The student takes no exam now.
  [
    ...(['POST /api/exam-sessions/{id}/end-break', 401, 403, 404, 403, 404] as const),
    (world) => ({ path: `/api/exam-sessions/${world.session}/end-break`, json: { user_id: world.mine.id } }),
  ],
  // The student takes no exam that locks the login.
  [
    ...(['POST /api/exam-sessions/{id}/unlock', 401, 403, 404, 403, 404] as const),
    (world) => ({ path: `/api/exam-sessions/${world.session}/unlock`, json: { user_id: world.mine.id } }),
  ],
  [
    ...(['POST /api/exam-sessions/{id}/message', 401, 403, 404, 403, 201] as const),
    (world) => ({ path: `/api/exam-sessions/${world.session}/message`, json: { text: 'Ten minutes left' } }),
  ],
  ofSession('GET', '/room', 403, 200),
  ofSession('GET', '/room/events', 403, 200),
  ofSession('PUT', '/silent-checks', 403, 403, { interval_minutes: 5 }),
  ofSession('DELETE', '/silent-checks', 403, 403),
  ofSession('POST', '/end', 403, 403, {}),
  [
    ...(['DELETE /api/exam-sessions/{id}', 401, 403, 404, 403, 200] as const),
    async (world) => `/api/exam-sessions/${await examSession(world)}`,
  ],
];

const announcement = (world: World) => ({ class_id: world.class, title: unique('Announcement') });
const newAnnouncement = (world: World) => world.fresh('/api/announcements', announcement(world));
const deadlineOf = (world: World) => `/api/classes/${world.class}/deadlines/${world.laboratory}`;
const due_at = '2099-01-05T08:00:00Z';
const extended = async (world: World) => {
  await world.server.put(deadlineOf(world), world.admin.token, { due_at });
  return `${deadlineOf(world)}/extensions`;
};
const extensionCalls: Row[] = [
  [
    ...(['GET /api/classes/{id}/deadlines/{laboratory_id}/extensions', 401, 403, 404, 200, 200] as const),
    async (world) => {
      const path = await extended(world);
      await world.server.put(`${path}/${world.mine.id}`, world.admin.token, { due_at });
      return path;
    },
  ],
  [
    ...(['PUT /api/classes/{id}/deadlines/{laboratory_id}/extensions', 401, 403, 404, 403, 200] as const),
    async (world) => ({ path: await extended(world), json: { user_ids: [world.mine.id], due_at } }),
  ],
  [
    ...(['PUT /api/classes/{id}/deadlines/{laboratory_id}/extensions/{user_id}', 401, 403, 404, 403, 200] as const),
    async (world) => ({ path: `${await extended(world)}/${world.mine.id}`, json: { due_at } }),
  ],
  [
    ...(['DELETE /api/classes/{id}/deadlines/{laboratory_id}/extensions/{user_id}', 401, 403, 404, 403, 200] as const),
    async (world) => {
      const path = `${await extended(world)}/${world.mine.id}`;
      await world.server.put(path, world.admin.token, { due_at });
      return path;
    },
  ],
  [
    ...(['POST /api/classes/{id}/deadlines/{laboratory_id}/extensions/import', 401, 403, 404, 403, 200] as const),
    async (world) => ({
      path: `${await extended(world)}/import`,
      ...{ body: `username,due_at\n${world.mine.username},${due_at}`, headers: { 'content-type': 'text/csv' } },
    }),
  ],
  [
    ...(['POST /api/classes/{id}/deadlines/{laboratory_id}/extensions/import/check', 401, 403, 404, 403, 200] as const),
    async (world) => ({
      path: `${await extended(world)}/import/check`,
      ...{ body: `username,due_at\n${world.mine.username},${due_at}`, headers: { 'content-type': 'text/csv' } },
    }),
  ],
];
const notifications: Row[] = [
  ['GET /api/announcements', 401, 200, null, 200, 200],
  [
    ...(['POST /api/announcements', 401, 403, 404, 403, 201] as const),
    (world) => ({ path: '/api/announcements', json: announcement(world) }),
  ],
  [
    ...(['PUT /api/announcements/{id}', 401, 403, 404, 403, 200] as const),
    async (world) => ({ path: `/api/announcements/${await newAnnouncement(world)}`, json: { text: 'New' } }),
  ],
  [
    ...(['POST /api/announcements/{id}/read', 401, 200, 404, 200, 200] as const),
    async (world) => `/api/announcements/${await newAnnouncement(world)}/read`,
  ],
  [
    ...(['DELETE /api/announcements/{id}', 401, 403, 404, 403, 200] as const),
    async (world) => `/api/announcements/${await newAnnouncement(world)}`,
  ],
  [
    // A deletion by others, or one that the caller may not undo, does not exist.
    ...(['POST /api/deletions/undo', 401, 404, null, 404, 200] as const),
    async (world, caller) => {
      const id = await newAnnouncement(world);
      await world.server.delete(`/api/announcements/${id}`, (caller ?? world.admin).token);
      return { path: '/api/deletions/undo', json: { kind: 'announcement', entity_id: id } };
    },
  ],
  ['GET /api/notifications', 401, 200, null, 200, 200],
  ['GET /api/notifications/events', 401, 200, null, 200, 200],
  ['POST /api/notifications/read', 401, 200, null, 200, 200, () => ({ path: '/api/notifications/read', json: {} })],
  ['GET /api/notifications/settings', 401, 200, null, 200, 200],
  [
    ...(['PUT /api/notifications/settings', 401, 200, null, 200, 200] as const),
    () => ({ path: '/api/notifications/settings', json: { results: true } }),
  ],
  ['GET /api/notifications/mail-settings', 401, 200, null, 200, 200],
  [
    ...(['PUT /api/notifications/mail-settings', 401, 200, null, 200, 200] as const),
    () => ({ path: '/api/notifications/mail-settings', json: { results: true } }),
  ],
  ['GET /api/classes/{id}/lti-courses', 401, 403, 404, 200, 200, (world) => `/api/classes/${world.class}/lti-courses`],
  [
    ...(['POST /api/classes/{id}/lti-courses/{course_id}/synchronize', 401, 403, 404, 403, 404] as const),
    (world) => `/api/classes/${world.class}/lti-courses/2000000/synchronize`,
  ],
  ['GET /api/openings', 401, 200, null, 200, 200],
  ['GET /api/classes/{id}/openings', 401, 200, 404, 200, 200, (world) => `/api/classes/${world.class}/openings`],
  [
    ...(['PUT /api/classes/{id}/openings/{kind}/{part_id}', 401, 403, 404, 403, 200] as const),
    (world) => ({ path: `/api/classes/${world.class}/openings/section/${world.section}`, json: { opens_at: null } }),
  ],
  ['GET /api/deadlines', 401, 200, null, 200, 200],
  ['GET /api/classes/{id}/deadlines', 401, 200, 404, 200, 200, (world) => `/api/classes/${world.class}/deadlines`],
  [
    ...(['PUT /api/classes/{id}/deadlines/{laboratory_id}', 401, 403, 404, 403, 200] as const),
    (world) => ({ path: deadlineOf(world), json: { due_at } }),
  ],
  ...extensionCalls,
  [
    ...(['DELETE /api/classes/{id}/deadlines/{laboratory_id}', 401, 403, 404, 403, 200] as const),
    async (world) => {
      await world.server.put(deadlineOf(world), world.admin.token, { due_at });
      return deadlineOf(world);
    },
  ],
];

const userImport = (): Call => {
  const { username, email } = account();
  const headers = { 'content-type': 'text/csv' };
  return { path: '/api/admin/user-imports', headers, body: `username,email\n${username},${email}\n` };
};

/** @returns the id of the deletion, not of what was deleted */
async function newDeletion({ server, admin, fresh }: World): Promise<number> {
  const course = await fresh('/api/admin/lessons/courses', { name: unique('Course') });
  await server.delete(`/api/admin/lessons/courses/${course}`, admin.token);
  return (await server.get('/api/admin/deletions', admin.token)).body[0].id;
}

/** @returns the id of a mail that the mail server has refused */
async function failedMail({ server, admin }: World): Promise<number> {
  const mail = {
    user_id: admin.id,
    kind: 'results',
    key: unique('mail'),
    recipient: admin.email,
    language: 'en',
  } as const;
  const ended = { status: 'failed', problem: '550 No', ended_at: new Date(), expires_at: new Date() } as const;
  const made = server.application.db.insertInto('mails').values({ ...mail, ...ended, content: {} });
  return (await made.returning('id').executeTakeFirstOrThrow()).id;
}

/** Everything below /api/admin is for administrators only, so a row contains only their status. */
const administration: [operation: string, admin: number, make?: Make][] = [
  ['GET /api/admin/stats', 200],
  ['GET /api/admin/system', 200],
  ['GET /api/admin/activity', 200],
  ['GET /api/admin/site', 200],
  ['GET /api/admin/site/retention', 200],
  ['PUT /api/admin/site', 200, () => ({ path: '/api/admin/site', json: { welcome: 'Welcome' } })],
  [
    'PUT /api/admin/site/logo',
    200,
    () => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(blankPng(8))]), 'logo.png');
      return { path: '/api/admin/site/logo', body };
    },
  ],
  ['DELETE /api/admin/site/logo', 200],
  ['GET /api/admin/users', 200],
  ['GET /api/admin/users/export', 200],
  [
    'POST /api/admin/users/import',
    201,
    () => ({
      path: '/api/admin/users/import',
      headers: { 'content-type': 'text/csv' },
      body: `username,email,full_name,role,password\n${csv(account())}\n`,
    }),
  ],
  [
    'POST /api/admin/user-imports/check',
    200,
    () => ({ path: '/api/admin/user-imports/check', headers: { 'content-type': 'text/csv' }, body: 'x' }),
  ],
  ['POST /api/admin/user-imports', 202, () => userImport()],
  ['GET /api/admin/user-imports', 200],
  ['GET /api/admin/user-imports/{id}', 404, () => '/api/admin/user-imports/2000000000'],
  ['POST /api/admin/user-imports/{id}/cancel', 404, () => '/api/admin/user-imports/2000000000/cancel'],
  ['POST /api/admin/user-imports/{id}/invitations', 404, () => '/api/admin/user-imports/2000000000/invitations'],
  [
    'POST /api/admin/users/{id}/invitation',
    201,
    async ({ freshUser }) => `/api/admin/users/${await freshUser()}/invitation`,
  ],
  ['POST /api/admin/users', 201, () => ({ path: '/api/admin/users', json: { ...account(), role: 'student' } })],
  ['GET /api/admin/users/{id}', 200, ({ mine }) => `/api/admin/users/${mine.id}`],
  [
    'PUT /api/admin/users/{id}',
    200,
    ({ mine }) => ({ path: `/api/admin/users/${mine.id}`, json: { full_name: 'Somebody' } }),
  ],
  [
    'PUT /api/admin/users/{id}/role',
    200,
    async ({ freshUser }) => ({ path: `/api/admin/users/${await freshUser()}/role`, json: { role: 'instructor' } }),
  ],
  ['GET /api/admin/deletion-requests', 200],
  ['DELETE /api/admin/users/{id}/totp', 200, async ({ freshUser }) => `/api/admin/users/${await freshUser()}/totp`],
  ['DELETE /api/admin/users/{id}', 200, async ({ freshUser }) => `/api/admin/users/${await freshUser()}`],
  ['GET /api/admin/registration-codes', 200],
  ['POST /api/admin/registration-codes', 201, () => ({ path: '/api/admin/registration-codes', json: { max_uses: 1 } })],
  [
    'DELETE /api/admin/registration-codes/{id}',
    200,
    async ({ fresh }) => `/api/admin/registration-codes/${await fresh('/api/admin/registration-codes', {})}`,
  ],
  ['GET /api/admin/mails', 200],
  // No mail server: test/api/mail.test.ts has the others.
  ['POST /api/admin/mails/test', 409, () => '/api/admin/mails/test'],
  ['POST /api/admin/mails/{id}/send', 200, async (world) => `/api/admin/mails/${await failedMail(world)}/send`],
  ['DELETE /api/admin/mails/{id}', 200, async (world) => `/api/admin/mails/${await failedMail(world)}`],
  ['GET /api/admin/webhooks', 200],
  ['POST /api/admin/webhooks', 201, () => ({ path: webhooks, json: webhookFields() })],
  [
    'PATCH /api/admin/webhooks/{id}',
    200,
    async (world) => ({ path: `${webhooks}/${await webhook(world)}`, json: { is_paused: true } }),
  ],
  [
    'POST /api/admin/webhooks/{id}/rotate-secret',
    200,
    async (world) => `${webhooks}/${await webhook(world)}/rotate-secret`,
  ],
  ['POST /api/admin/webhooks/{id}/test', 201, async (world) => `${webhooks}/${await webhook(world)}/test`],
  ['GET /api/admin/webhooks/{id}/deliveries', 200, async (world) => `${webhooks}/${await webhook(world)}/deliveries`],
  [
    'POST /api/admin/webhooks/{id}/deliveries/{delivery_id}/replay',
    200,
    async (world) => {
      const hook = `${webhooks}/${await webhook(world)}`;
      return `${hook}/deliveries/${await world.fresh(`${hook}/test`, {})}/replay`;
    },
  ],
  [
    'DELETE /api/admin/webhooks/{id}',
    200,
    async (world) => `${webhooks}/${await world.fresh(webhooks, webhookFields())}`,
  ],
  ['GET /api/admin/service-accounts', 200],
  [
    'POST /api/admin/service-accounts',
    201,
    () => ({ path: serviceAccounts, json: { name: 'A program', role: 'instructor' } }),
  ],
  ['DELETE /api/admin/service-accounts/{id}', 200, newServiceAccount],
  ['GET /api/admin/service-accounts/{id}/tokens', 200, async (world) => `${await newServiceAccount(world)}/tokens`],
  [
    'POST /api/admin/service-accounts/{id}/tokens',
    201,
    async (world) => ({
      path: `${await newServiceAccount(world)}/tokens`,
      json: { name: 'A token', scopes: ['content'] },
    }),
  ],
  [
    'DELETE /api/admin/service-accounts/{id}/tokens/{token_id}',
    200,
    async (world) => {
      const tokens = `${await newServiceAccount(world)}/tokens`;
      return `${tokens}/${await world.fresh(tokens, { name: 'A token', scopes: ['content'] })}`;
    },
  ],
  ['GET /api/admin/identity-providers', 200],
  ['POST /api/admin/identity-providers', 201, () => ({ path: identityProviders, json: identityProviderFields() })],
  ['GET /api/admin/identity-providers/{id}', 200, newIdentityProvider],
  [
    'PUT /api/admin/identity-providers/{id}',
    200,
    async (world) => ({ path: await newIdentityProvider(world), json: {} }),
  ],
  ['DELETE /api/admin/identity-providers/{id}', 200, newIdentityProvider],
  ['POST /api/admin/identity-providers/{id}/test', 200, async (world) => `${await newIdentityProvider(world)}/test`],
  ['GET /api/admin/lti-platforms', 200],
  ['POST /api/admin/lti-platforms', 201, () => ({ path: ltiPlatforms, json: ltiPlatformFields() })],
  ['PUT /api/admin/lti-platforms/{id}', 200, async (world) => ({ path: await newLtiPlatform(world), json: {} })],
  ['DELETE /api/admin/lti-platforms/{id}', 200, newLtiPlatform],
  ['POST /api/admin/lti-platforms/{id}/test', 200, async (world) => `${await newLtiPlatform(world)}/test`],
  ['POST /api/admin/lti-platforms/registration-link', 201],
  // The key is new: the test before has made it.
  ['POST /api/admin/lti-platforms/key', 409],
  ['GET /api/admin/deletions', 200],
  [
    'POST /api/admin/deletions/{id}/restore',
    200,
    async (world) => `/api/admin/deletions/${await newDeletion(world)}/restore`,
  ],
  ['DELETE /api/admin/deletions/{id}', 200, async (world) => `/api/admin/deletions/${await newDeletion(world)}`],
  ['GET /api/admin/containers', 200],
  ['GET /api/admin/containers/{id}', 200, ({ sandbox }) => `/api/admin/containers/${sandbox}`],
  ['DELETE /api/admin/containers/{id}', 404, () => '/api/admin/containers/2000000000'],
  ['GET /api/admin/attempts', 200],
  ['GET /api/admin/attempts/{id}', 200, ({ examAttempt }) => `/api/admin/attempts/${examAttempt}`],
  [
    'PUT /api/admin/attempts/{id}',
    200,
    ({ examAttempt }) => {
      names += 1;
      return { path: `/api/admin/attempts/${examAttempt}`, json: { time_limit_minutes: 60 + names } };
    },
  ],
  ['POST /api/admin/attempts/{id}/grade', 409, ({ examAttempt }) => `/api/admin/attempts/${examAttempt}/grade`],
  ['GET /api/admin/images', 200],
  ['POST /api/admin/images', 201, () => ({ path: '/api/admin/images', json: imageFields() })],
  ['GET /api/admin/images/{id}', 200, async (world) => `/api/admin/images/${await newImage(world)}`],
  [
    'PUT /api/admin/images/{id}',
    200,
    async (world) => ({ path: `/api/admin/images/${await newImage(world)}`, json: { name: unique('Renamed') } }),
  ],
  ['POST /api/admin/images/{id}/pull', 200, async (world) => `/api/admin/images/${await newImage(world)}/pull`],
  ['DELETE /api/admin/images/{id}', 200, async (world) => `/api/admin/images/${await newImage(world)}`],
  ['GET /api/admin/lessons/repositories', 200],
  [
    'POST /api/admin/lessons/repositories',
    201,
    () => ({ path: '/api/admin/lessons/repositories', json: repositoryFields() }),
  ],
  [
    'GET /api/admin/lessons/repositories/{id}',
    200,
    async (world) => `/api/admin/lessons/repositories/${await repository(world)}`,
  ],
  [
    'PUT /api/admin/lessons/repositories/{id}',
    200,
    async (world) => ({
      path: `/api/admin/lessons/repositories/${await repository(world)}`,
      json: { name: unique('Renamed') },
    }),
  ],
  [
    'DELETE /api/admin/lessons/repositories/{id}',
    200,
    async (world) => `/api/admin/lessons/repositories/${await newRepository(world)}`,
  ],
  [
    'POST /api/admin/lessons/repositories/{id}/test',
    200,
    async (world) => `/api/admin/lessons/repositories/${await repository(world)}/test`,
  ],
  [
    'POST /api/admin/lessons/repositories/host-key',
    409,
    async (world) => ({
      path: '/api/admin/lessons/repositories/host-key',
      json: { repository_id: await repository(world), fingerprint: `SHA256:${'A'.repeat(43)}` },
    }),
  ],
  ['POST /api/admin/lessons/repositories/default/push-secret', 200],
  [
    'POST /api/admin/lessons/repositories/{id}/push-secret',
    200,
    async (world) => `/api/admin/lessons/repositories/${await repository(world)}/push-secret`,
  ],
  [
    'POST /api/admin/lessons/repositories/{id}/refresh',
    503,
    async (world) => `/api/admin/lessons/repositories/${await repository(world)}/refresh`,
  ],
  ['GET /api/admin/lessons/files', 200],
  [
    'POST /api/admin/lessons/themes/{theme_id}/write',
    200,
    async (world) => `/api/admin/lessons/themes/${await theme(world)}/write`,
  ],
  ['GET /api/admin/written-lessons', 200],
  ['POST /api/admin/written-lessons', 201, () => ({ path: written, json: writtenFields() })],
  ['GET /api/admin/written-lessons/{id}', 200, async (world) => `${written}/${await newWritten(world)}`],
  [
    'PUT /api/admin/written-lessons/{id}',
    200,
    async (world) => ({ path: `${written}/${await newWritten(world)}`, json: { text: '# Changed' } }),
  ],
  ['DELETE /api/admin/written-lessons/{id}', 200, async (world) => `${written}/${await newWritten(world)}`],
  [
    'GET /api/admin/written-lessons/{id}/revisions',
    200,
    async (world) => `${written}/${await newWritten(world)}/revisions`,
  ],
  [
    'GET /api/admin/written-lessons/{id}/revisions/{revision}',
    200,
    async (world) => `${written}/${await newWritten(world)}/revisions/1`,
  ],
  [
    'POST /api/admin/written-lessons/{id}/revisions/{revision}/restore',
    200,
    async (world) => `${written}/${await newWritten(world)}/revisions/1/restore`,
  ],
  [
    'POST /api/admin/written-lessons/pictures',
    201,
    () => ({
      path: `${written}/pictures?name=plan.png`,
      headers: { 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(blankPng(1)),
    }),
  ],
  ['GET /api/admin/written-lessons/content', 404, () => `${written}/content?path=none.png`],
  [
    'GET /api/admin/written-lessons/bundle',
    200,
    async (world) => {
      await newWritten(world);
      return `${written}/bundle`;
    },
  ],
  ['GET /api/admin/lessons/courses', 200],
  [
    'POST /api/admin/lessons/courses',
    201,
    () => ({ path: '/api/admin/lessons/courses', json: { name: unique('Course') } }),
  ],
  ['GET /api/admin/lessons/courses/{course_id}', 200],
  [
    'PUT /api/admin/lessons/courses/{course_id}',
    200,
    ({ course }) => ({ path: `/api/admin/lessons/courses/${course}`, json: { description: 'New' } }),
  ],
  [
    'DELETE /api/admin/lessons/courses/{course_id}',
    200,
    async (world) => `/api/admin/lessons/courses/${await course(world)}`,
  ],
  ['GET /api/admin/reports', 200],
  ['GET /api/admin/lessons/sections', 200],
  [
    'POST /api/admin/lessons/sections',
    201,
    ({ course }) => ({ path: '/api/admin/lessons/sections', json: { name: unique('Section'), course_id: course } }),
  ],
  ['GET /api/admin/lessons/sections/{section_id}', 200],
  [
    'PUT /api/admin/lessons/sections/{section_id}',
    200,
    ({ section }) => ({ path: `/api/admin/lessons/sections/${section}`, json: { name: 'New' } }),
  ],
  [
    'DELETE /api/admin/lessons/sections/{section_id}',
    200,
    async (world) => `/api/admin/lessons/sections/${await section(world)}`,
  ],
  ['GET /api/admin/lessons/themes', 200],
  [
    'POST /api/admin/lessons/themes',
    201,
    ({ section }) => ({
      path: '/api/admin/lessons/themes',
      json: { ...themeFields, title: unique('Theme'), section_id: section },
    }),
  ],
  ['GET /api/admin/lessons/themes/{theme_id}', 200],
  [
    'PUT /api/admin/lessons/themes/{theme_id}',
    200,
    ({ theme }) => ({ path: `/api/admin/lessons/themes/${theme}`, json: { duration_minutes: 5 } }),
  ],
  [
    'DELETE /api/admin/lessons/themes/{theme_id}',
    200,
    async (world) => `/api/admin/lessons/themes/${await theme(world)}`,
  ],
  ['GET /api/admin/sandbox-templates', 200],
  ['POST /api/admin/sandbox-templates', 201, () => ({ path: '/api/admin/sandbox-templates', json: templateFields() })],
  ['GET /api/admin/sandbox-templates/{id}', 200, ({ template }) => `/api/admin/sandbox-templates/${template}`],
  [
    'PUT /api/admin/sandbox-templates/{id}',
    200,
    ({ template }) => ({ path: `/api/admin/sandbox-templates/${template}`, json: { cpus: 2 } }),
  ],
  [
    'DELETE /api/admin/sandbox-templates/{id}',
    200,
    async (world) => `/api/admin/sandbox-templates/${await template(world)}`,
  ],
  [
    'PUT /api/admin/lessons/courses/{course_id}/grants',
    200,
    ({ course }) => ({ path: `/api/admin/lessons/courses/${course}/grants`, json: { has_root: true } }),
  ],
  ...administrationOf('exam', 'admin'),
  ...administrationOf('laboratory', 'admin'),
];

/** For instructors and administrators. A row contains their status. */
const teaching: [operation: string, status: number, make?: Make][] = [
  ['GET /api/first-steps', 200],
  ['GET /api/teaching/courses', 200],
  ['POST /api/teaching/courses', 201, () => ({ path: '/api/teaching/courses', json: { name: unique('Course') } })],
  ['POST /api/teaching/test-student/view', 200],
  ['DELETE /api/teaching/test-student/view', 200],
  ['DELETE /api/teaching/test-student', 200],
  ['GET /api/instructor/attempts', 200],
  ['GET /api/instructor/attempts/export', 200],
  ['GET /api/instructor/attempts/{id}', 200, ({ examAttempt }) => `/api/instructor/attempts/${examAttempt}`],
  [
    'POST /api/instructor/attempts/{id}/extend',
    200,
    ({ examAttempt }) => ({ path: `/api/instructor/attempts/${examAttempt}/extend`, json: { minutes: 1 } }),
  ],
  [
    'GET /api/instructor/attempts/{id}/recordings',
    200,
    ({ examAttempt }) => `/api/instructor/attempts/${examAttempt}/recordings`,
  ],
  [
    'GET /api/instructor/attempts/{id}/signals',
    200,
    ({ examAttempt }) => `/api/instructor/attempts/${examAttempt}/signals`,
  ],
  [
    'GET /api/instructor/recordings/{id}',
    404,
    ({ recording = 2_000_000_000 }) => `/api/instructor/recordings/${recording}`,
  ],
  ...evidence,
  ...reopenings,
  ...regrades,
  ...decisions,
  ...graderRubrics,
  ...grading,
  ['GET /api/instructor/containers', 200],
  ['GET /api/instructor/subjects', 200],
  ['GET /api/instructor/overview', 200],
  ...(['exam', 'laboratory'] as const).flatMap((kind): [string, number, Make][] => {
    const path = kind === 'exam' ? '/api/instructor/exams' : '/api/instructor/laboratories';
    return ['grade-book', 'grade-book/export'].map((page) => [
      `GET ${path}/{id}/${page}`,
      200,
      (world) => `${path}/${world[kind]}/${page}`,
    ]);
  }),
];

const newFile = (assessmentPath: string) => ({
  path: `${assessmentPath}/files?path=/srv/${unique('file')}`,
  headers: { 'content-type': 'application/octet-stream' },
  body: new Uint8Array([120]),
});
const file = async ({ server, admin }: World, assessmentPath: string): Promise<string> => {
  const { path, ...upload } = newFile(assessmentPath);
  const { body } = await server.request('PUT', path, { token: admin.token, ...upload });
  return `${assessmentPath}/files/${body.id}`;
};

function administrationOf(kind: keyof typeof subjects, door: DoorOf): typeof administration {
  const { path } = subjects[kind];
  const plural = path.replace('/api/admin/', '');
  const at = (world: World) => (door === 'admin' ? path : `${ofCourse(world)}/${plural}`);
  const route = door === 'admin' ? path : `/api/teaching/courses/{course_id}/${plural}`;
  const own = (world: World) => `${at(world)}/${world[kind]}`;
  const ownTask = (world: World) => `${own(world)}/tasks/${world[`${kind}Task`]}`;
  const fresh = async (world: World) => `${at(world)}/${await assessment(world, kind, door)}`;
  return [
    [`GET ${route}`, 200, at],
    [
      `POST ${route}`,
      201,
      async (world) => ({
        path: at(world),
        json: { ...assessmentFields(kind), ...(await placeIn(world, kind, door)) },
      }),
    ],
    [`GET ${route}/{id}`, 200, own],
    [`PUT ${route}/{id}`, 200, (world) => ({ path: own(world), json: { description: 'New' } })],
    [`DELETE ${route}/{id}`, 200, fresh],
    [`GET ${route}/{id}/files`, 200, (world) => `${own(world)}/files`],
    [`PUT ${route}/{id}/files`, 201, (world) => newFile(own(world))],
    [`GET ${route}/{id}/files/{file_id}`, 200, (world) => file(world, own(world))],
    [
      `PUT ${route}/{id}/files/{file_id}`,
      200,
      async (world) => ({ path: await file(world, own(world)), json: { owner: 'student' } }),
    ],
    [`DELETE ${route}/{id}/files/{file_id}`, 200, (world) => file(world, own(world))],
    // Without a task that could be tried there is nothing to run.
    [`POST ${route}/{id}/try`, 200, async (world) => `${await fresh(world)}/try`],
    [`POST ${route}/{id}/publish`, 409, async (world) => `${await fresh(world)}/publish`],
    [`GET ${route}/{id}/trial`, 404, (world) => `${own(world)}/trial`],
    [
      `POST ${route}/{id}/tasks/{task_id}/try`,
      404,
      async (world) => `${await fresh(world)}/tasks/${world[`${kind}Task`]}/try`,
    ],
    [`POST ${route}/{id}/regrade`, 409, async (world) => ({ path: `${await fresh(world)}/regrade`, json: {} })],
    [`POST ${route}/{id}/copy`, 201, (world) => `${own(world)}/copy`],
    [`GET ${route}/{id}/revisions`, 200, (world) => `${own(world)}/revisions`],
    [`GET ${route}/{id}/revisions/{revision}`, 200, async (world) => `${await fresh(world)}/revisions/1`],
    [`GET ${route}/{id}/tasks`, 200, (world) => `${own(world)}/tasks`],
    [`POST ${route}/{id}/tasks`, 201, async (world) => ({ path: `${await fresh(world)}/tasks`, json: taskFields })],
    [
      `PUT ${route}/{id}/tasks/order`,
      200,
      (world) => ({ path: `${own(world)}/tasks/order`, json: { task_ids: [world[`${kind}Task`]] } }),
    ],
    [
      `POST ${route}/{id}/tasks/{task_id}/reports/answer`,
      200,
      async (world) => {
        await reported(world, kind);
        return { path: `${ownTask(world)}/reports/answer`, json: { text: 'So it is' } };
      },
    ],
    ...rubricCalls(route, kind, ownTask),
    [`GET ${route}/{id}/tasks/{task_id}`, 200, ownTask],
    [`PUT ${route}/{id}/tasks/{task_id}`, 200, (world) => ({ path: ownTask(world), json: { description: 'New' } })],
    [
      `DELETE ${route}/{id}/tasks/{task_id}`,
      200,
      async (world) => {
        const made = await task(world, kind, door);
        return `${at(world)}/${made.id}/tasks/${made.task}`;
      },
    ],
  ];
}

const colleague = async (world: World) => await world.fresh('/api/admin/users', { ...account(), role: 'instructor' });
const staffMember = async (world: World): Promise<string> => {
  const path = `${ofCourse(world)}/staff`;
  const user_id = await colleague(world);
  await world.server.post(path, world.admin.token, { user_id, role: 'viewer' });
  return `${path}/${user_id}`;
};
const ownWritten = async (world: World): Promise<string> => {
  const path = `${ofCourse(world)}/written-lessons`;
  return `${path}/${await world.fresh(path, writtenFields())}`;
};
const newSection = (world: World) => ({ path: `${ofCourse(world)}/sections`, json: { name: unique('Section') } });
const sectionOfCourse = async (world: World): Promise<string> => {
  const { path, json } = newSection(world);
  return `${path}/${await world.fresh(path, json)}`;
};
const door = '/api/teaching/courses/{course_id}';

/**
 * Behind the door of a course: for its staff, of whom no caller here is one, and for administrators. A row contains their status.
 * test/api/course-staff-matrix.test.ts has the same for each role among the staff.
 */
const behindDoor: typeof administration = [
  [`GET ${door}`, 200, ofCourse],
  [`PUT ${door}`, 200, (world) => ({ path: ofCourse(world), json: { description: 'New' } })],
  [`POST ${door}/copy`, 201, (world) => ({ path: `${ofCourse(world)}/copy`, json: { name: unique('Course') } })],
  [`DELETE ${door}`, 200, async (world) => `/api/teaching/courses/${await course(world)}`],
  [`GET ${door}/reports`, 200, (world) => `${ofCourse(world)}/reports`],
  [`GET ${door}/staff`, 200, (world) => `${ofCourse(world)}/staff`],
  [
    `POST ${door}/staff`,
    201,
    async (world) => ({
      path: `${ofCourse(world)}/staff`,
      json: { user_id: await colleague(world), role: 'owner' },
    }),
  ],
  [`PUT ${door}/staff/{user_id}`, 200, async (world) => ({ path: await staffMember(world), json: { role: 'editor' } })],
  [`DELETE ${door}/staff/{user_id}`, 200, staffMember],
  [`GET ${door}/grants`, 200, (world) => `${ofCourse(world)}/grants`],
  [`GET ${door}/export`, 200, (world) => `${ofCourse(world)}/export`],
  // No files, so no course.
  [`POST ${door}/import`, 422, (world) => ({ path: `${ofCourse(world)}/import`, json: { files: [] } })],
  [`GET ${door}/repositories`, 200, (world) => `${ofCourse(world)}/repositories`],
  // Not granted to the course.
  [
    `POST ${door}/repositories`,
    403,
    (world) => ({ path: `${ofCourse(world)}/repositories`, json: repositoryFields() }),
  ],
  ...(
    [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/refresh'],
      ['POST', '/push-secret'],
    ] as const
  ).map(([method, rest]): (typeof administration)[number] => [
    `${method} ${door}/repositories/{id}${rest}`,
    404,
    // Of administrators.
    async (world) => `${ofCourse(world)}/repositories/${await repository(world)}${rest}`,
  ]),
  [`GET ${door}/images`, 200, (world) => `${ofCourse(world)}/images`],
  // Its registry is not granted to the course.
  [`POST ${door}/images`, 403, (world) => ({ path: `${ofCourse(world)}/images`, json: imageFields() })],
  ...(
    [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/pull'],
    ] as const
  ).map(([method, rest]): (typeof administration)[number] => [
    `${method} ${door}/images/{id}${rest}`,
    404,
    // Of administrators.
    async (world) => {
      const path = `${ofCourse(world)}/images/${await newImage(world)}${rest}`;
      return method === 'PUT' ? { path, json: { name: 'New' } } : path;
    },
  ]),
  [`GET ${door}/sections`, 200, (world) => `${ofCourse(world)}/sections`],
  [`POST ${door}/sections`, 201, newSection],
  [`GET ${door}/sections/{section_id}`, 200, (world) => `${ofCourse(world)}/sections/${world.section}`],
  [
    `PUT ${door}/sections/{section_id}`,
    200,
    (world) => ({ path: `${ofCourse(world)}/sections/${world.section}`, json: { name: 'New' } }),
  ],
  [`DELETE ${door}/sections/{section_id}`, 200, sectionOfCourse],
  [`GET ${door}/themes`, 200, (world) => `${ofCourse(world)}/themes`],
  [
    `POST ${door}/themes`,
    201,
    (world) => ({
      path: `${ofCourse(world)}/themes`,
      json: { ...themeFields, title: unique('Theme'), section_id: world.section },
    }),
  ],
  [`GET ${door}/themes/{theme_id}`, 200, (world) => `${ofCourse(world)}/themes/${world.theme}`],
  [
    `PUT ${door}/themes/{theme_id}`,
    200,
    (world) => ({ path: `${ofCourse(world)}/themes/${world.theme}`, json: { duration_minutes: 5 } }),
  ],
  [`DELETE ${door}/themes/{theme_id}`, 200, async (world) => `${ofCourse(world)}/themes/${await theme(world)}`],
  [
    `POST ${door}/themes/{theme_id}/write`,
    200,
    async (world) => `${ofCourse(world)}/themes/${await theme(world)}/write`,
  ],
  [`GET ${door}/lesson-files`, 200, (world) => `${ofCourse(world)}/lesson-files`],
  [`GET ${door}/written-lessons`, 200, (world) => `${ofCourse(world)}/written-lessons`],
  [
    `POST ${door}/written-lessons`,
    201,
    (world) => ({ path: `${ofCourse(world)}/written-lessons`, json: writtenFields() }),
  ],
  [`GET ${door}/written-lessons/{id}`, 200, ownWritten],
  [
    `PUT ${door}/written-lessons/{id}`,
    200,
    async (world) => ({ path: await ownWritten(world), json: { text: '# Changed' } }),
  ],
  [`DELETE ${door}/written-lessons/{id}`, 200, ownWritten],
  [`GET ${door}/written-lessons/{id}/revisions`, 200, async (world) => `${await ownWritten(world)}/revisions`],
  [
    `GET ${door}/written-lessons/{id}/revisions/{revision}`,
    200,
    async (world) => `${await ownWritten(world)}/revisions/1`,
  ],
  [
    `POST ${door}/written-lessons/{id}/revisions/{revision}/restore`,
    200,
    async (world) => `${await ownWritten(world)}/revisions/1/restore`,
  ],
  [
    `POST ${door}/written-lessons/pictures`,
    201,
    (world) => ({
      path: `${ofCourse(world)}/written-lessons/pictures?name=plan.png`,
      headers: { 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(blankPng(1)),
    }),
  ],
  [`GET ${door}/written-lessons/content`, 404, (world) => `${ofCourse(world)}/written-lessons/content?path=none.png`],
  [
    `GET ${door}/written-lessons/bundle`,
    200,
    async (world) => {
      await ownWritten(world);
      return `${ofCourse(world)}/written-lessons/bundle`;
    },
  ],
  ...administrationOf('exam', 'course'),
  ...administrationOf('laboratory', 'course'),
];

/** Operations that delete the student's resources come last. */
export const rows: readonly Row[] = [
  ...everybody,
  ...users,
  ...catalogue,
  ...teaching.map(
    ([operation, status, make]): Row => [operation, 401, 403, null, status, status, ...(make ? [make] : [])] as Row,
  ),
  ...administration.map(
    ([operation, admin, make]): Row => [operation, 401, 403, null, 403, admin, ...(make ? [make] : [])] as Row,
  ),
  ...behindDoor.map(
    ([operation, admin, make]): Row => [operation, 401, 404, null, 404, admin, ...(make ? [make] : [])] as Row,
  ),
  ...examSessions,
  ...notifications,
  ...hands,
  ...reports,
  ...classes,
  ...owned,
];

/** The path of an operation with the world's ids in it. */
export function pathOf(operation: string, world: World): string {
  const path = operation.slice(operation.indexOf(' ') + 1);
  const ids: Record<string, number> = {
    course_id: world.course,
    section_id: world.section,
    theme_id: world.theme,
    id: world.sandbox,
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
}

/**
 * Whose data the answers of an operation contain, besides the caller's own:
 * - `students`: that of students, for instructors who see them
 * - `numbers`: how many students there are of those
 * - `members`: that of the members of a class, for its assistants and instructors and for those who see all classes
 * - `class`: that of a class without its members, for all of these and the members
 * - `nobody`: no other user's
 * Administration is for administrators, who see everybody. What is behind the door of a course (`course`) does not exist for others.
 */
export type Shown = 'students' | 'numbers' | 'members' | 'class' | 'nobody' | 'administration' | 'course';

const shownBy: Partial<Record<Shown, readonly string[]>> = {
  students: [
    'GET /api/search',
    'GET /api/exam-sessions/candidates',
    'POST /api/exam-sessions/candidates',
    'GET /api/instructor/attempts',
    'GET /api/instructor/attempts/export',
    'GET /api/instructor/attempts/{id}',
    'POST /api/instructor/attempts/{id}/extend',
    'GET /api/instructor/attempts/{id}/recordings',
    'GET /api/instructor/recordings/{id}',
    'GET /api/instructor/containers',
    'GET /api/instructor/overview',
    ...hands.map(([operation]) => operation),
    'GET /api/instructor/review-requests',
    ...['exams', 'laboratories'].map((of) => `GET /api/instructor/${of}/{id}/tasks/{task_id}/rubric/changes`),
    ...['GET /api/instructor/grading', 'GET /api/instructor/grading/{key}', 'PUT /api/instructor/grading/{key}'],
    'GET /api/instructor/exams/{id}/grade-book',
    'GET /api/instructor/exams/{id}/grade-book/export',
    'GET /api/instructor/laboratories/{id}/grade-book',
    'GET /api/instructor/laboratories/{id}/grade-book/export',
    'GET /api/exams/attempts/{id}/results',
    'GET /api/laboratories/attempts/{id}/results',
    ...['GET /api/exams/attempts/{id}/answers', 'GET /api/laboratories/attempts/{id}/answers'],
    ...extensionCalls.map(([operation]) => operation).filter((operation) => !operation.startsWith('DELETE')),
    'GET /api/classes/{id}/accommodations',
    ...['PUT', 'DELETE'].map((method) => `${method} /api/classes/{id}/accommodations/{user_id}`),
    'GET /api/exam-sessions/{id}/accommodations',
    'PUT /api/exam-sessions/{id}/accommodations/{user_id}',
    'DELETE /api/exam-sessions/{id}/accommodations/{user_id}',
  ],
  numbers: [
    ...['GET /api/instructor/grading/tasks', 'GET /api/instructor/grading/awaiting'],
    'POST /api/exam-sessions/forecast',
    'GET /api/instructor/subjects',
    'GET /api/classes/{id}/grades/statistics',
    'GET /api/classes/{id}/grades/comparison',
  ],
  members: [
    'GET /api/exam-sessions/forecast',
    'GET /api/classes/{id}/members',
    'POST /api/classes/{id}/members',
    'POST /api/classes/{id}/members/{user_id}/invitation',
    'POST /api/classes/{id}/members/{user_id}/view',
    'PUT /api/classes/{id}/members/{user_id}',
    'DELETE /api/classes/{id}/members/{user_id}',
    'POST /api/classes/{id}/members/import',
    'POST /api/classes/{id}/members/import/check',
    'GET /api/classes/{id}/progress',
    'GET /api/classes/{id}/grades',
    'GET /api/exam-sessions/{id}/users',
    'POST /api/exam-sessions/{id}/users',
    'DELETE /api/exam-sessions/{id}/users/{user_id}',
    'GET /api/exam-sessions/{id}/room',
    'GET /api/exam-sessions/{id}/room/events',
    'GET /api/exam-sessions/{id}/signals',
  ],
  class: [
    'GET /api/classes',
    'GET /api/classes/{id}',
    ...['PUT /api/classes/{id}', 'POST /api/classes/archive'],
    ...['GET /api/classes/{id}/copy/dates', 'POST /api/classes/{id}/copy'],
    'GET /api/classes/{id}/join-codes',
    'POST /api/classes/{id}/join-codes',
    ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/exam-sessions/{id}`),
    ...['release', 'pause', 'resume', 'extend', 'unlock', 'end-break', 'message', 'end'].map(
      (act) => `POST /api/exam-sessions/{id}/${act}`,
    ),
    ...['PUT', 'DELETE'].map((method) => `${method} /api/exam-sessions/{id}/silent-checks`),
    ...['GET', 'POST'].map((method) => `${method} /api/exam-sessions/{id}/supervisors`),
    'DELETE /api/exam-sessions/{id}/supervisors/{user_id}',
    ...['GET /api/exam-sessions', 'GET /api/exam-sessions/calendar.ics'],
    'GET /api/exam-sessions/{id}/calendar.ics',
    ...['GET /api/announcements', 'POST /api/announcements', 'PUT /api/announcements/{id}'],
    ...['GET /api/classes/{id}/deadlines', 'PUT /api/classes/{id}/deadlines/{laboratory_id}', 'GET /api/deadlines'],
    ...['GET /api/notifications', 'GET /api/notifications/events'],
  ],
  nobody: [
    ...reports.map(([operation]) => operation),
    'GET /api/first-steps',
    ...['GET /api/teaching/courses', 'POST /api/teaching/courses'],
    ...['POST', 'DELETE'].map((method) => `${method} /api/teaching/test-student/view`),
    'DELETE /api/teaching/test-student',
    ...[...everybody, ...users, ...catalogue]
      .map(([operation]) => operation)
      .filter((name) => !name.includes('admin') && name !== 'GET /api/search'),
    ...['POST /api/exam-sessions', 'POST /api/classes', 'POST /api/classes/join', 'DELETE /api/classes/{id}'],
    ...['DELETE /api/classes/{id}/join-codes/{code_id}', 'DELETE /api/classes/{id}/members/{user_id}/view'],
    ...['GET /api/classes/{id}/grades/mine', 'PUT /api/classes/{id}/grade-book'],
    ...['POST /api/classes/{id}/grade-columns', 'POST /api/classes/{id}/grade-columns/import'],
    'POST /api/classes/{id}/grade-columns/import/check',
    ...['PUT', 'DELETE'].map((method) => `${method} /api/classes/{id}/grade-columns/{column_id}`),
    'PUT /api/classes/{id}/grade-columns/{column_id}/values/{user_id}',
    'POST /api/deletions/undo',
    ...['DELETE /api/announcements/{id}', 'POST /api/announcements/{id}/read'],
    ...['POST /api/notifications/read', 'GET /api/notifications/settings', 'PUT /api/notifications/settings'],
    ...['GET /api/notifications/mail-settings', 'PUT /api/notifications/mail-settings'],
    'DELETE /api/classes/{id}/deadlines/{laboratory_id}',
    ...['GET /api/classes/{id}/lti-courses', 'POST /api/classes/{id}/lti-courses/{course_id}/synchronize'],
    ...['GET /api/openings', 'GET /api/classes/{id}/openings', 'PUT /api/classes/{id}/openings/{kind}/{part_id}'],
    'DELETE /api/classes/{id}/deadlines/{laboratory_id}/extensions/{user_id}',
    ...['POST /api/containers/create', 'GET /api/containers/sandbox', 'GET /api/containers/{id}'],
    'GET /api/containers/limits',
    ...['POST /api/containers/{id}/start', 'POST /api/containers/{id}/stop', 'DELETE /api/containers/{id}'],
    ...['POST /api/containers/{id}/reset', 'GET /api/containers/{id}/files', 'PUT /api/containers/{id}/files'],
    'GET /api/containers/{id}/terminals',
    ...['GET /api/exams/attempts', 'GET /api/exams/attempts/active', 'POST /api/exams/attempts/{id}/abandon'],
    ...['POST /api/exams/attempts/{id}/break', 'DELETE /api/exams/attempts/{id}/break'],
    ...['POST /api/exams/{id}/start', 'POST /api/exams/{id}/submit'],
    ...['exams', 'laboratories'].map((of) => `PUT /api/${of}/attempts/{id}/answers/{task_id}`),
    ...['exams', 'laboratories'].map((of) => `GET /api/${of}/attempts/{id}/answers/{task_id}/file`),
    ...['GET /api/laboratories/attempts', 'GET /api/laboratories/attempts/active'],
    ...['POST /api/laboratories/attempts/{id}/abandon', 'POST /api/laboratories/{id}/start'],
    ...decisions.map(([operation]) => operation),
    ...['POST /api/instructor/grading/{key}/comments', 'GET /api/instructor/grading/{key}/file'],
    'DELETE /api/instructor/grading/{key}/comments/{comment_id}',
    ...['POST', 'DELETE'].map((method) => `${method} /api/instructor/grading/{key}/claim`),
    ...graderRubrics.map(([operation]) => operation).filter((operation) => !/^GET .*changes$/.test(operation)),
    ...evidence.map(([operation]) => operation),
    ...[...reopenings, ...regrades].map(([operation]) => operation),
    'POST /api/exam-sessions/{id}/regrade',
    ...['GET', 'POST'].map((method) => `${method} /api/exams/attempts/{id}/reopen-request`),
    ...['exams', 'laboratories'].map((kind) => `GET /api/${kind}/attempts/{id}/feedback`),
    'POST /api/exams/attempts/{id}/review-request',
    ...['exams', 'instructor'].map((who) => `GET /api/${who}/attempts/{id}/signals`),
    ...['GET /api/profile/certificates/{certificate}/pdf', 'GET /api/profile/certificates/{certificate}/credential'],
    'DELETE /api/profile/certificates/{certificate}',
    ...['POST /api/laboratories/{id}/check', 'POST /api/laboratories/{id}/submit'],
  ],
};

/** Undefined for an operation that does not declare whose data it shows. */
export function shownIn(operation: string): Shown | undefined {
  if (operation.includes(' /api/admin/')) return 'administration';
  if (operation.includes(` ${door}`)) return 'course';
  return (Object.keys(shownBy) as Shown[]).find((shown) => shownBy[shown]?.includes(operation));
}
