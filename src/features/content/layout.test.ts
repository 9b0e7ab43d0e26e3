import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { readContent } from './layout.ts';
import { ContentProblems } from './problems.ts';

const course = `format: 1
kind: course
slug: shell
name: The shell
sections:
  - slug: first
    name: First steps
    themes:
      - slug: prompt
        title: The prompt
        file: shell/prompt.md
        duration_minutes: 10
      - slug: files
        title: Files
        file: shell/files.md
`;
const exam = `format: 1
kind: exam
slug: basics
title: Basics
description: |
  Two tasks.
course: shell
container_image: platform-exam-linux-basics
time_limit_minutes: 30
passing_score: 5
tasks:
  - slug: one
    title: One
    points: 3
    verify: tasks/one/verify.sh
    solution: tasks/one/solution.sh
  - slug: two
    title: Two
    points: 4
    verify: tasks/two/verify.sh
`;
const laboratory = `format: 1
kind: laboratory
slug: practice
title: Practice
section: shell/first
container_image: platform-exam-linux-basics
passing_score: 2
tasks:
  - slug: one
    title: One
    hint: Look around.
    points: 2
    verify: tasks/one/verify.sh
`;
const templates = `format: 1
kind: sandbox-templates
templates:
  - slug: plain
    name: Plain
    image: platform-sandbox
    memory_mb: 256
    cpus: 0.5
`;
const good: Readonly<Record<string, string>> = {
  'courses/shell.yaml': course,
  'lessons/shell/prompt.md': '# The prompt\n',
  'lessons/shell/files.md': '# Files\n',
  'exams/basics/exam.yaml': exam,
  'exams/basics/tasks/one/verify.sh': 'echo PASS\n',
  'exams/basics/tasks/one/solution.sh': 'touch one\n',
  'exams/basics/tasks/two/verify.sh': 'echo FAIL\n',
  'laboratories/practice/laboratory.yaml': laboratory,
  'laboratories/practice/tasks/one/verify.sh': 'echo FAIL\n',
  'sandbox-templates.yaml': templates,
};

type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

