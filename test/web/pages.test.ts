import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { engineSkip } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, desktop, phone } from './browser.ts';
import { School } from './school.ts';

type Look = { role: keyof School['people'] | 'nobody'; path: (ids: School['ids']) => string; picture?: string };

/** Every page, and which of them are shown in the documentation. */
const looks: readonly Look[] = [
  { role: 'nobody', path: () => '/login' },
  { role: 'nobody', path: () => '/register' },
  { role: 'student', path: () => '/', picture: 'dashboard' },
  { role: 'student', path: () => '/courses' },
  { role: 'student', path: ({ theme }) => `/lessons/${theme}`, picture: 'lesson' },
  { role: 'student', path: () => '/sandboxes' },
  { role: 'student', path: ({ sandbox }) => `/sandboxes/${sandbox}` },
  { role: 'student', path: ({ laboratory }) => `/laboratories/${laboratory}`, picture: 'laboratory' },
  { role: 'student', path: () => '/exams' },
  { role: 'student', path: ({ exam }) => `/exams/${exam}`, picture: 'exam' },
  { role: 'student', path: ({ examAttempt }) => `/exams/results/${examAttempt}`, picture: 'results' },
  { role: 'student', path: () => '/profile' },
  { role: 'student', path: () => '/no-such-page' },
  { role: 'instructor', path: () => '/teaching/grade-book', picture: 'grade-book' },
  { role: 'instructor', path: () => '/teaching/attempts' },
  { role: 'instructor', path: ({ examAttempt }) => `/teaching/attempts/${examAttempt}` },
  { role: 'instructor', path: () => '/teaching/live' },
  { role: 'instructor', path: ({ sandbox }) => `/teaching/live/${sandbox}` },
  { role: 'admin', path: () => '/administration/users', picture: 'users' },
  { role: 'admin', path: () => '/administration/courses', picture: 'course-editor' },
  { role: 'admin', path: () => '/administration/exams' },
  { role: 'admin', path: ({ exam }) => `/administration/exams/${exam}`, picture: 'exam-editor' },
  { role: 'admin', path: () => '/administration/laboratories' },
  { role: 'admin', path: ({ laboratory }) => `/administration/laboratories/${laboratory}` },
  { role: 'admin', path: () => '/administration/templates' },
  { role: 'admin', path: () => '/administration/containers' },
  { role: 'admin', path: () => '/administration/activity' },
  { role: 'admin', path: () => '/administration/system', picture: 'system' },
];

/** `PICTURES=true npm test -- test/web/pages.test.ts` takes the documentation's pictures anew. */
const pictures = process.env['PICTURES'] === 'true' ? join(import.meta.dirname, '../../docs/pictures') : undefined;

describe('every page', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let school: School;
  before(async () => {
    school = await School.open();
  });
  after(() => school?.[Symbol.asyncDispose]());

  const cases = [
    { name: 'on a desk, light', viewport: desktop, theme: 'light' },
    { name: 'on a desk, dark', viewport: desktop, theme: 'dark' },
    { name: 'on a phone, light', viewport: phone, theme: 'light' },
    { name: 'on a phone, dark', viewport: phone, theme: 'dark', language: 'ru' },
  ] as const;
  for (const { name, ...options } of cases) {
    it(`can be used by everybody, and fits, ${name}`, async (t) => {
      const pages = new Map<Look['role'], Page>();
      for (const { role, path: pathOf, picture } of looks) {
        let page = pages.get(role);
        if (!page) {
          page =
            role === 'nobody'
              ? await school.visitors.come(t, options)
              : await school.visitors.comeAs(t, school.people[role], '/', options);
          pages.set(role, page);
        }
        const path = pathOf(school.ids);
        await page.goto(path);
        await settled(page);
        const where = `${path} ${name}`;
        assert.equal(new URL(page.url()).pathname, path, `${where} leads elsewhere`);
        const { width, inner } = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          inner: innerWidth,
        }));
        assert.ok(width <= inner, `${where} is ${width} pixels wide`);
        await assertAccessible(page, where);
        if (pictures && picture && options.theme === 'light')
          await takePicture(page, `${picture}${options.viewport === phone ? '-phone' : ''}`);
        if (pictures && picture === 'lesson' && options.theme === 'dark' && options.viewport === desktop)
          await takePicture(page, 'lesson-dark');
      }
    });
  }

  async function takePicture(page: Page, name: string): Promise<void> {
    assert.ok(pictures);
    await mkdir(pictures, { recursive: true });
    const png = await page.screenshot();
    await sharp(png)
      .png({ palette: true, quality: 80, effort: 10 })
      .toFile(join(pictures, `${name}.png`));
  }
});

/** Waits until a page has fetched what it shows. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(
    () => document.querySelector('[role=status] .sr-only, .animate-pulse, [aria-busy=true]') === null,
  );
  await page.waitForLoadState('networkidle');
}
