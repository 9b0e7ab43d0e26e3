import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { itLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, logIn, Visitors } from './browser.ts';
import { desktop, phone } from './page-pool.ts';
import { connected, enter, run, shows, terminal } from './shell.ts';

describe('sandboxes and their terminal', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    const admin = await server.user('admin');
    const template = {
      name: 'Linux',
      description: 'A small machine',
      image: 'platform-sandbox',
      memory_mb: 256,
      cpus: 1,
    };
    const made = await server.post('/api/admin/sandbox-templates', admin.token, template);
    assert.equal(made.status, 201, made.text);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  /** Creates a sandbox of a user. @returns its id */
  async function sandboxOf(user: TestUser): Promise<number> {
    const made = await server.post('/api/containers/create', user.token);
    assert.equal(made.status, 201, made.text);
    return made.body.id;
  }

  it('are created, used, stopped, started and deleted', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), '/sandboxes');
    await page.getByText('You have no sandbox yet').waitFor();
    await page
      .getByRole('button', { name: /^Create a sandbox/ })
      .first()
      .click();
    await page.waitForURL(/\/sandboxes\/\d+$/);
    await connected(page);
    await enter(page, 'echo $((6 * 7)) > answer; cat answer');
    await shows(page, '42');

    await page.getByRole('link', { name: 'Sandboxes' }).first().click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('link', { name: 'Terminal' }).click();
    await connected(page);
    // A screen from before the stop would show the answer alone.
    await enter(page, 'echo ag""ain-$(cat answer)');
    await shows(page, 'again-42');

    await page.getByRole('link', { name: 'Sandboxes' }).first().click();
    await page.getByRole('button', { name: /^Delete/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('All its files are lost.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You have no sandbox yet').waitFor();
  });

  it('reconnects to the same shell with a notice, even after a reload', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.come(t, { isNew: true });
    // Cuts the connection between the page and the service, like a network.
    let isCut = false;
    const cuts: (() => Promise<void>)[] = [];
    await page.routeWebSocket(/\/ws\/terminal\//, async (socket) => {
      if (isCut) return await socket.close({ code: 1006 });
      socket.connectToServer();
      cuts.push(() => socket.close({ code: 4000 }));
    });
    await visitors.openAs(page, user, `/sandboxes/${id}`);
    await connected(page);
    // Input is lost if the connection is cut before it has been sent.
    await run(page, 'kept=still-$((40 + 2)); clear; echo rea""dy', 'ready');

    isCut = true;
    await cuts.at(-1)?.();
    await page.getByText('Connection lost. Reconnecting').waitFor();
    isCut = false;
    await connected(page);
    await enter(page, 'echo $kept');
    await shows(page, 'still-42');

    await page.reload();
    await connected(page);
    await shows(page, 'still-42');
  });

  it('sends what was typed while its connection closes on the next one', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t, { isNew: true });
    // The page's own connection, before the service has answered its close.
    await page.addInitScript(() => {
      const Original = WebSocket;
      Object.assign(globalThis, {
        WebSocket: class extends Original {
          constructor(...given: ConstructorParameters<typeof Original>) {
            super(...given);
            Object.assign(globalThis, { lastSocket: this });
          }
        },
      });
    });
    await visitors.openAs(page, user, `/sandboxes/${await sandboxOf(user)}`);
    await run(page, 'clear; echo rea""dy', 'ready');
    await page.evaluate(() => {
      const { lastSocket } = globalThis as unknown as { lastSocket: WebSocket };
      lastSocket.close(4000);
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'echo $((6 * 7))-kept');
      const box = document.querySelector('.xterm-helper-textarea') ?? document.body;
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('Connection lost. Reconnecting').waitFor();
    await connected(page);
    await enter(page, '');
    await shows(page, '42-kept');
  });

  itLong('says when the previous shell has ended and a new one is shown', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.comeAs(t, user, `/sandboxes/${id}`);
    await connected(page);
    const note = page.getByText('The previous shell has ended. This is a new one.');
    assert.equal(await note.count(), 0);
    // A shell that is still living would be continued instead.
    await enter(page, 'exit');
    await page.getByText('The shell has ended.').waitFor();
    await page.evaluate((key) => sessionStorage.setItem(key, 'no-such-shell'), `terminal-${id}`);
    await page.reload();
    await note.waitFor();
    await enter(page, 'echo $((6 * 7))');
    await shows(page, '42');
  });

  itLong('accepts a paste of two megabytes completely', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`);
    await connected(page);
    const text = `${'a line of what is pasted'.padEnd(79, '.')}\n`.repeat(26_000);
    await enter(page, `stty -echo; clear; echo re""ad; head -c ${text.length} | sha256sum | cut -c1-16; stty sane`);
    await shows(page, 'read');
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('.xterm-helper-textarea')?.dispatchEvent(event);
    }, text);
    // No shell that would show them first reads these lines.
    await answer(page, 'Paste');
    await shows(page, createHash('sha256').update(text).digest('hex').slice(0, 16));
  });

  itLong('waits for a login after a refused token, then continues in the same shell', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.comeAs(t, user, `/sandboxes/${id}`);
    await connected(page);
    await run(page, 'kept=mine-$((40 + 2)); clear; echo rea""dy', 'ready');
    await server.post('/api/auth/logout', user.token);
    // The service checks the tokens of open terminals at intervals. A new request is refused immediately.
    await page.getByRole('link', { name: 'Sandboxes' }).first().click();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await logIn(page, user);
    await page.getByRole('link', { name: 'Terminal' }).click();
    await connected(page);
    await enter(page, 'echo $kept');
    await shows(page, 'mine-42');
  });

  // Long: one bar in two widths, with the search over it.
  itLong('has one bar, which folds on a phone, and a search that floats over it', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`);
    await run(page, 'clear; echo rea""dy', 'ready');
    /** The rows between the top of the page's content and the screen, in pixels, and the size of the screen. */
    const sizes = () =>
      page.evaluate(() => {
        const top = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
        const screen = document.querySelector('[data-terminal]')?.getBoundingClientRect();
        return { above: (screen?.top ?? 0) - top, width: screen?.width, height: screen?.height };
      });
    const one = await sizes();
    assert.ok(one.above <= 56, `${one.above} pixels above the screen`);
    const bar = terminal(page);
    await bar.getByRole('heading', { level: 1, name: `user-${user.id}-sandbox` }).waitFor();
    for (const name of [/^New shell/, /^Find/, /^Full screen/, /^Larger text/, /^Reset/]) {
      const button = bar.getByRole('button', { name });
      const box = await button.boundingBox();
      assert.ok(box && box.width >= 24 && box.height >= 24, `${name} is too small`);
      assert.match((await button.getAttribute('title')) ?? '', name);
    }
    await bar.getByRole('button', { name: 'New shell' }).click();
    await bar.getByRole('navigation', { name: 'Shells of this machine' }).waitFor();
    await bar.getByRole('button', { name: /^Find/ }).click();
    await page.getByRole('textbox', { name: 'Find in the terminal' }).fill('x');
    assert.deepEqual(await sizes(), one);
    await page.keyboard.press('Escape');

    await page.setViewportSize(phone);
    await bar.getByRole('button', { name: /^Find/ }).waitFor({ state: 'hidden' });
    assert.equal((await sizes()).above, one.above);
    await bar.getByRole('button', { name: 'Shells, files and settings' }).click();
    for (const name of [/^Find/, /^Full screen/, /^Larger text/, /^Reset/])
      await page.getByRole('menuitem', { name }).waitFor();
    await assertAccessible(page, 'the menu of a narrow bar');
    await page.getByRole('menuitem', { name: /^Full screen/ }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await until(async () => (await bar.boundingBox())?.height === phone.height, 'the full screen');
  });

  itLong('fills the window, where Escape belongs to the shell, and keeps its shell', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, `/sandboxes/${await sandboxOf(user)}`);
    await run(page, 'kept=still-$((40 + 2)); clear; echo rea""dy', 'ready');
    const fills = async () => {
      const box = await terminal(page).boundingBox();
      return box?.x === 0 && box.y === 0 && box.width === desktop.width && box.height === desktop.height;
    };
    await page.getByRole('button', { name: /^Full screen/ }).click();
    await page.getByRole('button', { name: 'Leave the full screen' }).waitFor();
    assert.ok(await fills());
    // Nothing behind the terminal can be focused.
    const link = page.getByRole('link', { name: 'Sandboxes' }).first();
    await link.evaluate((element) => element.focus());
    assert.equal(await link.evaluate((element) => element === document.activeElement), false);
    await assertAccessible(page, 'a terminal that fills the window');
    await run(page, 'echo rea""ding; cat -v', 'reading');
    await page.keyboard.press('Escape');
    await page.keyboard.type('<escape\n');
    await shows(page, '^[<escape^[<escape');
    assert.ok(await fills());
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByRole('button', { name: /^Full screen/ }).waitFor();
    assert.ok(!(await fills()));
    await enter(page, 'echo $kept');
    await shows(page, 'still-42');
  });

  itLong('can be left with the keyboard, searched, and fits a phone', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.comeAs(t, user, `/sandboxes/${id}`, { viewport: phone });
    await connected(page);
    await enter(page, 'stty size; seq 100 199');
    // The command itself contains 199.
    await shows(page, '198');
    const size = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok((size[0] ?? 0) <= (size[1] ?? 0), `the page is ${size[0]} wide`);

    // The buttons are folded into the menu, which begins with the search.
    await page.keyboard.press('Control+Shift+ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Find in the terminal' }).press('Enter');
    const finder = page.getByRole('textbox', { name: 'Find in the terminal' });
    await finder.fill('nowhere');
    await finder.press('Enter');
    await page.getByText('Not found').waitFor();
    await finder.fill('150');
    await finder.press('Enter');
    await page.getByText('Not found').waitFor({ state: 'detached' });
    // The focus returns to the shell. Typing scrolls to its last lines.
    await finder.press('Escape');
    await page.keyboard.type('exit\n');
    await page.getByText('The shell has ended.').waitFor();
    await page.getByRole('button', { name: 'Open a new shell' }).click();
    await connected(page);
  });

  itLong('warns of a full disk, and reports a stop because of it', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.come(t, { isNew: true });
    let toPage: ((message: string) => void) | undefined;
    let close: (() => Promise<void>) | undefined;
    await page.routeWebSocket(/\/ws\/terminal\//, (socket) => {
      socket.connectToServer();
      toPage = (message) => socket.send(message);
      close = () => socket.close({ code: 4410 });
    });
    await visitors.openAs(page, user, `/sandboxes/${id}`);
    await connected(page);
    toPage?.(JSON.stringify({ type: 'notice', reason: 'disk', seconds_left: null }));
    await page.getByText('The disk of this machine is nearly full.').waitFor();
    await close?.();
    await page.getByText('This machine was stopped because its disk was full.').waitFor();
  });

  it('reports the state of a container', async (t) => {
    const user = await server.user();
    const id = await sandboxOf(user);
    const page = await visitors.comeAs(t, user, `/sandboxes/${id}`);
    await connected(page);
    await server.request('DELETE', `/api/containers/${id}`, { token: user.token });
    await page.getByText('This machine no longer exists, or its time is up.').waitFor();
  });
});
