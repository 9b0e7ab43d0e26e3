import assert from 'node:assert/strict';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { contentDirectory, edit, exam, problemsIn, problemsOf } from './content-directory.fixture.ts';
import { readContent } from './layout.ts';

suite('files of exams and tasks in a content directory', () => {
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
});
