import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

/** What students type, and the shipped lessons that answer it. */
const questions: [question: string, ...lessons: string[]][] = [
  ['grep -r', 'Searching: grep and find'],
  ['ls -l', 'Permissions', 'Moving around the file tree'],
  ['chmod 755', 'Permissions'],
  ['how do I delete a file', 'Creating, copying and removing files'],
  ['tar -xzf', 'Archives and disk usage'],
  ['crontab -e', 'Scheduled tasks with cron'],
  ['find files larger than 100M', 'Searching: grep and find'],
  ['how to kill a process', 'Processes and signals'],
  ['permission denied', 'Permissions'],
  ['what is my ip address', 'Addresses and prefixes'],
  ['rename a file', 'Creating, copying and removing files'],
  ['exit vim', 'Editing and transforming text'],
  ['df -h', 'Archives and disk usage'],
  ['disk full', 'Archives and disk usage'],
  ['2>&1', 'Redirection and pipes'],
  ['set -e', 'Exit status and strict mode'],
  ['restart nginx', 'nginx, a first web server', 'Services'],
  ['which process uses a port', 'Ports and sockets'],
  ['ssh-keygen', 'SSH keys'],
  ['awk sum of a column', 'Reports with awk', 'Editing and transforming text'],
  ['find -name', 'Searching: grep and find'],
  ['add a user to a group', 'Users and groups'],
  ['connection refused', 'Ports and sockets', 'Finding faults', 'Reading a capture'],
  ['while read line', 'Reading lines and lists of files'],
  ['how do I see hidden files', 'Moving around the file tree'],
];

describe('the search for lessons', () => {
  let server: TestServer;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({ searchRefreshSeconds: 1 });
    student = await server.user();
    const content = new ContentService(new ContentStore(server.application.db, loadConfig({}).catalogue));
    await content.seedContent(join(import.meta.dirname, '../../content'));
    await until(async () => (await lessons('umask')).length > 0, 'the texts of the lessons');
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function lessons(
    q: string,
  ): Promise<{ kind: string; title: string; excerpt: { text: string; is_match: boolean }[] }[]> {
    const { status, body, text } = await server.get(`/api/search?q=${encodeURIComponent(q)}`, student.token);
    assert.equal(status, 200, text);
    return body.results.filter(({ kind }: { kind: string }) => kind === 'lesson');
  }

  it('finds the lesson that answers a question of students among the first three', async () => {
    const missed: string[] = [];
    for (const [question, ...answers] of questions) {
      const first = (await lessons(question)).slice(0, 3).map(({ title }) => title);
      if (!first.some((title) => answers.includes(title))) missed.push(`${question}: ${first.join(', ')}`);
    }
    assert.equal(questions.length, 25);
    assert.ok(missed.length <= 2, `${missed.length} questions:\n${missed.join('\n')}`);
  });

  it('shows the part of the text that has what was typed, without marks of Markdown', async () => {
    for (const question of ['grep -r', 'df -h', '2>&1', 'crontab -e']) {
      const [first] = await lessons(question);
      const excerpt = first?.excerpt.map(({ text }) => text).join('') ?? '';
      assert.ok(excerpt.toLowerCase().includes(question), `${question}: ${excerpt}`);
    }
    for (const q of ['capture', 'logs', 'permissions']) {
      for (const { excerpt } of await lessons(q)) {
        const text = excerpt.map((piece) => piece.text).join('');
        assert.doesNotMatch(text, /\*\*|(^|\s)\*\w+\*|\| \||\[!|^#/, text);
      }
    }
  });
});
