import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type SmallServer, smallServer } from '../../../test/small-server.ts';
import { errors } from '../protocol/schemas.ts';
import { maxWholeRows, PageQuery, pageOf, setPageHeaders } from './paging.ts';

const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
const many = Array.from({ length: maxWholeRows + 205 }, (_, index) => index);
const Query = Type.Object({
  ...PageQuery.properties,
  sort: Type.Optional(Type.String()),
  q: Type.Optional(Type.String()),
});
const routes: FastifyPluginAsyncTypebox = async (app) => {
  for (const [url, rows] of [
    ['/numbers', numbers],
    ['/none', []],
    ['/many', many],
  ] as const) {
    app.get(url, {
      config: { access: 'user' },
      schema: { querystring: Query, response: { 200: Type.Array(Type.Integer()), ...errors() } },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, rows.length);
        return rows.slice(page.offset, page.offset + page.limit);
      },
    });
  }
};

describe('pages of a list', () => {
  let server: SmallServer;
  before(async () => {
    server = await smallServer(routes);
  });
  after(() => server[Symbol.asyncDispose]());
  const headers = { authorization: 'Bearer student' };
  const get = async (url: string) => {
    const { statusCode, headers: given, body } = await server.app.inject({ url, headers });
    const links = [...String(given['link']).matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [
      rel,
      target,
    ]);
    return {
      status: statusCode,
      total: given['x-total-count'],
      links: Object.fromEntries(links),
      body: JSON.parse(body),
    };
  };

  it('are bare arrays with links to other pages in headers', async () => {
    const { status, total, links, body } = await get('/numbers?page=2&page_size=10');
    assert.deepEqual([status, total, body], [200, '25', numbers.slice(10, 20)]);
    const target = (page: number) => `/numbers?page=${page}&page_size=10`;
    assert.deepEqual(links, { first: target(1), prev: target(1), next: target(3), last: target(3) });
  });

  it('contain every row once, from the first to the last', async () => {
    const seen: number[] = [];
    for (let url: string | undefined = '/numbers?page_size=7'; url !== undefined; ) {
      const page: Awaited<ReturnType<typeof get>> = await get(url);
      seen.push(...page.body);
      url = page.links['next'];
    }
    assert.deepEqual(seen, numbers);
  });

  it('have 100 rows by default', async () => {
    const { links, body } = await get('/many?page=2');
    assert.deepEqual(body, many.slice(100, 200));
    assert.equal(links['next'], '/many?page=3&page_size=100');
  });

  it('are not needed: without them a list is whole, up to 10,000 rows, and a link leads on', async () => {
    const short = await get('/numbers');
    assert.deepEqual([short.body, Object.keys(short.links)], [numbers, ['first', 'last']]);
    const { links, body, total } = await get('/many?q=x');
    assert.deepEqual([body, total], [many.slice(0, maxWholeRows), String(maxWholeRows)], 'at least as many');
    const page = (number: number) => `/many?q=x&page=${number}&page_size=100`;
    assert.deepEqual(links, { first: page(1), next: page(101), last: page(103) });
    const rest = [await get(page(101)), await get(page(102)), await get(page(103))];
    assert.deepEqual(
      rest.flatMap((each) => each.body),
      many.slice(maxWholeRows),
    );
    assert.equal(rest[0]?.links['prev'], page(100));
  });

  it('that are whole let others in between, and are sent to a user one after another', async () => {
    let isRunning = true;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (isRunning) setImmediate(count);
    };
    count();
    const ended: string[] = [];
    const timed = async (url: string) => {
      await get(url);
      ended.push(url);
    };
    await Promise.all([timed('/many?q=1'), timed('/many?q=2'), timed('/numbers?q=3'), timed('/numbers?page=1')]);
    isRunning = false;
    assert.deepEqual(ended, ['/numbers?page=1', '/many?q=1', '/many?q=2', '/numbers?q=3']);
    // Each list is serialised in 50 pieces.
    assert.ok(turns > 90, `${turns} turns of the event loop`);
  });

  it('can be empty, with links back', async () => {
    assert.deepEqual((await get('/none')).links, {
      first: '/none?page=1&page_size=100',
      last: '/none?page=1&page_size=100',
    });
    const beyond = await get('/numbers?page=9&page_size=10');
    assert.deepEqual([beyond.status, beyond.body, beyond.links['prev']], [200, [], '/numbers?page=3&page_size=10']);
    assert.equal(beyond.links['next'], undefined);
  });

  it('keep the other parameters in their links', async () => {
    const { links } = await get('/numbers?sort=a%20b%26c&page=1&page_size=10&q=what?');
    assert.equal(new URLSearchParams(links['next'].split('?').slice(1).join('?')).get('sort'), 'a b&c');
    assert.equal(new URLSearchParams(links['next'].split('?').slice(1).join('?')).get('q'), 'what?');
  });

  it('do not repeat unknown parameters: four long queries exceed what clients read', async () => {
    const { links } = await get(`/numbers?page_size=10&x=${'x'.repeat(10_000)}&__proto__=x&toString=x`);
    assert.equal(links['next'], '/numbers?page_size=10&page=2');
  });

  const refused: [string, string][] = [
    ['page=0', 'greater_than_equal'], ['page=-1', 'greater_than_equal'], ['page=x', 'int_parsing'], ['page=', 'int_parsing'],
    ['page=1e3', 'int_parsing'], ['page=1.5', 'int_parsing'], ['page=99999999999999999999', 'less_than_equal'], ['page=1&page=2', 'int_parsing'],
    ['page_size=0', 'greater_than_equal'], ['page_size=101', 'less_than_equal'], ['page_size=0x10', 'int_parsing'],
  ]; // biome-ignore format: a table
  for (const [query, type] of refused) {
    it(`are refused for ${query}`, async () => {
      const { status, body } = await get(`/numbers?${query}`);
      assert.deepEqual([status, body.detail[0].loc, body.detail[0].type], [422, ['query', query.split('=')[0]], type]);
    });
  }
});
