/**
 * A lesson of 200 kB of Markdown in Chromium, in turn with one of 4 kB: the time from the answer with the text to the first screen of it,
 * to the whole text, and the longest time for which the page does not respond meanwhile. The reader comes from another lesson.
 */
import { type Browser, chromium } from 'playwright-core';
import { LocalRepository } from '../test/git-repository.ts';
import { TestServer, type TestUser } from '../test/server.ts';
import { executablePath, logIn } from '../test/web/browser.ts';
import { median, prepareEnvironment, report } from './environment.ts';

const rounds = Number(process.env['ROUNDS'] ?? 7);
const section = (number: number): string => `## Part ${number}

The **kernel** starts a process with \`fork\`, see [the manual](https://example.com/${number}).[^${number}] ${'Many words of text follow it. '.repeat(12)}

- one *item*
- another with \`code\`

| Command | Meaning |
|---|---|
| \`ls -l\` | lists |
| \`ps aux\` | lists processes |

> [!NOTE]
> Mind the gap.

\`\`\`bash
for file in *.txt; do
  echo "$file: $(wc -l < "$file")"
done
\`\`\`

[^${number}]: A note.

`;
const textOf = (bytes: number): string => {
  let text = '';
  for (let number = 1; text.length < bytes; number += 1) text += section(number);
  return text;
};

type Reading = { first: number; whole: number; longestTask: number };
type Noted = { firstAt?: number; wholeAt?: number; tasks: PerformanceEntry[] };

/** Opens a lesson from another one. */
async function read(browser: Browser, url: string, user: TestUser, from: number, title: string): Promise<Reading> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    // A stream that stays open: with it, the network would never be idle.
    const debuggerOf = await context.newCDPSession(page);
    await debuggerOf.send('Network.enable');
    await debuggerOf.send('Network.setBlockedURLs', { urls: ['*/api/notifications/events*'] });
    await page.goto(`${url}/login`);
    await logIn(page, user);
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await page.goto(`${url}/lessons/${from}`);
    await page.locator('.lesson-text[aria-busy=false]').waitFor({ timeout: 60_000 });
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      const begin = location.href;
      const noted: Noted = Object.assign(globalThis, { tasks: [] as PerformanceEntry[] });
      new PerformanceObserver((list) => noted.tasks.push(...list.getEntries())).observe({ type: 'longtask' });
      new MutationObserver(() => {
        if (location.href === begin || document.querySelector('#lesson-part-1') === null) return;
        const text = document.querySelector('.lesson-text');
        // A frame later it is painted.
        if (text?.querySelector('p')) requestAnimationFrame(() => (noted.firstAt ??= performance.now()));
        if (text?.getAttribute('aria-busy') === 'false')
          requestAnimationFrame(() => (noted.wholeAt ??= performance.now()));
      }).observe(document, { childList: true, subtree: true, attributes: true });
    });
    await page.getByRole('navigation').getByRole('link', { name: title }).first().click();
    await page.waitForFunction(() => (globalThis as unknown as Noted).wholeAt !== undefined, undefined, {
      timeout: 60_000,
    });
    return await page.evaluate(() => {
      const { firstAt = Number.NaN, wholeAt = Number.NaN, tasks } = globalThis as unknown as Noted;
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const answeredAt = resources.findLast(({ name }) => name.endsWith('/content'))?.responseEnd ?? Number.NaN;
      const later = tasks.filter(({ startTime }) => startTime >= answeredAt);
      return {
        first: firstAt - answeredAt,
        whole: wholeAt - answeredAt,
        longestTask: Math.max(0, ...later.map(({ duration }) => duration)),
      };
    });
  } finally {
    await context.close();
  }
}

if (!executablePath) throw new Error('This benchmark needs Chromium');
await using _environment = await prepareEnvironment();
await using repository = await LocalRepository.create();
await repository.commit({ 'long.md': textOf(200_000), 'short.md': textOf(4000), 'from.md': 'Begin here.' });
await using server = await TestServer.start({ LESSONS_REPO_URL: repository.path });
const admin = await server.user('admin');
const create = async (path: string, fields: object): Promise<number> =>
  (await server.post(`/api/admin/lessons/${path}`, admin.token, fields)).body.id;
const course_id = await create('courses', { name: 'Linux' });
const section_id = await create('sections', { name: 'First', course_id });
const themeOf = async (title: string, markdown_file_path: string): Promise<number> =>
  await create('themes', { title, section_id, markdown_file_path });
const from = await themeOf('Start', 'from.md');
// The next lesson is requested ahead.
await themeOf('Next', 'from.md');
await themeOf('Long text', 'long.md');
await themeOf('Short text', 'short.md');
const user = await server.user();
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  const ours: Reading[] = [];
  const theirs: Reading[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await read(browser, server.url, user, from, 'Short text'));
    ours.push(await read(browser, server.url, user, from, 'Long text'));
  }
  const of = (all: Reading[], figure: keyof Reading) => median(all.map((one) => one[figure]));
  const row = (what: string, figure: keyof Reading, bound: string) =>
    report(`${what} of a lesson of 200 kB / of 4 kB`, of(ours, figure), of(theirs, figure), 'ms', bound);
  row('first screen', 'first', '≤ 300 ms');
  row('whole text', 'whole', '');
  row('longest task', 'longestTask', '');
} finally {
  await browser.close();
}
