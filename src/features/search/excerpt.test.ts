import assert from 'node:assert/strict';
import { it } from 'node:test';
import { excerptOf } from './service.ts';
import { textQuery } from './text-query.ts';

const marked = (text: string, stems: string[], edges = {}) =>
  excerptOf({ text, is_begun: false, is_continued: false, ...edges }, stems)
    .map(({ text: piece, is_match }) => (is_match ? `[${piece}]` : piece))
    .join('');

it('marks words that begin with a stem, short ones only as a whole', () => {
  assert.equal(marked('Permissions of ls, tools', ['permiss', 'ls']), '[Permissions] of [ls], tools');
  assert.equal(marked('a study, lsof', ['studi', 'a', 'ls']), '[a] [study], lsof');
});

it('shows where the text continues, without parts of words', () => {
  assert.equal(marked('art of a lesson abou', ['lesson'], { is_begun: true, is_continued: true }), '… of a [lesson] …');
});

it('reads the words, phrases and the unfinished word of a query', () => {
  assert.equal(textQuery(' -- & '), undefined);
  assert.deepEqual(textQuery('ls -l '), {
    text: 'ls l ',
    words: ['ls', 'l'],
    alternatives: ['ls', 'l'],
    typed: 'ls -l',
  });
  assert.deepEqual(textQuery('"A b"'), { text: '"A b"', words: ['a', 'b'], alternatives: [], typed: 'a b' });
  assert.deepEqual(textQuery('find chmods'), {
    ...{ text: 'find chmods', words: ['find', 'chmods'], alternatives: ['find', 'chmods'], typed: 'find chmods' },
    beginning: { before: 'find ', terms: "'chmods':* | 'chmo' | 'chmod'" },
  });
});

it('takes one or two letters as a beginning only alone', () => {
  assert.equal(textQuery('grep -r')?.beginning, undefined);
  assert.equal(textQuery('chmod fi')?.beginning, undefined);
  assert.equal(textQuery('fi')?.beginning?.terms, "'fi':*");
});

it('needs no words of questions, unless there are no others', () => {
  assert.deepEqual(textQuery('How do I delete a file ')?.words, ['delete', 'file']);
  assert.deepEqual(textQuery('for')?.words, ['for']);
  assert.deepEqual(textQuery('"how do I"')?.words, ['how', 'do', 'i']);
});
