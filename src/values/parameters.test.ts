import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { parameterProblems, scriptWith } from './parameters.ts';
import { draw, nextSeed } from './variant.ts';

const problems = (parameters: object, texts: object = {}) =>
  parameterProblems({ parameters: parameters as never, ...texts }).map(({ field, problem }) => [field, problem.code]);

describe('parameters', () => {
  it('are whole numbers in their order or different texts, with names of small letters', () => {
    assert.deepEqual(problems({ port: { int: [1, 1] }, user_2: { choice: ['anna', "a 'b'\n"] } }), []);
    for (const wrong of [
      { int: [2, 1] },
      {},
      { choice: ['a', 'a'] },
      { choice: ['`'] },
      { int: [1, 2], choice: ['a'] },
    ])
      assert.deepEqual(problems({ port: wrong }), [['parameters', 'parameter_form']], JSON.stringify(wrong));
    for (const name of ['Port', '2nd', 'a-b', '', 'ж', 'constructor.x'])
      assert.deepEqual(problems({ [name]: { int: [1, 2] } }), [['parameters', 'parameter_name']], name);
  });

  it('are the only names in texts', () => {
    const port = { port: { int: [1, 2] } };
    assert.deepEqual(problems(port, { title: '{{port}}', description: '\\{{x}} {{ port }}', hint: '{x}' }), []);
    assert.deepEqual(problems(port, { title: '{{Port}}', description: '{{port}} {{toString}}', solution: '{{a b}}' }), [
      ['title', 'parameter_unknown'],
      ['description', 'parameter_unknown'],
      ['solution', 'parameter_unknown'],
    ]);
    assert.deepEqual(parameterProblems({ parameters: null, title: '{{port}}' }), []);
  });

  it('are in the environment of scripts, whatever they consist of, on their first line', () => {
    const values = { port: '20311', text: 'a \'b\' "c"\n$(touch x) \\n `d` \u0001\u0085é*', dash: '-n' };
    const script = scriptWith(values, '#!/bin/bash\nprintf "%s|" "$PARAM_PORT" "$PARAM_TEXT" "$PARAM_DASH" "$LINENO"');
    const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
    const printed = execFileSync('bash', { input: script, encoding: 'utf8', env, timeout: 60_000 });
    assert.equal(printed, `20311|${values.text}|-n|2|`);
    assert.deepEqual([scriptWith({}, 'true'), scriptWith(undefined, 'true')], ['true', 'true']);
  });
});

describe('the values of an attempt', () => {
  const tasks = [
    {
      id: 7,
      title: 'On {{port}}',
      parameters: { port: { int: [20_000, 29_999] }, user: { choice: ['anna', 'ben', 'cem'] } },
    },
    { id: 8, title: '{{port}}', parameters: null },
  ];
  const drawn = (seed: string) => draw(seed, tasks).values['7'] ?? {};

  it('follow from its seed', () => {
    const first = nextSeed(undefined);
    assert.match(first, /^[0-9a-f]{32}\.0$/);
    assert.notEqual(nextSeed(undefined), first);
    assert.equal(nextSeed('abc.41'), 'abc.42');
    assert.deepEqual(draw(first, tasks), draw(first, tasks));
    // Those of a released draw never change.
    assert.deepEqual(drawn('seed.3'), { port: '27505', user: 'cem' });
  });

  it('differ among those who take turns, until all were drawn', () => {
    for (const size of [1, 2, 3, 16, 17, 30, 100, 2_000_000_001]) {
      const parameters = { n: { int: [1, size] } };
      const turns = Array.from({ length: Math.min(size, 200) * 2 }, (_, turn) => turn);
      const values = turns.map((turn) => Number(draw(`x.${turn}`, [{ id: 1, parameters }]).values['1']?.['n']));
      assert.equal(new Set(values).size, Math.min(size, values.length), `of ${size}`);
      assert.ok(values.every((value) => value >= 1 && value <= size));
      if (size > 1) assert.ok(values.every((value, turn) => value !== values[turn + 1]));
    }
    const orders = ['a', 'b', 'c', 'd'].map((shared) => tasks.length && drawn(`${shared}.0`)['port']);
    assert.equal(new Set(orders).size, 4, 'other sessions have another order');
  });
});
