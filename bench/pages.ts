/**
 * Metrics of a first visit to the pages, with Lighthouse's settings for a phone: a processor slowed down four times, 1.6 Mbit/s,
 * 150 ms. Each page is opened in an empty browser, in turn with a bare React application (one element) that is built and compressed
 * in the same way.
 *
 * The first paint of ours is what the document itself shows while its scripts load. So the heading of the page, which React renders, is
 * measured as well, and how long the page takes until it shows its data.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { TestServer, type TestUser } from '../test/server.ts';
import { executablePath, logIn } from '../test/web/browser.ts';
import { median, prepareEnvironment, report } from './environment.ts';

const rounds = Number(process.env['ROUNDS'] ?? 7);
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: 750 * 128,
};
const processorSlowdown = 4;
/** As in test/web/first-load.test.ts. */
const maxScriptBytes = 135_000;

type Visit = { firstPaint: number; heading: number; whole: number; blocking: number; scriptBytes: number };
/** What the script below notes in the page. */
type Noted = { longTasks: number[]; headingAt?: number; wholeAt?: number };

/** A React application of one element, served compressed: the minimum cost of the stack. */
async function bareApplication(): Promise<{ url: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-application-'));
  // Below the project, so that React is found.
  const entry = 'bare-entry';
  const output = await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    logLevel: 'silent',
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry
            ? `import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
               createRoot(document.getElementById('root')).render(createElement('h1', null, 'A page'));`
            : undefined,
      },
    ],
    build: { outDir: folder, write: false, rollupOptions: { input: entry } },
  });
  await rm(folder, { recursive: true });
  const chunks = [output].flat().flatMap((one) => ('output' in one ? one.output : []));
  const code = chunks.find((chunk) => chunk.type === 'chunk')?.code;
  if (!code) throw new Error('The bare application was not built');
  const script = brotliCompressSync(code);
  const page = '<!doctype html><div id="root"></div><script type="module" src="/script.js"></script>';
  const server = createServer((request, response) => {
    if (request.url === '/script.js')
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'br' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bare application is not served');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** Opens an address in an empty browser and waits until its heading is present and the network is idle. */
async function visit(browser: Browser, url: string, user?: TestUser): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    if (user) {
      // Signed in first, then a load of the page itself, with nothing in the cache.
      await page.goto(new URL('/login', url).href);
      await logIn(page, user);
      await page.getByRole('button', { name: /Account/ }).waitFor();
    }
    const debuggerOf = await context.newCDPSession(page);
    await debuggerOf.send('Network.enable');
    await debuggerOf.send('Network.setCacheDisabled', { cacheDisabled: true });
    await debuggerOf.send('Network.emulateNetworkConditions', network);
    // A stream that stays open: with it, the network would never be idle.
    await debuggerOf.send('Network.setBlockedURLs', { urls: ['*/api/notifications/events*'] });
    await debuggerOf.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
    await page.addInitScript(() => {
      const noted = Object.assign(globalThis, { longTasks: [] }) as Noted;
      new PerformanceObserver((list) =>
        noted.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({ type: 'longtask', buffered: true });
      new MutationObserver(() => {
        if (document.querySelector('h1:not(#start h1)') === null) return;
        noted.headingAt ??= performance.now();
        if (document.querySelector('.animate-pulse') === null) noted.wholeAt ??= performance.now();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    return await page.evaluate(() => {
      const { longTasks, headingAt, wholeAt } = globalThis as unknown as Noted;
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      return {
        firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        heading: headingAt ?? Number.NaN,
        whole: wholeAt ?? Number.NaN,
        blocking: longTasks.reduce((sum, duration) => sum + Math.max(0, duration - 50), 0),
        scriptBytes: resources
          .filter(({ name }) => /\.js(\?|$)/.test(name))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      };
    });
  } finally {
    await context.close();
  }
}

if (!executablePath) throw new Error('This benchmark needs Chromium');
await using _environment = await prepareEnvironment();
await using server = await TestServer.start();
await using bare = await bareApplication();
const user = await server.user();
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath, args });
try {
  const pages: [name: string, path: string, user?: TestUser][] = [
    ['login', '/login'],
    ['dashboard', '/', user],
    ['courses', '/courses', user],
  ];
  for (const [name, path, visitor] of pages) {
    const ours: Visit[] = [];
    const theirs: Visit[] = [];
    for (let round = 0; round < rounds; round += 1) {
      theirs.push(await visit(browser, bare.url));
      ours.push(await visit(browser, server.url + path, visitor));
    }
    const of = (visits: Visit[], figure: keyof Visit) => median(visits.map((one) => one[figure]));
    const row = (what: string, figure: keyof Visit, unit: string, bound: string) =>
      report(`${what} of ${name} / of a bare React page`, of(ours, figure), of(theirs, figure), unit, bound);
    row('first contentful paint', 'firstPaint', 'ms', '≤ 1.8');
    row('heading', 'heading', 'ms', '≤ 1.8');
    row('whole page with its data', 'whole', 'ms', '');
    row('total blocking time', 'blocking', 'ms', '');
    row('compressed script', 'scriptBytes', 'B', `≤ ${maxScriptBytes} B`);
  }
} finally {
  await browser.close();
}
