import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after } from 'node:test';
import { type Browser, firefox } from 'playwright-core';
import { within } from '../within.ts';

const programs = ['firefox-esr', 'firefox'];
/** Playwright's own build of Firefox is not needed: it speaks WebDriver BiDi with the one of the system. */
const firefoxPath = (): string | undefined =>
  process.env['FIREFOX'] ?? programs.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** The oldest version that has the commands of WebDriver BiDi that Playwright uses. 140 lacks six of them. */
const oldestVersion = 153;

/** For `describe`'s `skip`: why tests in Firefox cannot run here, or false. Asks the program for its version. */
export function whyNoFirefox(): string | false {
  const path = firefoxPath();
  if (!path) return 'there is no Firefox (install the package firefox-esr)';
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const version = Number(/Firefox (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  return version >= oldestVersion ? false : `Firefox ${version} is too old (${oldestVersion} or newer is needed)`;
}

/** What Chromium gets as options of a context or of the program, and no WebGL, so that tests can read the terminal. */
const firefoxUserPrefs = {
  'layout.css.prefers-color-scheme.content-override': 1,
  'ui.prefersReducedMotion': 1,
  'webgl.disabled': true,
};

let launched: Promise<Browser> | undefined;

/** One browser for all test files of a process. */
export function launchFirefox(): Promise<Browser> {
  // The bridge runs on the Node of the tests.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  launched ??= firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(import.meta.dirname, 'firefox-bridge.ts'),
    env: { ...process.env, PATH: path, FIREFOX: firefoxPath() },
    firefoxUserPrefs,
  });
  return launched;
}

// The set-up of the tests also imports this file, in a process without tests.
if (process.env['NODE_TEST_CONTEXT']) {
  after(async () => {
    if (launched) await within(60_000, 'the end of Firefox', (await launched).close());
  });
}