/** A content directory of the valid files with some replaced, or omitted where undefined. */
async function contentDirectory(files: Files): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'content-test-'));
  for (const [name, text] of Object.entries({ ...good, ...files })) {
    if (text === undefined) continue;
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The problems of a directory, each as `file:line: message`. */
async function problemsIn(directory: string): Promise<string[]> {
  const error = await readContent(directory).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ContentProblems, `no problems, but ${String(error)}`);
  for (const { file, line, message } of error.problems)
    assert.ok(error.message.includes(`${file}:${line}: ${message}`));
  return error.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

async function problemsOf(files: Files): Promise<string[]> {
  await using directory = await contentDirectory(files);
  return await problemsIn(directory.path);
}

/** Replaces text that must exist, so that each case tests what it claims to test. */
function edit(text: string, from: string | RegExp, to: string): string {
  const edited = text.replace(from, () => to);
  assert.notEqual(edited, text);
  return edited;
}

suite('reading a content directory', () => {
  // Long: the whole value of two files is written out.
  test('returns the values with defaults and the sources of scripts', async () => {
    await using directory = await contentDirectory({});
    const content = await readContent(directory.path);
    assert.deepEqual(content.courses, [
      {
        format: 1,
        kind: 'course',
        slug: 'shell',
        name: 'The shell',
        description: '',
        icon: '',
        is_active: true,
        sections: [
          {
            slug: 'first',
            name: 'First steps',
            is_active: true,
            themes: [
              { slug: 'prompt', title: 'The prompt', file: 'shell/prompt.md', duration_minutes: 10 },
              { slug: 'files', title: 'Files', file: 'shell/files.md', duration_minutes: 0 },
            ],
          },
        ],
      },
    ]);
    const [first] = content.exams;
    assert.equal(first?.description, 'Two tasks.\n');
    assert.deepEqual(first?.tasks, [
      {
        slug: 'one',
        title: 'One',
        description: '',
        points: 3,
        verification_script: 'echo PASS\n',
        verdict: 'pass',
        solution_script: 'touch one\n',
        setup_script: null,
        files: [],
      },
      {
        slug: 'two',
        title: 'Two',
        description: '',
        points: 4,
        verification_script: 'echo FAIL\n',
        verdict: 'pass',
        solution_script: null,
        setup_script: null,
        files: [],
      },
    ]);
    const [practice] = content.laboratories;
    assert.deepEqual([practice?.section, practice?.time_limit_minutes], ['shell/first', undefined]);
    assert.deepEqual(practice?.tasks, [
      {
        slug: 'one',
        title: 'One',
        description: '',
        hint: 'Look around.',
        points: 2,
        verification_script: 'echo FAIL\n',
        verdict: 'pass',
        solution_script: null,
        setup_script: null,
        files: [],
      },
    ]);
    assert.deepEqual(content.sandboxTemplates, [
      {
        slug: 'plain',
        name: 'Plain',
        description: '',
        image: 'platform-sandbox',
        has_internet: false,
        minimum_role: 'student',
        memory_mb: 256,
        cpus: 0.5,
        is_active: true,
      },
    ]);
  });

  // Long: the owners and modes of all kinds of files, and each problem.
  test('returns the files of exams and tasks with their owners and modes, and reports what cannot be put in place', async () => {
    const folder = 'exams/basics';
    const list = `format: 1
kind: files
files:
  - path: /etc/app.conf
    owner: root:student
    mode: '640'
`;
    const files = {
      [`${folder}/exam.yaml`]: edit(exam, 'tasks:', 'files: machine\ntasks:').replace(
        'verify: tasks/two/verify.sh',
        'verify: tasks/two/verify.sh\n    files: tasks/two/files',
      ),
      [`${folder}/machine/etc/app.conf`]: 'a=1\n',
      [`${folder}/machine/home/student/.ssh/config`]: '',
      [`${folder}/machine/opt/tool`]: '#!/bin/sh\n',
      [`${folder}/machine.yaml`]: list,
      [`${folder}/tasks/two/files/srv/task`]: 'task',
    };
    await using directory = await contentDirectory(files);
    await chmod(join(directory.path, folder, 'machine/opt/tool'), 0o755);
    const [first] = (await readContent(directory.path)).exams;
    const shown = (some: { path: string; owner: string; mode: string; bytes: number }[] = []) =>
      some.map(({ path, owner, mode, bytes }) => `${path} ${owner} ${mode} ${bytes}`);
    assert.deepEqual(shown(first?.files), [
      '/etc/app.conf root:student 0640 4',
      '/home/student/.ssh/config student 0644 0',
      '/opt/tool root 0755 10',
    ]);
    assert.deepEqual(
      first?.tasks.map((task) => shown(task.files)),
      [[], ['/srv/task root 0644 4']],
    );
    const [tool] = (first?.files ?? []).slice(-1);
    const chunks: Uint8Array[] = [];
    for await (const chunk of tool?.read() ?? []) chunks.push(chunk);
    assert.equal(`${Buffer.concat(chunks)}`, '#!/bin/sh\n');

    await symlink('/etc/passwd', join(directory.path, folder, 'tasks/two/files/srv/link'));
    assert.deepEqual(await problemsIn(directory.path), [
      `${folder}/exam.yaml:22: tasks[1].files: ${folder}/tasks/two/files has srv/link, which is neither a file nor a folder`,
    ]);
    const wrong = edit(list, '/etc/app.conf', '/etc/other.conf').replace("'640'", "'888'");
    const problems = await problemsOf({
      ...files,
      [`${folder}/machine.yaml`]: wrong,
      [`${folder}/machine/proc/x`]: '',
    });
    assert.deepEqual(problems, [
      `${folder}/machine.yaml:4: files[0].path: ${folder}/machine/etc/other.conf does not exist`,
      `${folder}/machine.yaml:6: files[0].mode: must be three or four octal digits`,
      `${folder}/machine/proc/x:1: is below /proc, where no file can be put`,
    ]);
  });

  test('without a lessons folder only the paths of texts are checked', async () => {
    const noLessons = { 'lessons/shell/prompt.md': undefined, 'lessons/shell/files.md': undefined };
    await using directory = await contentDirectory(noLessons);
    assert.equal((await readContent(directory.path)).courses.length, 1);
    assert.deepEqual(await problemsOf({ ...noLessons, [courseFile]: edit(course, 'shell/files.md', '/files.md') }), [
      `${courseFile}:15: sections[0].themes[1].file: lessons//files.md holds a step that is empty, hidden or has a backslash or control characters`,
    ]);
  });

  test('drafts are marked as such, and an exam may have no tasks yet', async () => {
    await using directory = await contentDirectory({
      [examFile]: edit(exam, /tasks:[\s\S]*/, 'is_active: false\norder_index: 7\ntasks: []\n'),
      [courseFile]: edit(course, 'sections:', 'is_active: false\nsections:'),
    });
    const { courses, exams } = await readContent(directory.path);
    assert.deepEqual([courses[0]?.is_active, exams[0]?.is_active, exams[0]?.order_index], [false, false, 7]);
  });

  test('an empty directory has no content, and a missing one is an error', async () => {
    await using directory = await contentDirectory(
      Object.fromEntries(Object.keys(good).map((name) => [name, undefined])),
    );
    assert.deepEqual(await readContent(directory.path), {
      courses: [],
      exams: [],
      laboratories: [],
      sandboxTemplates: [],
    });
    await assert.rejects(readContent(join(directory.path, 'absent')), /absent does not exist$/);
  });

  const courseFile = 'courses/shell.yaml';
  const examFile = 'exams/basics/exam.yaml';
  const laboratoryFile = 'laboratories/practice/laboratory.yaml';
  const slugRule = 'must be words of small letters and digits, joined by hyphens';
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
      'a slug',
      { [courseFile]: edit(course, 'slug: files', 'slug: Files_') },
      [`${courseFile}:13: sections[0].themes[1].slug: ${slugRule}`],
    ],
    [
      'slugs that come again in their list',
      { [courseFile]: edit(course, 'slug: files', 'slug: prompt'), [examFile]: edit(exam, 'slug: two', 'slug: one') },
      [
        `${courseFile}:13: sections[0].themes[1].slug: prompt is used already`,
        `${examFile}:17: tasks[1].slug: one is used already`,
      ],
    ],
    ['two courses of one slug', { 'courses/zsh.yaml': course }, ['courses/zsh.yaml:3: slug: shell is used already']],
    [
      'a lesson that is not there',
      { 'lessons/shell/files.md': undefined },
      [`${courseFile}:15: sections[0].themes[1].file: lessons/shell/files.md does not exist`],
    ],
    [
      'a lesson that is a folder',
      { 'lessons/shell/files.md': undefined, 'lessons/shell/files.md/x': '' },
      [`${courseFile}:15: sections[0].themes[1].file: lessons/shell/files.md is not a regular file`],
    ],
    [
      'a lesson outside of lessons/',
      { [courseFile]: edit(course, 'shell/files.md', '../exams/basics/exam.yaml') },
      [
        `${courseFile}:15: sections[0].themes[1].file: lessons/../exams/basics/exam.yaml holds \`..\`, which may lead outside`,
      ],
    ],
    [
      'an absolute path',
      { [examFile]: edit(exam, 'tasks/two/verify.sh', '/etc/passwd') },
      [
        `${examFile}:20: tasks[1].verify: exams/basics//etc/passwd holds a step that is empty, hidden or has a backslash or control characters`,
      ],
    ],
    [
      'set-up scripts that are missing or empty',
      {
        [examFile]: edit(exam, 'passing_score: 5', 'passing_score: 5\nsetup: setup.sh'),
        [laboratoryFile]: edit(laboratory, 'points: 2', 'points: 2\n    setup: tasks/one/setup.sh'),
        'laboratories/practice/tasks/one/setup.sh': '\n',
      },
      [
        `${examFile}:11: setup: exams/basics/setup.sh does not exist`,
        `${laboratoryFile}:13: tasks[0].setup: laboratories/practice/tasks/one/setup.sh is empty`,
      ],
    ],
    [
      'scripts that are missing or empty',
      { 'exams/basics/tasks/one/solution.sh': undefined, 'exams/basics/tasks/two/verify.sh': ' \n' },
      [
        `${examFile}:16: tasks[0].solution: exams/basics/tasks/one/solution.sh does not exist`,
        `${examFile}:20: tasks[1].verify: exams/basics/tasks/two/verify.sh is empty`,
      ],
    ],
    [
      'scripts that bash or the database would not take',
      {
        'exams/basics/tasks/one/verify.sh': 'true\necho PASS\r\n',
        'exams/basics/tasks/one/solution.sh': '\uFEFFtrue',
        'exams/basics/tasks/two/verify.sh': `echo PASS # ${'x'.repeat(262_144)}`,
      },
      [
        `${examFile}:20: tasks[1].verify: exams/basics/tasks/two/verify.sh is longer than 262144 characters`,
        'exams/basics/tasks/one/solution.sh:1: begins with a byte order mark, which bash does not understand',
        'exams/basics/tasks/one/verify.sh:2: a line ends as on Windows (CR LF), which bash does not understand',
      ],
    ],
    [
      'points, and a passing score that nobody can reach',
      { [examFile]: edit(exam, 'passing_score: 5', 'passing_score: 8') },
      [`${examFile}:10: passing_score: must not be above 7, the points of all tasks`],
    ],
    [
      'points below none',
      { [examFile]: edit(exam, 'points: 4', 'points: -1') },
      [`${examFile}:19: tasks[1].points: must be >= 0`],
    ],
    [
      'an exam of a course that is not there, in a folder of another name',
      { [examFile]: edit(edit(exam, 'slug: basics', 'slug: basic'), 'course: shell', 'course: shells') },
      [
        `${examFile}:3: slug: must be basics, the name of the exam's folder`,
        `${examFile}:7: course: there is no course shells`,
      ],
    ],
    [
      'a laboratory of a section that is not there, in a folder of another name, with nothing to reach its score',
      {
        [laboratoryFile]: edit(
          edit(edit(laboratory, 'slug: practice', 'slug: practise'), 'shell/first', 'shell/last'),
          'passing_score: 2',
          'passing_score: 3',
        ),
      },
      [
        `${laboratoryFile}:3: slug: must be practice, the name of the laboratory's folder`,
        `${laboratoryFile}:5: section: there is no section shell/last`,
        `${laboratoryFile}:7: passing_score: must not be above 2, the points of all tasks`,
      ],
    ],
    [
      'a section that is no name of one, and a hint of an exam',
      {
        [laboratoryFile]: edit(laboratory, 'shell/first', 'first'),
        [examFile]: edit(exam, 'points: 3', 'hint: Look\n    points: 3'),
      },
      [
        `${examFile}:14: tasks[0].hint: is not a key that is known here`,
        `${laboratoryFile}:5: section: must be the slugs of a course and of its section, joined by a slash`,
        `${laboratoryFile}:5: section: there is no section first`,
      ],
    ],
    [
      'a second laboratory of a section',
      {
        'laboratories/again/laboratory.yaml': edit(laboratory, 'slug: practice', 'slug: again'),
        'laboratories/again/tasks/one/verify.sh': 'echo FAIL\n',
      },
      [`${laboratoryFile}:5: section: shell/first is used already`],
    ],
    [
      'a container image that is no name',
      { [examFile]: edit(exam, 'platform-exam-linux-basics', 'two words') },
      [`${examFile}:8: container_image: must be the name of a container image`],
    ],
    [
      'a template that is too small',
      { 'sandbox-templates.yaml': edit(edit(templates, '256', '8'), '0.5', '0') },
      [
        'sandbox-templates.yaml:7: templates[0].memory_mb: must be >= 16',
        'sandbox-templates.yaml:8: templates[0].cpus: must be > 0',
      ],
    ],
    [
      'files in places where nothing is read',
      { 'courses/shell.yml': course, 'exams/exam.yaml': exam, 'exams/empty/notes.txt': '', 'exam/a.yaml': '' },
      [
        'courses/shell.yml:1: a file in courses/ has a name that ends in .yaml',
        'exam:1: is not part of the layout',
        'exams/empty/exam.yaml:1: does not exist',
        'exams/exam.yaml:1: each exam has a folder of its own in exams/, and nothing else is there',
      ],
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

  test('reports all problems together, including those after a schema violation', async () => {
    assert.deepEqual(
      await problemsOf({
        [courseFile]: edit(edit(course, 'duration_minutes: 10', 'duration_minutes: -1'), 'shell/files.md', 'absent.md'),
        [examFile]: edit(edit(exam, 'points: 3', 'points: three'), 'tasks/two/verify.sh', 'absent.sh'),
        'sandbox-templates.yaml': edit(templates, 'format: 1\n', ''),
      }),
      [
        `${courseFile}:12: sections[0].themes[0].duration_minutes: must be >= 0`,
        `${courseFile}:15: sections[0].themes[1].file: lessons/absent.md does not exist`,
        `${examFile}:14: tasks[0].points: must be integer`,
        `${examFile}:20: tasks[1].verify: exams/basics/absent.sh does not exist`,
        'sandbox-templates.yaml:1: format is missing',
      ],
    );
  });

  test('follows no symbolic link, neither of a file nor of a folder', async () => {
    await using directory = await contentDirectory({});
    const at = (path: string) => join(directory.path, path);
    await rename(at('lessons/shell'), at('.moved'));
    await symlink(at('.moved'), at('lessons/shell'));
    await rename(at('exams/basics/tasks/two/verify.sh'), at('.verify.sh'));
    await symlink('../../../../.verify.sh', at('exams/basics/tasks/two/verify.sh'));
    await symlink('shell.yaml', at('courses/alias.yaml'));
    const link = 'is a symbolic link or leads through one';
    assert.deepEqual(await problemsIn(directory.path), [
      `courses/alias.yaml:1: ${link}`,
      `${courseFile}:11: sections[0].themes[0].file: lessons/shell/prompt.md ${link}`,
      `${courseFile}:15: sections[0].themes[1].file: lessons/shell/files.md ${link}`,
      `${examFile}:20: tasks[1].verify: exams/basics/tasks/two/verify.sh ${link}`,
    ]);
  });
});
