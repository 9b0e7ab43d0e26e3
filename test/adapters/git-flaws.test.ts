import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createLessonSource } from '../../src/adapters/git/create-lesson-source.ts';
import type { LessonSource } from '../../src/features/lesson-repositories/lesson-source.ts';
import { repositoryProblemOf, repositoryProblems } from '../../src/features/lesson-repositories/problems.ts';
import { LocalRepository, run } from '../git-repository.ts';
import { MemoryLog } from './git-mirror-fixture.ts';

type Made = { author?: string; committer?: string; names?: string[]; mode?: string };

/** A repository with one commit, whose objects are written as they are given. */
async function repositoryOf({ author, committer, names = ['a.md'], mode = '100644' }: Made): Promise<LocalRepository> {
  const repository = await LocalRepository.create();
  const write = async (type: string, content: Buffer | string) =>
    (
      await run('git', ['-C', repository.path, 'hash-object', '-t', type, '--literally', '-w', '--stdin'], content)
    ).trim();
  const blob = await write('blob', '# A lesson\n');
  const tree = Buffer.concat(names.flatMap((name) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, 'hex')]));
  const who = 'Test <test@example.com> 1700000000 +0000';
  const id = await write(
    'commit',
    `tree ${await write('tree', tree)}\nauthor ${author ?? who}\ncommitter ${committer ?? who}\n\nfirst\n`,
  );
  await run('git', ['-C', repository.path, 'update-ref', 'refs/heads/main', id]);
  return repository;
}

type Use<Result> = (text: Promise<string>, log: MemoryLog, lessons: LessonSource) => Promise<Result>;

async function withSource<Result>(url: string, use: Use<Result>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-flaws-'));
  const log = new MemoryLog();
  const settings = { dataDir, shippedFolder: '', staleSeconds: 3600, timeoutSeconds: 20, maxFileBytes: 1 << 20, log };
  const lessons = createLessonSource({ ...settings, url, branch: 'main' });
  try {
    const text = async () => (await (await lessons.open()).read('a.md')).bytes.toString();
    return await use(text(), log, lessons);
  } finally {
    await lessons[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const sound: Record<string, Made> = {
  'an author without a space before the address': { author: 'Test<test@example.com> 1700000000 +0000' },
  'an author without an address': { author: 'Test 1700000000 +0000' },
  'an author without a name': { author: '<test@example.com> 1700000000 +0000' },
  'an address in an address': { author: 'Test <a <b@example.com>> 1700000000 +0000' },
  'a committer without a date': { committer: 'Test <test@example.com>' },
  'a date of the far future': { committer: 'Test <test@example.com> 99999999999999999999 +0000' },
  'a time zone that there is not': { author: 'Test <test@example.com> 1700000000 +1' },
  'a tree with a name twice': { names: ['a.md', 'a.md'] },
  'a tree that is not sorted': { names: ['b.md', 'a.md'] },
  'an old mode of files': { mode: '100664' },
  'a mode with a leading zero': { mode: '0100644' },
};

describe('an old flaw in the history of a repository', () => {
  for (const [name, made] of Object.entries(sound))
    it(`does not matter: ${name}`, async () => {
      await using repository = await repositoryOf(made);
      await withSource(repository.path, async (text) => assert.equal(await text, '# A lesson\n'));
    });

  it('is named with its object and a way out where Git refuses it', async () => {
    await using repository = await repositoryOf({ names: ['.git', 'a.md'] });
    await withSource(repository.path, async (text, log, lessons) => {
      await assert.rejects(text);
      const reason = String(log.warnings[0]?.['reason']);
      const problem = repositoryProblemOf(reason);
      assert.equal(problem?.code, 'object_flawed', JSON.stringify(log.warnings));
      assert.match(problem?.params['object'] ?? '', /^[0-9a-f]{40}$/);
      assert.match(problem?.params['flaw'] ?? '', /^hasDotgit: /);
      assert.match(reason, /git filter-repo/);
      await assert.rejects(lessons.refresh(), { message: `The lessons repository could not be updated: ${reason}` });
    });
  });
});

it('an unknown text of a problem has no code', () => {
  assert.equal(repositoryProblemOf('something else'), undefined);
  assert.deepEqual(repositoryProblemOf(repositoryProblems.git_timeout), { code: 'git_timeout', params: {} });
});
