import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempts as german } from '../../web/src/strings/de/attempts.ts';
import { exams } from '../../web/src/strings/de/exams.ts';
import { decimalIn } from '../../web/src/strings/decimal.ts';
import { attempts as russian } from '../../web/src/strings/ru/attempts.ts';
import { teaching } from '../../web/src/strings/ru/teaching.ts';

test('points have the decimal comma or point of the language', () => {
  assert.deepEqual([decimalIn('en')(2.5), decimalIn('de')(2.5), decimalIn('ru')(1234.567)], ['2.5', '2,5', '1234,57']);
  assert.match(german.score(2.5, 5), /^2,5 von 5 /);
  assert.match(german.pointsOf(0.67, 1.5), /^0,67 von 1,5 /);
  assert.equal(exams.best(2.5, 5), 'Bestes Ergebnis: 2,5 von 5');
  assert.match(russian.score(2.5, 7.25), /^2,5 из 7,25 /);
  assert.equal(teaching.scoreOf(2.5, 5), '2,5 из 5');
});
