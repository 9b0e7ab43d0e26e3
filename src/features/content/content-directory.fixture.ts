import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readContent } from './layout.ts';
import { ContentError } from './problems.ts';

export const course = `format: 1
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
export const exam = `format: 1
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
export const laboratory = `format: 1
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
export const templates = `format: 1
kind: sandbox-templates
templates:
  - slug: plain
    name: Plain
    image: platform-sandbox
    memory_mb: 256
    cpus: 0.5
`;
/** A valid content directory. */
export const good: Readonly<Record<string, string>> = {
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

export const courseFile = 'courses/shell.yaml';
export const examFile = 'exams/basics/exam.yaml';
export const laboratoryFile = 'laboratories/practice/laboratory.yaml';

export type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

/** A content directory of the valid files with some replaced, or omitted where undefined. */
export async function contentDirectory(files: Files): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'content-test-'));
  for (const [name, text] of Object.entries({ ...good, ...files })) {
    if (text === undefined) continue;
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The problems of a directory, each as `file:line: message`. */
export async function problemsIn(directory: string): Promise<string[]> {
  const error = await readContent(directory).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ContentError, `no problems, but ${String(error)}`);
  for (const { file, line, message } of error.problems)
    assert.ok(error.message.includes(`${file}:${line}: ${message}`));
  return error.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

export async function problemsOf(files: Files): Promise<string[]> {
  await using directory = await contentDirectory(files);
  return await problemsIn(directory.path);
}

/** Replaces text that must exist, so that each case tests what it claims to test. */
export function edit(text: string, from: string | RegExp, to: string): string {
  const edited = text.replace(from, () => to);
  assert.notEqual(edited, text);
  return edited;
}
