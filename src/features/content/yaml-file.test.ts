import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { course, courseFile, edit, type Files, problemsOf } from './content-directory.fixture.ts';

suite('YAML files of a content directory', () => {
  const cases: [name: string, files: Files, expected: string[]][] = [
    [
      'a mistake of syntax',
      { [courseFile]: edit(course, 'name: The shell', 'name: [The shell') },
      [`${courseFile}:5: Flow sequence in block collection must be sufficiently indented and end with a ]`],
    ],
    [
      'a key that comes twice',
      { [courseFile]: edit(course, 'name: The shell', 'name: A\nname: B') },
      [`${courseFile}:5: Map keys must be unique`],
    ],
    ['a tag', { [courseFile]: edit(course, 'The shell', '!code x') }, [`${courseFile}:4: Unresolved tag: !code`]],
    [
      'a NUL character',
      { [courseFile]: edit(course, 'The shell', '"a\\0b"') },
      [`${courseFile}:4: a NUL character is not allowed`],
    ],
    ['bytes that are no text', { [courseFile]: Buffer.from([0x61, 0xff]) }, [`${courseFile}:1: is not text in UTF-8`]],
    ['an empty file', { 'sandbox-templates.yaml': '' }, ['sandbox-templates.yaml:1: must be object']],
    [
      'another format and another kind',
      { [courseFile]: edit(edit(course, 'format: 1', 'format: 2'), 'kind: course', 'kind: exam') },
      [`${courseFile}:1: format: must be 1`, `${courseFile}:2: kind: must be "course"`],
    ],
    [
      'an unknown key',
      { [courseFile]: edit(course, 'duration_minutes', 'duration') },
      [`${courseFile}:12: sections[0].themes[0].duration: is not a key that is known here`],
    ],
    [
      'a missing key',
      { [courseFile]: edit(course, '        title: Files\n', '') },
      [`${courseFile}:13: sections[0].themes[1]: title is missing`],
    ],
    [
      'a number where text is meant',
      { [courseFile]: edit(course, 'The shell', '1.0') },
      [`${courseFile}:4: name: must be string`],
    ],
    [
      'too many aliases',
      { [courseFile]: `a: &a [1]\nb: &b [${'*a,'.repeat(60)}]\nc: [${'*b,'.repeat(60)}]\n` },
      [
        `${courseFile}:1: Excessive alias count indicates a resource exhaustion attack`,
        `${courseFile}:1: must be object`,
      ],
    ],
  ];
  for (const [name, files, expected] of cases) {
    test(`reports ${name}, with file and line`, async () => {
      assert.deepEqual(await problemsOf(files), expected);
    });
  }
});
