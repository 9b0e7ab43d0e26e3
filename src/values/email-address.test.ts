import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidError } from '../errors.ts';
import { canonicalEmail, emailForms, emailProblem, isEmail, refuseReservedDomain } from './email-address.ts';

describe('an e-mail address', () => {
  const good = [
    'ada@example.com',
    'ada@mail.example.org',
    'Ada.Lovelace+exam@sub.domain.example.com',
    "o'hara_1-2@school.edu",
    'x@a.co',
    'ada@bücher.de',
    'ädä@example.com',
    'ada@xn--bcher-kva.de',
    'ada@test.com',
    'ada@localhost.org',
    `${'a'.repeat(64)}@example.com`,
  ];
  for (const address of good) it(`may be ${address}`, () => assert.equal(emailProblem(address), undefined));

  const bad: [string, string | RegExp][] = [
    ['ada', 'An email address must have an @-sign.'],
    ['', 'An email address must have an @-sign.'],
    ['@example.com', 'There must be something before the @-sign.'],
    ['ada@', 'There must be something after the @-sign.'],
    ['ada@school', 'The part after the @-sign is not valid. It should have a period.'],
    ['ada@\uff45xample.com', /unusual form/],
    ['\uff41da@example.com', /unusual form/],
    ['ada@bu\u0308cher.de', /unusual form/],
    ['a b@example.com', /invalid characters before/],
    ['.ada@example.com', /invalid characters before/],
    ['ada.@example.com', /invalid characters before/],
    ['a..b@example.com', /invalid characters before/],
    ['a@b@example.com', /exactly one @-sign/],
    ['ada@-x.com', /not a valid domain/],
    ['ada@x-.com', /not a valid domain/],
    ['ada@x..com', /not a valid domain/],
    ['ada@.com', /not a valid domain/],
    ['ada@example.com.', /not a valid domain/],
    ['ada@exa mple.com', /not a valid domain/],
    ['ada@example.com\n', /not a valid domain/],
    ['ada@192.168.0.1', /not within a valid top-level domain/],
    [`${'a'.repeat(65)}@example.com`, 'The email address is too long.'],
    [
      `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}.com`,
      'The email address is too long.',
    ],
  ];
  for (const [address, problem] of bad) {
    it(`may not be ${JSON.stringify(address.slice(0, 40))}`, () => {
      const found = emailProblem(address);
      if (typeof problem === 'string') assert.equal(found, problem);
      else assert.match(found ?? 'none', problem);
      assert.equal(isEmail(address), false);
    });
  }

  const reserved = ['test', 'example', 'invalid', 'localhost', 'local', 'lan', 'onion', 'arpa', 'internal', 'alt'];
  for (const address of [
    ...reserved.map((name) => `ada@school.${name}`),
    'ada@localhost',
    'ada@EXAMPLE.TEST',
    'ada@x.home.arpa',
  ])
    it(`may be ${address}, but users cannot choose it`, () => {
      assert.equal(emailProblem(address), undefined);
      assert.throws(() => refuseReservedDomain(address), InvalidError);
    });

  it('may be chosen at other domains', () => {
    for (const address of ['ada@example.com', 'ada@local.org', 'ada@test.school.edu', 'ada@mylocal'])
      assert.doesNotThrow(() => refuseReservedDomain(address), address);
  });

  it('has one form, with its domain in Unicode', () => {
    const forms: [given: string, canonical: string][] = [
      [' Ada@Example.com\n', 'Ada@Example.com'],
      ['ada@xn--bcher-kva.de', 'ada@bücher.de'],
      ['xn--ada@mail.XN--BCHER-KVA.de', 'xn--ada@mail.bücher.de'],
      ['ada@bücher.de', 'ada@bücher.de'],
      ['ada@xn--\n.de', 'ada@xn--\n.de'],
      ['xn--bcher-kva', 'xn--bcher-kva'],
    ];
    for (const [given, canonical] of forms) {
      assert.equal(canonicalEmail(given), canonical);
      assert.equal(canonicalEmail(canonical), canonical);
    }
    assert.deepEqual(emailForms('ada@bücher.de'), ['ada@bücher.de', 'ada@xn--bcher-kva.de']);
    assert.deepEqual(emailForms('ada'), ['ada', 'ada']);
  });

  it('is refused quickly, even if it causes backtracking', () => {
    const begin = process.cpuUsage();
    assert.equal(isEmail(`${'a.'.repeat(50_000)}@example.com`), false);
    assert.equal(isEmail(`a@${'a-'.repeat(50_000)}.com`), false);
    assert.ok(process.cpuUsage(begin).user < 1_000_000);
  });
});
