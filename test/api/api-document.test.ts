import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type ApiDocument, mismatch, type Operation, withoutReferences } from '../documented-answers.ts';
import { TestServer } from '../server.ts';

type Schema = {
  $ref?: string;
  type?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
type Media = { schema?: object; example?: unknown };
type Parameter = { name: string; description?: string; schema?: Schema };

/** The operations of the main work of students, authors, teachers and administrators. */
const mainWork = `register login refresh getMe logout
  listCourses getCourse getTheme getThemeContent completeTheme
  createContainer listSandboxes getContainer startContainer stopContainer resetContainer deleteContainer
  listExams getExam startExam getActiveExamAttempt submitExam abandonExamAttempt listExamAttempts getExamAttemptResults
  getLaboratory getSectionLaboratory startLaboratory checkLaboratory submitLaboratory listLaboratoryAttempts getLaboratoryAttemptResults
  getDashboardStats listDashboardActivity getDashboardAnalytics getProfile updateProfile
  createAdminCourse createAdminSection createAdminWrittenLesson createAdminTheme
  createAdminExam createAdminExamTask getAdminExam tryAdminExam publishAdminExam
  createAdminLaboratory createAdminLaboratoryTask getAdminLaboratory tryAdminLaboratory publishAdminLaboratory
  createClass createClassJoinCode joinClass createExamSession getExamSession releaseExamSession
  listAdminUsers createAdminUser updateAdminUser updateAdminUserRole
  createClassMember createToken createAdminWebhook`.split(/\s+/);

/** Whether a description has words beside the name and the small ones of a sentence. */
function saysMore(name: string, description: string): boolean {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const known = new Set([...words(name.replaceAll('_', ' ')), 'the', 'a', 'an', 'of', 'its', 'is']);
  return words(description).some((word) => !known.has(word));
}

describe('the API document', () => {
  let server: TestServer;
  let document: ApiDocument;
  let operations: [name: string, operation: Operation & { operationId?: string; description?: string }][];
  before(async () => {
    server = await TestServer.start();
    document = (await server.get('/api/openapi.json')).body as ApiDocument;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ) as typeof operations;
  });
  after(() => server?.[Symbol.asyncDispose]());

  // Long: the names of the main job.
  it('names each operation once, in words', () => {
    const names = operations.map(([, { operationId = '' }]) => operationId);
    assert.deepEqual(
      operations.filter(([, { operationId = '' }]) => !/^[a-z][A-Za-z0-9]+$/.test(operationId)),
      [],
    );
    const twice = operations.filter(
      ([, { operationId = '' }]) => names.filter((name) => name === operationId).length > 1,
    );
    assert.deepEqual(
      twice.map(([path, { operationId }]) => `${path}: ${operationId}`),
      [],
    );
    const nameOf = (path: string) => operations.find(([name]) => name === path)?.[1].operationId;
    // Generated clients have these names: a change of one is a change of the interface.
    const known: [path: string, name: string][] = [
      ['post /api/auth/login', 'login'],
      ['post /api/auth/register', 'register'],
      ['get /api/auth/me', 'getMe'],
      ['get /api/lessons/courses', 'listCourses'],
      ['get /api/lessons/courses/{course_id}', 'getCourse'],
      ['get /api/lessons/themes/{theme_id}', 'getTheme'],
      ['get /api/lessons/themes/{theme_id}/content', 'getThemeContent'],
      ['post /api/lessons/themes/{theme_id}/complete', 'completeTheme'],
      ['post /api/containers/create', 'createContainer'],
      ['get /api/containers/sandbox', 'listSandboxes'],
      ['get /api/exams', 'listExams'],
      ['get /api/exams/{id}', 'getExam'],
      ['post /api/exams/{id}/start', 'startExam'],
      ['post /api/exams/{id}/submit', 'submitExam'],
      ['get /api/exams/attempts', 'listExamAttempts'],
      ['get /api/exams/attempts/{id}/results', 'getExamAttemptResults'],
      ['get /api/laboratories/{id}', 'getLaboratory'],
      ['post /api/laboratories/{id}/start', 'startLaboratory'],
      ['post /api/laboratories/{id}/submit', 'submitLaboratory'],
      ['get /api/laboratories/attempts/{id}/results', 'getLaboratoryAttemptResults'],
      ['get /api/dashboard/stats', 'getDashboardStats'],
      ['get /api/dashboard/activity', 'listDashboardActivity'],
      ['get /api/dashboard/analytics', 'getDashboardAnalytics'],
      ['get /api/profile/me', 'getProfile'],
      ['put /api/profile/me', 'updateProfile'],
      ['post /api/admin/lessons/courses', 'createAdminCourse'],
      ['post /api/admin/lessons/sections', 'createAdminSection'],
      ['post /api/admin/lessons/themes', 'createAdminTheme'],
      ['post /api/admin/exams', 'createAdminExam'],
      ['post /api/admin/exams/{id}/tasks', 'createAdminExamTask'],
    ];
    assert.deepEqual(
      known.map(([path]) => [path, nameOf(path)]),
      known,
    );
  });

  it('is valid OpenAPI', async () => {
    const validator = new Validator();
    // The validator changes what it is given.
    const { valid, errors } = await validator.validate(structuredClone(document) as object as Record<string, unknown>);
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  it('describes each field, parameter and header in more than its name', () => {
    const { schemas = {} } = document.components as { schemas?: Record<string, Schema> };
    const isDescribed = (name: string, { $ref, description, anyOf = [] }: Schema): boolean => {
      if (description !== undefined) return saysMore(name, description);
      if ($ref !== undefined) return isDescribed(name, schemas[$ref.split('/').at(-1) ?? ''] ?? {});
      const parts = anyOf.filter(({ type }) => type !== 'null');
      // Clients show the description of a field, and of a schema with a name, not that of a part.
      return parts.length > 0 && parts.every((part) => part.$ref !== undefined && isDescribed(name, part));
    };
    const missing = new Set<string>();
    let fields = 0;
    const walk = (where: string, { properties = {}, items, anyOf = [], additionalProperties }: Schema): void => {
      for (const [name, field] of Object.entries(properties)) {
        fields++;
        if (!isDescribed(name, field)) missing.add(`${where}.${name}`);
        walk(`${where}.${name}`, field);
      }
      for (const part of [items, additionalProperties, ...anyOf]) if (typeof part === 'object') walk(where, part);
    };
    for (const [name, schema] of Object.entries(schemas)) walk(name, schema);
    for (const [path, { parameters = [], requestBody, responses }] of operations) {
      for (const { name, description, schema = {} } of parameters as Parameter[])
        if (!isDescribed(name, { ...schema, ...(description === undefined ? {} : { description }) }))
          missing.add(`${path}: parameter ${name}`);
      for (const { schema } of Object.values(requestBody?.content ?? {})) walk(`${path}: body`, schema ?? {});
      for (const [status, { content = {}, headers = {} }] of Object.entries(responses)) {
        for (const { schema } of Object.values(content)) walk(`${path}: ${status}`, schema ?? {});
        for (const [name, header] of Object.entries(headers))
          if (!isDescribed(name, header)) missing.add(`${path}: ${status}: header ${name}`);
      }
    }
    assert.deepEqual([...missing], []);
    assert.ok(fields > 1000, `only ${fields} fields`);
  });

  it('has examples for the main work, each as its schema demands', () => {
    const examples = new Map<string, Media[]>();
    for (const methods of Object.values(withoutReferences(document).paths))
      for (const { operationId = '', requestBody, responses } of Object.values(
        methods,
      ) as (typeof operations)[number][1][]) {
        const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
        const parts = [requestBody, ...successes.map(([, response]) => response)];
        examples.set(
          operationId,
          parts.flatMap((part) => Object.values((part?.content ?? {}) as Record<string, Media>)),
        );
      }
    const missing = mainWork.filter((name) => !examples.get(name)?.every(({ example }) => example !== undefined));
    assert.deepEqual(missing, []);
    const problems = [...examples].flatMap(([name, media]) =>
      media.flatMap(({ schema = {}, example }) => {
        const problem = example === undefined ? undefined : mismatch(schema, example);
        return problem === undefined ? [] : [`${name}: ${problem}`];
      }),
    );
    assert.deepEqual(problems, []);
  });

  // Long: the work of an author and a teacher, in the order of its dependencies.
  it('has requests as examples that the service takes', async () => {
    const admin = await server.user('admin');
    const ids: Record<string, number> = {};
    const send = async (name: string, path: string, changes: object = {}) => {
      const [, operation] = operations.find(([, { operationId }]) => operationId === name) ?? [];
      const [media] = Object.values((operation?.requestBody?.content ?? {}) as Record<string, Media>);
      const json = { ...(media?.example as object), ...changes };
      const { status, text, body: created } = await server.request('POST', path, { token: admin.token, json });
      assert.ok(status === 200 || status === 201, `${name}: ${status} ${text}`);
      return (created as { id: number }).id;
    };
    const known = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ids[name]]));
    await send('register', '/api/auth/register');
    await send('login', '/api/auth/login');
    ids['course_id'] = await send('createAdminCourse', '/api/admin/lessons/courses', { template_id: null });
    ids['section_id'] = await send('createAdminSection', '/api/admin/lessons/sections', known('course_id'));
    await send('createAdminWrittenLesson', '/api/admin/written-lessons');
    await send('createAdminTheme', '/api/admin/lessons/themes', known('section_id'));
    ids['exam_id'] = await send('createAdminExam', '/api/admin/exams', known('course_id'));
    await send('createAdminExamTask', `/api/admin/exams/${ids['exam_id']}/tasks`);
    const laboratory = await send('createAdminLaboratory', '/api/admin/laboratories', known('section_id'));
    await send('createAdminLaboratoryTask', `/api/admin/laboratories/${laboratory}/tasks`);
    ids['class_id'] = await send('createClass', '/api/classes', { course_ids: [ids['course_id']] });
    const future = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    await send('createClassJoinCode', `/api/classes/${ids['class_id']}/join-codes`, { expires_at: future(1) });
    const times = { opens_at: future(1), closes_at: future(3) };
    await send('createExamSession', '/api/exam-sessions', { ...known('exam_id', 'class_id'), ...times });
    const names = { username: 'another', email: 'another@example.com' };
    await send('createAdminUser', '/api/admin/users', names);
  });

  it('requires a body only where one is needed', () => {
    const needsBody = (path: string) => {
      const body = operations.find(([name]) => name === path)?.[1].requestBody as { required?: boolean } | undefined;
      return body?.required;
    };
    assert.equal(needsBody('post /api/auth/login'), true);
    for (const path of ['post /api/exams/{id}/start', 'post /api/admin/lessons/courses', 'post /api/containers/create'])
      assert.equal(needsBody(path), false, path);
  });

  it('names the refusals of an operation before those of every operation', () => {
    const start = operations.find(([name]) => name === 'post /api/exams/{id}/start')?.[1];
    assert.match(start?.description ?? '', /Refusals of its own: 403 Forbidden, 404 Not Found, 409 Conflict\.$/);
  });

  it('refers to documents that are served, whose links lead somewhere', async () => {
    const { description = '' } = document.info as { description?: string };
    const links = [...description.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
    assert.deepEqual(links, ['/api/docs/terminal', '/api/docs/errors']);
    assert.doesNotMatch(JSON.stringify(document), /docs\/(errors|terminal)\.md/);
    for (const link of links) {
      const { status, text } = await server.get(link);
      assert.equal(status, 200, link);
      for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) {
        const [path = '', place] = href.split('#');
        const target = path === '' ? text : (await server.get(path)).text;
        assert.ok(place === undefined || target.includes(`id="${place}"`), `${link}: ${href}`);
        if (path !== '' && !path.startsWith('http')) assert.equal((await server.get(path)).status, 200, href);
      }
    }
  });
});
