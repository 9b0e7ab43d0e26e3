import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type SmallServer, smallServer } from '../../test/small-server.ts';
import { PageQuery, pageOf, setPageHeaders } from './paging.ts';

const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
const Query = Type.Object({
  ...PageQuery.properties,
  sort: Type.Optional(Type.String()),
  q: Type.Optional(Type.String()),
});
const routes: FastifyPluginAsyncTypebox = async (app) => {
  for (const [url, rows] of [
    ['/numbers', numbers],
    ['/none', []],
  ] as const) {
    app.get(url, {
      config: { access: 'public' },
      schema: { querystring: Query },
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
  const get = async (url: string) => {
    const { statusCode, headers, body } = await server.app.inject(url);
    const links = [...String(headers['link']).matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [
      rel,
      target,
    ]);
    return {
      status: statusCode,
      total: headers['x-total-count'],
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
    const { links, body } = await get('/numbers');
    assert.equal(body.length, 25);
    assert.deepEqual(Object.keys(links), ['first', 'last']);
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
