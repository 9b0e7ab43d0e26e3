import assert from 'node:assert/strict';
import { it } from 'node:test';
import { matchesTag, negotiate, negotiateEncoding } from './negotiation.ts';

const offers = ['application/json', 'text/markdown', 'text/plain'] as const;

it('negotiates as RFC 9110 says', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/markdown', 'text/markdown'],
    ['TEXT/Markdown; charset=utf-8', 'text/markdown'],
    ['text/plain', 'text/plain'],
    ['text/*', 'text/markdown'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/markdown, */*', 'text/markdown'],
    ['text/markdown;q=0.5, */*', 'application/json'],
    ['text/markdown;q=0.5, application/json;q=0.4', 'text/markdown'],
    ['text/markdown; q=0, text/*', 'text/plain'],
    ['application/json;q=0, */*;q=0.1', 'text/markdown'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/html', 'application/json'],
    ['text/markdown;q=broken', 'application/json'],
    ['nonsense', 'application/json'],
  ];
  for (const [header, expected] of cases) assert.equal(negotiate(header, offers), expected, String(header));
});

it('finds an entity tag in If-None-Match', () => {
  const tag = '"abc-json"';
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag} `, '*'])
    assert.ok(matchesTag(header, tag), header);
  for (const header of [undefined, '', '"abc"', 'abc-json', '"abc-markdown"'])
    assert.ok(!matchesTag(header, tag), header);
});

it('selects an accepted encoding, or none', () => {
  const cases: [string | undefined, 'br' | 'gzip' | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.8, br ; q=0.2', 'gzip'],
    ['br;q=0,gzip;q=0.000', undefined],
    ['*;q=0', undefined],
    ['br;q=broken, gzip', 'gzip'],
    ['br;q=1.2.3, gzip;q=0.1', 'gzip'],
    [',,;q=1', undefined],
  ];
  for (const [header, expected] of cases) assert.equal(negotiateEncoding(header, ['br', 'gzip']), expected, header);
});
