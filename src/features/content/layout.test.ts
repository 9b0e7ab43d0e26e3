import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { shownDefaults } from '../../entities/task.ts';
import {
  contentDirectory,
  course,
  courseFile,
  edit,
  exam,
  examFile,
  good,
  problemsIn,
  problemsOf,
} from './content-directory.fixture.ts';
import { readContent } from './layout.ts';

suite('reading a content directory', () => {
  test('shipped set-ups know what they started by $!: pgrep also finds a fork that is about to become another program', async () => {
    const { exams, laboratories } = await readContent(join(import.meta.dirname, '../../../content'));
    const scripts = [...exams, ...laboratories].flatMap((one) =>
      [one, ...one.tasks].map((of) => of.setup_script ?? ''),
    );
    assert.ok(scripts.some((script) => script.includes('$!')));
    for (const script of scripts) assert.doesNotMatch(script, /=\$\((?:pgrep|pidof)/);
  });

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
    const { order_index: _order, ...defaults } = shownDefaults;
    const solution = { solution: '', solution_visible: 'never', solution_script: null, partial_script: null };
    const given = { ...defaults, ...solution, verdict: 'pass', setup_script: null, parameters: null, files: [] };
    assert.deepEqual(first?.tasks, [
      {
        ...{ ...given, slug: 'one', title: 'One', points: 3 },
        ...{ verification_script: 'echo PASS\n', solution_script: 'touch one\n' },
      },
      { ...given, slug: 'two', title: 'Two', points: 4, verification_script: 'echo FAIL\n' },
    ]);
    const [practice] = content.laboratories;
    assert.deepEqual([practice?.section, practice?.time_limit_minutes], ['shell/first', undefined]);
    assert.deepEqual(practice?.tasks, [
      {
        ...{ ...given, slug: 'one', title: 'One', points: 2 },
        ...{ hint: 'Look around.', verification_script: 'echo FAIL\n' },
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
      writtenLessons: [],
      courses: [],
      exams: [],
      laboratories: [],
      sandboxTemplates: [],
    });
    await assert.rejects(readContent(join(directory.path, 'absent')), /absent does not exist$/);
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
