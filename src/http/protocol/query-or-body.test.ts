import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type SmallServer, smallServer } from '../../../test/small-server.ts';
import { queryOrBody } from './query-or-body.ts';
import { Id, Nullable } from './schemas.ts';

const Fields = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 20 }),
  points: Type.Integer({ minimum: 0, maximum: 100 }),
  is_active: Type.Optional(Type.Boolean()),
  course_id: Type.Optional(Nullable(Id)),
});

const routes: FastifyPluginAsyncTypebox = async (app) => {
  const read = queryOrBody(Fields);
  app.post('/things', { config: { access: 'public', fields: Fields }, handler: async (request) => read(request) });
};

describe('fields from the query string or the body', () => {
  let server: SmallServer;
  before(async () => {
    server = await smallServer(routes);
  });
  after(() => server[Symbol.asyncDispose]());

  const post = async (query: string, body?: unknown) => {
    const payload =
      body === undefined ? {} : { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await server.app.inject({ method: 'POST', url: `/things?${query}`, ...payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const wrong = (...items: [where: string, field: string, type: string][]) =>
    items.map(([where, field, type]) => `${where}.${field}: ${type}`).sort();
  const refusal = async (query: string, body?: unknown) => {
    const answer = await post(query, body);
    assert.equal(answer.status, 422, JSON.stringify(answer));
    return answer.body.detail
      .map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')}: ${type}`)
      .sort();
  };

  it('are read from either alone', async () => {
    const expected = { status: 200, body: { title: 'Links', points: 5, is_active: true } };
    assert.deepEqual(await post('title=Links&points=5&is_active=true'), expected);
    assert.deepEqual(await post('', { title: 'Links', points: 5, is_active: true }), expected);
  });

  it('are read from both together, and may be repeated', async () => {
    const expected = { status: 200, body: { title: 'Links', points: 5 } };
    assert.deepEqual(await post('title=Links', { points: 5 }), expected);
    assert.deepEqual(await post('title=Links&points=5', { title: 'Links', points: 5 }), expected);
  });

  it('are refused if the two differ', async () => {
    const differs = wrong(['query', 'points', 'value_error']);
    assert.deepEqual(await refusal('title=Links&points=5', { points: 6 }), differs);
    assert.deepEqual(
      await refusal('title=Links&points=5&course_id=1', { course_id: null }),
      wrong(['query', 'course_id', 'value_error']),
    );
  });

  it('are reported if they are missing', async () => {
    assert.deepEqual(await refusal(''), wrong(['query', 'title', 'missing'], ['query', 'points', 'missing']));
    assert.deepEqual(await refusal('', { title: 'Links' }), wrong(['body', 'points', 'missing']));
    assert.deepEqual(await refusal('points=1', {}), wrong(['body', 'title', 'missing']));
  });

  it('are parsed as text in the query string and as JSON in the body', async () => {
    assert.deepEqual(await refusal('title=Links&points=five'), wrong(['query', 'points', 'int_parsing']));
    assert.deepEqual(await refusal('title=Links&points=1e1'), wrong(['query', 'points', 'int_parsing']));
    assert.deepEqual(await refusal('title=Links&points='), wrong(['query', 'points', 'int_parsing']));
    assert.deepEqual(await refusal('title=Links', { points: '5' }), wrong(['body', 'points', 'int_type']));
    assert.deepEqual(await refusal('title=Links', { points: 'five' }), wrong(['body', 'points', 'int_parsing']));
    assert.deepEqual(await refusal('title=Links', { points: 5.5 }), wrong(['body', 'points', 'int_from_float']));
    assert.deepEqual(await refusal('title=Links', { points: null }), wrong(['body', 'points', 'int_type']));
    assert.deepEqual(await refusal('points=5', { title: 5 }), wrong(['body', 'title', 'string_type']));
    assert.deepEqual(await refusal('title=Links&points=101'), wrong(['query', 'points', 'less_than_equal']));
    assert.deepEqual(
      await refusal('title=Links&points=5&is_active=perhaps'),
      wrong(['query', 'is_active', 'bool_parsing']),
    );
    assert.deepEqual(
      await refusal('title=Links&points=5', { is_active: 'perhaps' }),
      wrong(['body', 'is_active', 'bool_parsing']),
    );
    assert.deepEqual(
      await refusal('title=Links&points=5', { is_active: 'true' }),
      wrong(['body', 'is_active', 'bool_type']),
    );
  });

  it("are booleans in each of Pydantic's words, as clients in Python write True", async () => {
    for (const word of ['1', 'on', 't', 'true', 'True', 'y', 'YES'])
      assert.equal((await post(`title=a&points=1&is_active=${word}`)).body.is_active, true, word);
    for (const word of ['0', 'off', 'f', 'false', 'False', 'n', 'NO'])
      assert.equal((await post(`title=a&points=1&is_active=${word}`)).body.is_active, false, word);
    const both = await post('title=a&points=1&is_active=True', { is_active: true });
    assert.deepEqual([both.status, both.body.is_active], [200, true]);
  });

  it('may be given once', async () => {
    assert.deepEqual(await refusal('title=a&title=b&points=1'), wrong(['query', 'title', 'string_type']));
    assert.deepEqual(await refusal('title=a&points=1&points=1'), wrong(['query', 'points', 'int_parsing']));
  });

  it("may be an id that is nullable, with an id's rules", async () => {
    assert.deepEqual((await post('title=a&points=1&course_id=7')).body, { title: 'a', points: 1, course_id: 7 });
    assert.deepEqual((await post('title=a&points=1', { course_id: null })).body, {
      title: 'a',
      points: 1,
      course_id: null,
    });
    assert.deepEqual(await refusal('title=a&points=1&course_id=x'), wrong(['query', 'course_id', 'int_parsing']));
    assert.deepEqual(await refusal('title=a&points=1&course_id=1e3'), wrong(['query', 'course_id', 'int_parsing']));
    for (const id of ['0', '-1', '2147483648', '99999999999999999999']) {
      assert.equal((await post(`title=a&points=1&course_id=${id}`)).status, 404, id);
      assert.equal((await post('title=a&points=1', { course_id: Number(id) })).status, 404, id);
    }
  });

  it('exclude unknown fields and NUL', async () => {
    assert.deepEqual((await post('title=a&points=1&id=7&role=admin', { password_hash: 'x' })).body, {
      title: 'a',
      points: 1,
    });
    assert.deepEqual(await refusal('title=a%00b&points=1'), wrong(['query', 'title', 'value_error']));
    assert.deepEqual(await refusal('points=1', { title: 'a\0' }), wrong(['body', 'title', 'value_error']));
  });

  it('are an object', async () => {
    for (const body of [[], ['title'], 'title', 5, true]) {
      const { status, body: answer } = await post('title=a&points=1', body);
      assert.equal(status, 422);
      assert.deepEqual([answer.detail[0].loc, answer.detail[0].type], [['body'], 'model_attributes_type']);
    }
    assert.equal((await post('title=a&points=1', null)).status, 200);
  });

  it('are read from a form as well', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await server.app.inject({
      method: 'POST',
      url: '/things?points=5',
      headers,
      payload: 'title=Links',
    });
    assert.deepEqual([answer.statusCode, answer.json()], [200, { title: 'Links', points: 5 }]);
  });
});
