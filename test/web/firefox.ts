import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after } from 'node:test';
import { type Browser, firefox } from 'playwright-core';
import { within } from '../within.ts';

const programs = ['firefox-esr', 'firefox'];
/** Playwright's own build of Firefox is not needed: it speaks WebDriver BiDi with the one of the system. */
export const firefoxPath =
  process.env['FIREFOX'] ?? programs.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** For `describe`'s `skip`: why tests in Firefox cannot run here, or false. */
export const firefoxSkip: string | false = firefoxPath
  ? false
  : 'there is no Firefox (install the package firefox-esr)';

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
    env: { ...process.env, PATH: path, FIREFOX: firefoxPath },
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
