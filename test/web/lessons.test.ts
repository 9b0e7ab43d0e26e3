import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { LocalRepository } from '../git-repository.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';
import { desktop, phone } from './page-pool.ts';

const introduction = `# Introduction

**Goal:** you know your way about.[^1]

| Command | Meaning |
|---|---|
| \`ls\` | list |

- [x] read
- [ ] tried

## A first try

\`\`\`console
$ mkdir -p trial && cd trial
$ echo one \\
> two > list
$ cat list
one two
\`\`\`

\`\`\`yaml
name: web
\`\`\`

![A red square](pictures/square.png) ![A drawing](../drawing.svg) ![Nothing](pictures/none.png)
![Elsewhere](https://example.com/picture.png)

## Where to go on

[the next lesson](files.md#second-part), [an example](https://example.com/), [the notes](notes.txt),
[down](#a-first-try), [nowhere](gone.md)

<details><summary>Solution</summary>Look again.</details>

[^1]: In the sense of <kbd>cd</kbd>.
`;

/** What other sites and programs understand besides GitHub's Markdown. */
const dialects = `---
title: Dialects
tags: [one]
---
[up](#Old-Place) [down](#SECOND-part)

!!! warning "Mind the \`gap\`"
    A list:

    - one

:::tip
Of Docusaurus
:::

> [!NOTE]
> Of GitHub

??? question "Why?"
    Because.

Two  spaces: \`a  b\`, ![A dot](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)
![A drawing](data:image/svg+xml;base64,PHN2Zy8+)

=== "Debian"
    \`apt\` installs.

=== "Fedora"
    \`dnf\` installs.

A :rocket: and $\\frac{a_1}{2}$, not $HOME and $PATH.

$$
\\sum_{i=1}^n i
$$

\`\`\`mermaid
flowchart LR
  accTitle: From one to two
  one["<img src=x onerror=hacked()> first"] --> two
  click one "javascript:hacked()"
\`\`\`

\`\`\`mermaid
flowchart of nothing
\`\`\`

<a name="Old-Place"></a>Here it was.

${'Much to read.\n\n'.repeat(60)}

## Second part
`;

/** Each script calls `hacked` if it runs. If the policy blocks it, the console has an error. */
const hostile = `# Trust me

Before <script>hacked()</script><script src="https://example.com/x.js"></script> after.

<img src="x" onerror="hacked()"> <img src="pictures/square.png" alt="fine" onload="hacked()" srcset="https://example.com/x 2x">
<svg onload="hacked()"><script>hacked()</script><foreignObject><iframe srcdoc="<script>parent.hacked()</script>"></iframe></foreignObject></svg>
<math><mtext><table><mglyph><style><img src=x onerror=hacked()></style></mglyph></table></mtext></math>
<iframe src="javascript:parent.hacked()"></iframe><iframe srcdoc="<script>parent.hacked()</script>"></iframe>
<object data="javascript:hacked()"></object><embed src="javascript:hacked()">
<style>@import "https://example.com/x.css"; body { display: none }</style><link rel="stylesheet" href="https://example.com/x.css">
<base href="https://example.com/"><meta http-equiv="refresh" content="0;url=https://example.com/">
<form action="https://example.com/"><input name="password" type="password" autofocus onfocus="hacked()"><button formaction="javascript:hacked()">Log in</button></form>
<details open ontoggle="hacked()"><summary>more</summary>text</details>
<video src="x" onerror="hacked()" autoplay></video><audio src="x" onerror="hacked()"></audio>
<p style="position: fixed; inset: 0; background: url(https://example.com/x)" class="fixed inset-0 z-50" onclick="hacked()">a paragraph</p>
<div id="content" onmouseover="hacked()" contenteditable tabindex="1" accesskey="x">a box</div>
<a href="javascript:hacked()">one</a> <a href=" JaVa&#x09;Script:hacked()">two</a> <a href="data:text/html,<script>hacked()</script>">three</a>
<a href="vbscript:hacked()" target="_self">four</a> <a href="https://example.com/" target="_parent" ping="https://example.com/" rel="opener">five</a>

[six](javascript:hacked()) [seven](<javascript:hacked()>) ![eight](javascript:hacked()) <javascript:hacked()>

<textarea><img src=x onerror=hacked()></textarea><title>owned</title><template><img src=x onerror=hacked()></template>
<!--><img src=x onerror=hacked()>-->

\`\`\`html" onmouseover="hacked()
<script>hacked()</script>
\`\`\`

<noscript><p title="</noscript><img src=x onerror=hacked()>"></noscript>
`;

