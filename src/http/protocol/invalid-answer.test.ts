import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidError, type ValidationItem } from '../../errors.ts';
import { invalidAnswer } from './invalid-answer.ts';

const plain = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' };
const coded = (line: number): ValidationItem => ({
  ...{ loc: ['body', line, 'name'], msg: 'Value error, too many: Größe 😀', type: 'value_error' },
  ...{ code: 'too_many', params: { name: 'Größe 😀\u007f\n"', max: 3 } },
});

describe('the answer to an invalid request', () => {
  it('has the codes of items in a header in ASCII, and the items without them', () => {
    const { detail, headers } = invalidAnswer(new InvalidError([plain, coded(2), plain]));
    const [, { code, params, ...rest }] = [plain, coded(2)] as const;
    assert.deepEqual(detail, [plain, rest, plain]);
    assert.equal(headers['Error-Code'], 'validation');
    assert.match(headers['Error-Items'] ?? '', /^[ -~]+$/);
    assert.deepEqual(JSON.parse(headers['Error-Items'] ?? ''), [{ index: 1, code, params }]);
    new Headers(headers);
  });

  it('has as many of them as a header has room for', () => {
    const items = Array.from({ length: 500 }, (_, index) => coded(index));
    const { detail, headers } = invalidAnswer(new InvalidError(items, 12_000));
    assert.equal(detail.length, 500);
    const header = headers['Error-Items'] ?? '';
    const shown = JSON.parse(header) as { index: number }[];
    assert.ok(header.length <= 1500 && header.length > 1300, `${header.length}`);
    assert.deepEqual(
      shown.map(({ index }) => index),
      shown.map((_, index) => index),
    );
    assert.equal(headers['Error-Total'], '12000');
  });

  it('has no further headers without such items', () => {
    assert.deepEqual(Object.keys(invalidAnswer(new InvalidError([plain])).headers), ['Error-Code']);
  });
});
