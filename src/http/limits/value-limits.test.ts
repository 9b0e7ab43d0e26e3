import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { smallServer } from '../../../test/small-server.ts';
import { jsonProblem, parametersProblem } from './value-limits.ts';

const refusal = (text: string) => jsonProblem(text)?.items[0]?.msg;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('limits of values', () => {
  it('count the values of a JSON text, and not what is written within strings', () => {
    assert.equal(refusal(JSON.stringify(Array(19_990).fill(0))), undefined);
    assert.match(refusal(JSON.stringify(Array(20_001).fill(0))) ?? '', /too many values/);
    assert.match(refusal(`[${'{},'.repeat(15_000)}{}]`) ?? '', /too many values/);
    const text = ',[{"\\'.repeat(20_000);
    assert.equal(refusal(JSON.stringify({ text, more: [text, `${text}\\`] })), undefined);
    assert.match(refusal(`{"text":"\\\\",${'0,'.repeat(30_000)}`) ?? '', /too many values/);
  });

  it('refuse a JSON text that is nested too deeply', () => {
    assert.equal(refusal(nested(32)), undefined);
    assert.match(refusal(nested(33)) ?? '', /nested too deeply/);
    assert.match(refusal('['.repeat(1_000_000)) ?? '', /nested too deeply/);
    assert.equal(refusal(`[${'[],'.repeat(500)}[]]`), undefined, 'side by side');
  });

  it('count the parameters of a form or of a query string', () => {
    assert.equal(parametersProblem('a=1&'.repeat(199), 'body'), undefined);
    assert.deepEqual(parametersProblem('a&'.repeat(200), 'query')?.items[0]?.loc, ['query']);
  });

  it('leave room for what the fields of a route can need, and no more', async () => {
    await using server = await smallServer(async (app) => {
      const Short = Type.Object({ name: Type.String({ maxLength: 100 }), count: Type.Optional(Type.Integer()) });
      const Lists = Type.Object({ names: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }) });
      const config = { access: 'public' } as const;
      app.post('/short', { config, schema: { body: Short } }, () => 'ok');
      app.post('/lists', { config, schema: { body: Lists } }, () => 'ok');
      app.post('/text', { config, schema: { body: Type.Object({ name: Type.String() }) } }, () => 'ok');
    });
    const send = async (url: string, payload: object) =>
      (await server.app.inject({ method: 'POST', url, payload })).statusCode;
    const name = 'x'.repeat(500_000);
    assert.equal(await send('/short', { name: name.slice(0, 60_000) }), 422, 'a reason');
    assert.equal(await send('/short', { name }), 413);
    assert.equal(await send('/text', { name }), 200);
    assert.equal(await send('/lists', { names: Array(100).fill('\u0001'.repeat(100)) }), 200);
    assert.equal(await send('/lists', { names: [name, name] }), 413);
  });

  it('apply to every route, and a refusal lists at most 50 problems', async () => {
    await using server = await smallServer(async (app) => {
      const body = Type.Object({ names: Type.Array(Type.String()) });
      app.post('/names', { config: { access: 'public' }, schema: { body } }, () => 'ok');
    });
    const send = async (payload: string, type = 'application/json', query = '') => {
      const answer = await server.app.inject({
        ...{ method: 'POST', url: `/names${query}`, payload, headers: { 'content-type': type } },
      });
      return { status: answer.statusCode, items: answer.json().detail as object[] };
    };
    const many = await send(JSON.stringify({ names: Array(30_000).fill('') }));
    assert.deepEqual(many, {
      status: 422,
      items: [{ loc: ['body'], msg: 'Value error, there are too many values', type: 'value_error' }],
    });
    const wrong = await send(JSON.stringify({ names: Array(5000).fill(1) }));
    assert.deepEqual([wrong.status, wrong.items.length], [422, 50]);
    const unstorable = await send(JSON.stringify({ names: Array(5000).fill('\0') }));
    assert.deepEqual([unstorable.status, unstorable.items.length], [422, 50]);
    for (const answer of [
      await send('a=1&'.repeat(3000), 'application/x-www-form-urlencoded'),
      await send('{"names":[]}', 'application/json', `?${'a&'.repeat(3000)}`),
    ])
      assert.deepEqual([answer.status, answer.items.length], [422, 1]);
  });

  it('count every request, whatever its answer is', async () => {
    await using server = await smallServer(
      async (app) => {
        app.get('/own', { config: { access: 'admin' } }, () => 'ok');
        app.post('/public', { config: { access: 'public' }, schema: { body: Type.Object({}) } }, () => 'ok');
      },
      { REQUESTS_PER_MINUTE: '4' },
    );
    const ask = async (method: 'GET' | 'POST', url: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await server.app.inject({ method, url, headers })).statusCode;
    };
    // 401, 404, 405 and 422 of one network.
    assert.equal(await ask('GET', '/own'), 401);
    assert.equal(await ask('GET', '/nowhere'), 404);
    assert.equal(await ask('GET', '/public'), 405);
    assert.equal(await ask('POST', '/public'), 422);
    for (const [method, url] of [
      ['GET', '/own'],
      ['GET', '/nowhere'],
      ['POST', '/public'],
    ] as const)
      assert.equal(await ask(method, url), 429);
    // 403 of a user, who has a count of their own.
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) statuses.push(await ask('GET', '/own', 'student'));
    assert.deepEqual(statuses, [403, 403, 403, 403, 429]);
  });
});