describeLong('lessons in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let repository: LocalRepository;
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  const themes: Record<'introduction' | 'files' | 'dialects' | 'hostile' | 'missing', number> = {
    introduction: 0,
    files: 0,
    dialects: 0,
    hostile: 0,
    missing: 0,
  };

  before(async () => {
    repository = await LocalRepository.create();
    const square = { width: 40, height: 40, channels: 3, background: 'red' } as const;
    await repository.commit({
      'linux/introduction.md': introduction,
      'linux/files.md': `# Files\n\n${'Much to read.\n\n'.repeat(60)}## Second part\n\nThe end.`,
      'linux/dialects.md': dialects,
      'linux/hostile.md': hostile,
      'linux/notes.txt': 'the notes',
      'linux/pictures/square.png': await sharp({ create: square }).png().toBuffer(),
      'drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><script>parent.hacked()</script></svg>',
    });
    server = await TestServer.start({ LESSONS_REPO_URL: repository.path });
    visitors = new Visitors(server);
    admin = await server.user('admin');
    const make = async (path: string, fields: object): Promise<number> => {
      const { status, body, text } = await server.post(`/api/admin/${path}`, admin.token, fields);
      assert.equal(status, 201, text);
      return body.id;
    };
    const course_id = await make('lessons/courses', { name: 'Linux', description: 'From the start', icon: 'terminal' });
    const section_id = await make('lessons/sections', { name: 'First steps', course_id, order_index: 0 });
    for (const [order_index, name] of (
      ['introduction', 'files', 'dialects', 'hostile', 'missing'] as const
    ).entries()) {
      const title = name[0]?.toUpperCase() + name.slice(1);
      const markdown_file_path = `linux/${name}.md`;
      const fields = { title, section_id, order_index, markdown_file_path, duration_minutes: 10 };
      themes[name] = await make('lessons/themes', fields);
    }
    await make('laboratories', {
      title: 'Try it all',
      description: 'Practice',
      section_id,
      container_image: 'platform-exam-linux-basics',
      passing_score: 1,
    });
    await make('sandbox-templates', {
      name: 'Linux',
      description: 'A small machine',
      image: 'platform-sandbox',
      memory_mb: 256,
      cpus: 1,
    });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const tree = (page: Page) => page.getByRole('navigation', { name: 'Lessons of this course' });

  it('are found by their courses, which show the progress', async (t) => {
    const student = await server.user();
    await server.post(`/api/lessons/themes/${themes.introduction}/complete`, student.token);
    const page = await visitors.comeAs(t, student, '/courses');
    await page.getByRole('heading', { level: 2, name: 'Linux' }).waitFor();
    const bar = page.getByRole('progressbar', { name: 'Progress in Linux' });
    assert.equal(await bar.getAttribute('aria-valuenow'), '20');
    await page.getByText('1 of 5 lessons', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Linux', exact: true }).click();
    await heading(page, 'Linux');
    await page.getByRole('link', { name: 'Introduction (Completed)' }).waitFor();
    await page.getByRole('link', { name: 'Laboratory: Try it all' }).waitFor();
    await page.getByRole('link', { name: 'Continue to “Files”' }).click();
    await heading(page, 'Files');
    // The title of the course leads back.
    await page.getByRole('navigation', { name: 'Courses' }).getByRole('link', { name: 'Linux' }).click();
    await heading(page, 'Linux');
  });

  // Long: one lesson with every element of Markdown.
  it('show their text, pictures, tables and coloured code', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await page.getByText('you know your way about').waitFor();
    // The file repeats the title. The page shows it once.
    assert.equal(await page.getByRole('heading', { name: 'Introduction' }).count(), 1);
    await page.getByRole('cell', { name: 'list' }).waitFor();
    assert.equal(await page.getByRole('img', { name: 'Done', exact: true }).count(), 1);
    assert.equal(await page.getByRole('img', { name: 'To do', exact: true }).count(), 1);
    assert.equal(await page.locator('main kbd').textContent(), 'cd');

    for (const name of ['A red square', 'A drawing']) {
      const picture = page.getByRole('img', { name });
      await picture.waitFor();
      await page.waitForFunction(
        (image) => (image as HTMLImageElement).naturalWidth > 0,
        await picture.elementHandle(),
      );
    }
    await page.getByText('The picture “Nothing” is missing.').waitFor();
    assert.equal(await page.getByRole('link', { name: /Picture on another site/ }).count(), 1);

    const code = page.locator('pre').filter({ hasText: 'mkdir' });
    await code.locator('.code-token').first().waitFor();
    assert.match((await code.textContent()) ?? '', /^\$ mkdir -p trial && cd trial\n\$ echo one/);
    const colours = await code
      .locator('.code-token')
      .evaluateAll((tokens) => new Set(tokens.map((token) => getComputedStyle(token).color)).size);
    assert.ok(colours > 1, 'the code has one colour only');
    assert.deepEqual(
      scripts.filter((path) => /katex|mermaid|gemoji/i.test(path)),
      [],
      'libraries that this lesson needs not',
    );
  });

  // Long: one lesson with what other sites and programs understand.
  it('have all buttons of their code on a phone, in German as well', async (t) => {
    const look = { language: 'de', viewport: phone } as const;
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`, look);
    const bar = page.locator('.code-block > div').filter({ hasText: 'In meinem Terminal ausführen' }).first();
    await bar.waitFor();
    assert.ok(await bar.evaluate((one) => one.scrollWidth <= one.clientWidth));
  });

  it('show what other sites write: front matter, admonitions, anchors, small pictures', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.dialects}`);
    const alert = (text: string) => page.getByRole('note').filter({ hasText: text });
    assert.equal((await alert('Mind the gap').textContent())?.replace(/\s+/g, ' ').trim(), 'Mind the gap A list: one');
    assert.match((await alert('Of Docusaurus').textContent()) ?? '', /^Tip/);
    assert.match((await alert('Of GitHub').textContent()) ?? '', /^Note\s+Of GitHub/);
    await page.getByText('Why?').click();
    await page.getByText('Because.').waitFor();
    assert.equal(await page.getByText('title: Dialects').count(), 0);
    const dot = await page.getByRole('img', { name: 'A dot' }).elementHandle();
    assert.equal(await dot?.evaluate((image) => (image as HTMLImageElement).naturalWidth), 1);
    await page.getByText('The picture “A drawing” is missing.').waitFor();
    const spaces = page.locator('code', { hasText: 'a  b' });
    assert.equal(await spaces.evaluate((code) => getComputedStyle(code).whiteSpaceCollapse), 'break-spaces');
    await page.getByRole('tab', { name: 'Fedora' }).click();
    await page.getByText('dnf installs.').waitFor();
    assert.equal(await page.getByText('apt installs.').isVisible(), false);
    await page.getByText('A 🚀 and').waitFor();
    assert.equal(await page.locator('.katex').count(), 2);
    await page.getByRole('math').first().waitFor();
    const diagram = page.getByRole('img', { name: 'From one to two' });
    await diagram.waitFor();
    assert.match((await diagram.getAttribute('src')) ?? '', /^blob:/);
    await page.locator('.diagram').last().scrollIntoViewIfNeeded();
    await page.getByText('This diagram cannot be drawn.').waitFor();
    await page.waitForFunction((image) => (image as HTMLImageElement).naturalWidth > 50, await diagram.elementHandle());
    await assertAccessible(page, 'a lesson with admonitions, formulas and a diagram');

    // An anchor leads to its place whatever its letter case.
    const isInView = (name: string) =>
      page.waitForFunction((id) => {
        const { top = -1, bottom = Number.POSITIVE_INFINITY } =
          document.getElementById(id)?.getBoundingClientRect() ?? {};
        return top >= 0 && bottom <= innerHeight;
      }, `lesson-${name}`);
    await page.getByRole('link', { name: 'down', exact: true }).click();
    await isInView('second-part');
    await page.getByRole('link', { name: 'up', exact: true }).click();
    await isInView('old-place');
  });

  it('have their headings beside or above the text, with the current one marked', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`);
    const outline = page.getByRole('navigation', { name: 'On this page' });
    await outline.getByText('On this page: A first try').click();
    await assertAccessible(page, 'a lesson with its headings open');
    await outline.getByRole('link', { name: 'Where to go on' }).click();
    await outline.getByText('On this page: Where to go on').waitFor();
    assert.equal(await outline.getByRole('link').count(), 0, 'the headings stay open');
    await page.setViewportSize({ width: 1600, height: 600 });
    await outline.getByRole('link', { name: 'Where to go on' }).and(page.locator('[aria-current=location]')).waitFor();
  });

  it('begin at the top after the one before was read to its end', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.files}`);
    const next = page.getByRole('link', { name: /Next lesson Dialects/ });
    await next.scrollIntoViewIfNeeded();
    await next.click();
    await heading(page, 'Dialects');
    await page.getByRole('note').first().waitFor();
    const top = await page.getByRole('heading', { level: 1 }).evaluate((title) => title.getBoundingClientRect().top);
    assert.ok(top > 0 && top < 300, `the title is at ${top}`);
    // Back leads to where the reader was.
    await page.goBack();
    await heading(page, 'Files');
    await page.waitForFunction(
      (link) => (link?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < innerHeight,
      await next.elementHandle(),
    );
  });

  // Long: a note from its paragraph to its deletion.
  it('have notes at their paragraphs, and lead to where the reader stopped', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.files}`);
    const second = page.getByRole('heading', { name: 'Second part' });
    await second.scrollIntoViewIfNeeded();
    await page.getByText('The end.').click();
    await page.getByRole('button', { name: 'Notes', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The end.').waitFor();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Read it again');
    await assertAccessible(page, 'a new note');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Notes (1)' }).click();
    await dialog.getByText('Read it again').first().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('[data-noted]').textContent(), 'The end.');

    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await page.getByText('Read it again').waitFor();
    await assertAccessible(page, 'the notes');
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.waitForURL((url) => url.hash === '#lesson-second-part');
    await heading(page, 'Files');

    // In the middle of a text, the place is kept on this device.
    const scroller = page.locator('[data-scroll-restoration-id=lesson]');
    await page.waitForFunction((element) => (element?.scrollTop ?? 0) > 1200, await scroller.elementHandle());
    await scroller.evaluate((element) => element.scrollTo({ top: 900, behavior: 'instant' }));
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => key.startsWith('reading-places-') && localStorage[key] !== '[]'),
    );
    await goTo(page, '/courses');
    await heading(page, 'Courses');
    await page.goto(`/lessons/${themes.files}`);
    await page.getByRole('button', { name: 'Go to where you stopped reading' }).click();
    await page.waitForFunction((element) => (element?.scrollTop ?? 0) > 400, await scroller.elementHandle());

    await page.getByRole('button', { name: 'Notes (1)' }).click();
    await dialog.getByRole('button', { name: 'Delete the note at “The end.”' }).click();
    await answer(page, 'Delete');
    await dialog.getByText('Read it again').waitFor({ state: 'detached' });
    // Escape would close the offer to undo it, once that is shown.
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Notes', exact: true }).waitFor();
  });

  it('lead to other sites, to files, and to other lessons', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`);
    const outside = page.getByRole('link', { name: 'an example' });
    assert.equal(await outside.getAttribute('target'), '_blank');
    assert.equal(await outside.getAttribute('rel'), 'noopener noreferrer');
    assert.equal(await page.getByRole('link', { name: 'nowhere' }).count(), 0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'the notes' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'notes.txt');
    assert.equal(await readFile(await download.path(), 'utf8'), 'the notes');

    await page.getByRole('link', { name: 'down' }).click();
    await page.waitForURL((url) => url.hash === '#lesson-a-first-try');
    await page.getByRole('link', { name: 'the next lesson' }).click();
    await heading(page, 'Files');
    await page.waitForFunction(() => {
      const { top, bottom } = document.getElementById('lesson-second-part')?.getBoundingClientRect() ?? {};
      return top !== undefined && bottom !== undefined && top >= 0 && bottom <= innerHeight;
    });
  });

  it('can be used with the keyboard, and show the position', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`);
    await heading(page, 'Introduction');
    await page.getByRole('link', { name: /Next lesson Files/ }).waitFor();
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await heading(page, 'Files');
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    assert.match(await page.title(), /^Files · /);
    const current = tree(page).locator('[aria-current=page]');
    assert.match((await current.textContent()) ?? '', /^Files/);
    await page.keyboard.press('Alt+Shift+ArrowLeft');
    await heading(page, 'Introduction');
  });

  // Long: one hostile page is searched for each forbidden element.
  it('run no script and cover no other part of the page with any Markdown', async (t) => {
    const page = await visitors.come(t, { isNew: true });
    await page.addInitScript(() => {
      Object.assign(globalThis, { hacked: () => document.documentElement.setAttribute('data-hacked', '') });
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('blob:')) asked.push(request.url());
    });
    // It would never be idle.
    await page.route('**/api/notifications/events', (route) => route.fulfill({ status: 204 }));
    await visitors.openAs(page, await server.user(), `/lessons/${themes.hostile}`);
    await page.getByText('Before after.').waitFor();
    await page.getByRole('img', { name: 'fine' }).waitFor();
    await page.getByText('a paragraph').click();
    await page.getByText('a box').hover();
    await page.getByText('more', { exact: true }).click();
    await page.waitForLoadState('networkidle');

    const found = await page.locator('.lesson-text').evaluate((text) => {
      const elements = [...text.querySelectorAll('*')];
      const ours = (element: Element) => element.closest('.code-block, svg.lucide') !== null;
      return {
        names: [...new Set(elements.filter((element) => !ours(element)).map(({ tagName }) => tagName.toLowerCase()))],
        drawings: elements
          .filter(({ tagName }) => tagName === 'svg')
          .every(({ classList }) => classList.contains('lucide')),
        handlers: elements.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
        styles: elements.filter((element) => element.hasAttribute('style') && !ours(element)).length,
        classes: elements.filter(({ classList }) => classList.contains('fixed')).length,
        ids: elements.flatMap(({ id }) => (id === '' ? [] : [id])),
        links: [...text.querySelectorAll<HTMLAnchorElement>('a:not([href^="#"])')].map(({ protocol, target, rel }) =>
          [protocol, target, rel].join(' '),
        ),
        attributes: elements.some((element) =>
          ['contenteditable', 'accesskey', 'ping'].some((name) => element.hasAttribute(name)),
        ),
      };
    });
    assert.deepEqual(
      found.names.filter(
        (name) => !['p', 'a', 'span', 'img', 'details', 'summary', 'div', 'table', 'h2'].includes(name),
      ),
      [],
    );
    assert.deepEqual(
      { drawings: found.drawings, handlers: found.handlers, styles: found.styles, classes: found.classes },
      { drawings: true, handlers: [], styles: 0, classes: 0 },
    );
    assert.ok(
      found.ids.every((id) => id.startsWith('lesson-')),
      `${found.ids}`,
    );
    assert.deepEqual([...new Set(found.links)], ['https: _blank noopener noreferrer']);
    assert.equal(found.attributes, false);
    assert.equal(await page.locator('html[data-hacked]').count(), 0, 'a script of the lesson ran');
    assert.equal(await page.title(), 'Hostile · Learning platform');
    assert.deepEqual(asked, []);
    // In a block of code it is shown as text.
    await page.getByText('<script>hacked()</script>').waitFor();
    await assertAccessible(page, 'the hostile lesson');
  });

  it('report a missing file and a missing lesson', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.missing}`);
    await page.getByText('This file is not in the lessons repository.').waitFor();
    await page.getByText('It can be marked as completed when it has a text.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Mark as completed' }).count(), 0);
    await assertAccessible(page, 'a lesson without its file');
    await tree(page)
      .getByRole('link', { name: /^Files/ })
      .waitFor();
    const notFound = page.getByRole('heading', { name: 'Lesson not found' });
    await goTo(page, '/lessons/2000000');
    await notFound.waitFor();
    await page.goto('/lessons/nonsense');
    await notFound.waitFor();
    await visitors.openAs(page, admin, '/administration/courses');
    await page.getByText('1 file missing').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'linux/missing.md' });
    await row.getByText('File missing', { exact: true }).last().waitFor();
    await assertAccessible(page, 'the editor with a missing file');
  });

  it('show the footer together with the text, without a layout shift', async (t) => {
    const page = await visitors.come(t);
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/content', async (route) => {
      await held;
      await route.continue();
    });
    await visitors.openAs(page, await server.user(), `/lessons/${themes.files}`);
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    const mark = page.getByRole('button', { name: 'Mark as completed' });
    assert.equal(await mark.count(), 0);
    answer?.();
    await mark.waitFor();
  });

  it('are completed when the service has confirmed it, and not before', async (t) => {
    const student = await server.user();
    const page = await visitors.comeAs(t, student, `/lessons/${themes.files}`);
    const mark = page.getByRole('button', { name: 'Mark as completed' });
    await mark.waitFor();
    await tree(page).getByRole('link', { name: 'Files (Not completed)' }).waitFor();

    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/complete', async (route) => {
      await held;
      await route.continue();
    });
    await mark.click();
    await mark.and(page.locator('[aria-busy=true]')).waitFor();
    assert.equal(await tree(page).getByRole('link', { name: 'Files (Completed)' }).count(), 0);
    answer?.();
    await page.getByText(/^Completed on/).waitFor();
    await tree(page).getByRole('link', { name: 'Files (Completed)' }).waitFor();
    assert.equal((await server.get(`/api/lessons/themes/${themes.files}`, student.token)).body.is_completed, true);

    await page.unroute('**/complete');
    await page.route('**/complete', (route) => route.fulfill({ status: 503, json: { detail: 'Not now' } }));
    await page.getByRole('button', { name: 'Mark as not completed' }).click();
    await page.getByText('Not now', { exact: true }).first().waitFor();
    await page.unroute('**/complete');
    const markIncomplete = page.getByRole('button', { name: 'Mark as not completed' }).and(page.locator(':enabled'));
    await markIncomplete.click();
    await mark.waitFor();

    // Nothing is kept for later: the reader gets a message.
    await page.route('**/complete', (route) => route.abort());
    await mark.click();
    await page.getByText('The service cannot be reached').first().waitFor();
    await mark.and(page.locator(':enabled')).waitFor();
  });

  it('have a tree behind a button on a phone', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`, {
      viewport: phone,
      theme: 'dark',
    });
    await page.locator('.code-token').first().waitFor();
    await assertAccessible(page, 'a lesson on a phone');
    await page.getByRole('button', { name: 'Lessons', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Linux' });
    await assertAccessible(page, 'the tree on a phone');
    await dialog.getByRole('link', { name: /^Files/ }).click();
    await heading(page, 'Files');
    await dialog.waitFor({ state: 'detached' });
  });

  // Long: one page with a terminal, and each step continues in it.
  it('have code that can be copied, and run in a terminal beside them', { skip: engineSkip }, async (t) => {
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${themes.introduction}`, { viewport: phone });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.code-block').filter({ hasText: 'mkdir' });
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByText('Copied').waitFor();
    const commands = 'mkdir -p trial && cd trial\necho one \\\ntwo > list\ncat list';
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), commands);
    // Only shell commands have a button that runs them.
    assert.equal(await page.getByRole('button', { name: 'Run in my terminal' }).count(), 1);

    await block.getByRole('button', { name: 'Run in my terminal' }).click();
    await page.getByRole('button', { name: 'Create a sandbox' }).click();
    const terminal = page.getByRole('region', { name: 'Terminal' });
    await terminal.getByText('Connected', { exact: true }).waitFor();
    const shows = (wanted: string) =>
      page.waitForFunction(
        (text) => [...document.querySelectorAll('.xterm-rows > div')].some((row) => row.textContent?.trim() === text),
        wanted,
      );
    await shows('one two');
    // The text now has half of the height, and the block stays visible.
    await page.waitForFunction(
      (element) => {
        const { top, bottom } = element?.getBoundingClientRect() ?? { top: -1, bottom: Number.POSITIVE_INFINITY };
        return top > 0 && bottom < (document.querySelector('[role=separator]')?.getBoundingClientRect().top ?? 0);
      },
      await block.elementHandle(),
    );
    await assertAccessible(page, 'a lesson beside a terminal');

    // Without the menu, it has 80 columns at 1280 pixels.
    await page.setViewportSize(desktop);
    await page.getByRole('button', { name: 'Hide the menu' }).click();
    await terminal.getByRole('textbox', { name: 'Terminal' }).focus();
    await page.keyboard.type('until [ "$(tput cols)" -ge 80 ]; do sleep 0.1; done; echo wide-$((1 + 1))\n');
    await shows('wide-2');
    await page.setViewportSize(phone);

    // The terminal stays open in the next lesson.
    await page.getByRole('link', { name: /Next lesson/ }).click();
    await heading(page, 'Files');
    await shows('one two');
    await page.getByRole('button', { name: 'Close the terminal' }).click();
    await terminal.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open a terminal' }).waitFor();
  });
});
