import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  course,
  courseFile,
  edit,
  exam,
  examFile,
  type Files,
  laboratory,
  laboratoryFile,
  problemsOf,
  templates,
} from './content-directory.fixture.ts';

suite('problems in a content directory', () => {
  const slugRule = 'must be words of small letters and digits, joined by hyphens';
  const cases: [name: string, files: Files, expected: string[]][] = [
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
    [
      'openings that are no time, no name, or name nothing of the course',
      {
        [courseFile]: edit(course, '    name: First', '    opens_after: [lesson:one]\n    name: First'),
        [examFile]: edit(exam, 'passing_score', 'opens_at: 2027-01-11 08:00\npassing_score'),
      },
      [
        `${courseFile}:7: sections[0].opens_after[0]: must be section:SLUG, theme:SECTION/SLUG, laboratory:SLUG or exam:SLUG`,
        `${examFile}:10: opens_at: must be a time with its zone, such as 2027-01-11T08:00:00Z`,
      ],
    ],
    [
      'openings after what the course does not have',
      {
        [examFile]: edit(exam, 'passing_score', 'opens_after: [laboratory:practice, theme:first/gone]\npassing_score'),
        [laboratoryFile]: edit(laboratory, 'passing_score', 'opens_at: 2027-02-30T08:00:00Z\npassing_score'),
      },
      [
        `${examFile}:10: opens_after[1]: its course has no theme:first/gone`,
        `${laboratoryFile}:7: opens_at: is no time`,
      ],
    ],
    [
      'openings in a circle, through the section of a laboratory',
      {
        [courseFile]: edit(course, '    name: First', '    opens_after: [exam:basics]\n    name: First'),
        [examFile]: edit(exam, 'passing_score', 'opens_after: [laboratory:practice]\npassing_score'),
      },
      [`${courseFile}:7: sections[0].opens_after: waits for others that wait for it, and would never open`],
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
        'exams/basics/tasks/one/verify.sh': 'true\necho PASS\0\n',
        'exams/basics/tasks/two/verify.sh': `echo PASS # ${'x'.repeat(262_144)}`,
      },
      [
        `${examFile}:20: tasks[1].verify: exams/basics/tasks/two/verify.sh is longer than 262144 characters`,
        'exams/basics/tasks/one/verify.sh:2: a NUL character is not allowed',
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
        `${examFile}:14: tasks[0].points: must be number`,
        `${examFile}:20: tasks[1].verify: exams/basics/absent.sh does not exist`,
        'sandbox-templates.yaml:1: format is missing',
      ],
    );
  });
});
