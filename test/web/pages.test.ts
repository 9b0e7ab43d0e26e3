import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openSession } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong, isFull } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip } from './browser.ts';
import { desktop, type PageOptions, phone } from './page-pool.ts';
import { goInPage, pendingRequests } from './resting-page.ts';
import { School } from './school.ts';
import { run } from './shell.ts';
import { assertWithinWindow } from './within-window.ts';

type Look = { role: keyof School['people'] | 'nobody'; path: (ids: School['ids']) => string; picture?: string };

/** Every page. `picture` names its picture in the documentation. */
const looks: readonly Look[] = [
  { role: 'nobody', path: () => '/login' },
  { role: 'nobody', path: () => '/register' },
  { role: 'nobody', path: () => '/invitation' },
  ...['/forgot-password', '/reset-password#x', '/confirm-address#x'].map((path) => ({
    role: 'nobody' as const,
    path: () => path,
  })),
  { role: 'nobody', path: () => '/verify/00000000-0000-4000-8000-000000000000' },
  { role: 'nobody', path: () => '/welcome' },
  { role: 'student', path: () => '/', picture: 'dashboard' },
  { role: 'student', path: () => '/courses' },
  { role: 'student', path: ({ course }) => `/courses/${course}`, picture: 'course' },
  { role: 'student', path: ({ theme }) => `/lessons/${theme}`, picture: 'reader' },
  { role: 'student', path: () => '/sandboxes' },
  { role: 'student', path: ({ sandbox }) => `/sandboxes/${sandbox}` },
  { role: 'student', path: ({ laboratory }) => `/laboratories/${laboratory}`, picture: 'laboratory' },
  { role: 'student', path: ({ laboratoryAttempt }) => `/laboratories/results/${laboratoryAttempt}` },
  { role: 'student', path: () => '/exams' },
  { role: 'student', path: ({ exam }) => `/exams/${exam}` },
  { role: 'student', path: ({ examAttempt }) => `/exams/results/${examAttempt}`, picture: 'results' },
  { role: 'student', path: () => '/classes' },
  { role: 'student', path: ({ schoolClass }) => `/classes/${schoolClass}` },
  { role: 'student', path: ({ schoolClass }) => `/classes/${schoolClass}?tab=grades` },
  { role: 'student', path: () => '/announcements' },
  { role: 'student', path: () => '/notes' },
  { role: 'student', path: () => '/profile' },
  { role: 'student', path: () => '/no-such-page' },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}`, picture: 'class' },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}?tab=members` },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}?tab=exams` },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}?tab=progress` },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}?tab=grades` },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}?tab=settings` },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}/grades/statistics` },
  { role: 'instructor', path: ({ schoolClass }) => `/classes/${schoolClass}/grades/comparison?with=${schoolClass}` },
  { role: 'instructor', path: () => '/', picture: 'teaching' },
  { role: 'admin', path: () => '/', picture: 'administration' },
  { role: 'instructor', path: () => '/plan-exam', picture: 'plan' },
  { role: 'instructor', path: () => '/plan-exam?is_for_chosen=true' },
  { role: 'instructor', path: () => '/teaching/grade-book', picture: 'grade-book' },
  { role: 'instructor', path: () => '/teaching/attempts' },
  { role: 'instructor', path: () => '/teaching/regrades' },
  { role: 'instructor', path: ({ examAttempt }) => `/teaching/attempts/${examAttempt}`, picture: 'attempt' },
  { role: 'instructor', path: ({ examAttempt }) => `/teaching/attempts/${examAttempt}?tab=recordings` },
  { role: 'instructor', path: ({ examAttempt }) => `/teaching/attempts/${examAttempt}?tab=history` },
  { role: 'instructor', path: () => '/teaching/grading' },
  { role: 'instructor', path: () => '/teaching/courses' },
  { role: 'instructor', path: () => '/teaching/live' },
  { role: 'instructor', path: ({ sandbox }) => `/teaching/live/${sandbox}` },
  { role: 'admin', path: () => '/announcements' },
  { role: 'admin', path: () => '/administration/users', picture: 'users' },
  { role: 'admin', path: ({ user }) => `/administration/users/${user}` },
  { role: 'admin', path: ({ user }) => `/administration/users/${user}?tab=attempts` },
  { role: 'admin', path: ({ user }) => `/administration/users/${user}?tab=sandboxes` },
  { role: 'admin', path: ({ user }) => `/administration/users/${user}?tab=activity` },
  { role: 'admin', path: ({ user }) => `/administration/users/${user}?tab=settings` },
  { role: 'admin', path: () => '/administration/registration-codes' },
  { role: 'admin', path: () => '/administration/identity-providers' },
  { role: 'admin', path: () => '/administration/lti' },
  { role: 'student', path: () => '/lti' },
  { role: 'admin', path: () => '/administration/webhooks' },
  { role: 'admin', path: () => '/administration/service-accounts' },
  { role: 'admin', path: () => '/administration/courses', picture: 'course-editor' },
  { role: 'admin', path: () => '/administration/repositories' },
  { role: 'admin', path: () => '/administration/written-lessons' },
  { role: 'admin', path: ({ writtenLesson }) => `/administration/written-lessons/${writtenLesson}` },
  { role: 'admin', path: () => '/administration/exams' },
  { role: 'admin', path: ({ exam }) => `/administration/exams/${exam}`, picture: 'exam-editor' },
  { role: 'admin', path: ({ exam }) => `/administration/exams/${exam}?tab=texts` },
  { role: 'admin', path: ({ exam }) => `/administration/exams/${exam}?tab=machine` },
  { role: 'admin', path: ({ exam }) => `/administration/exams/${exam}?tab=trial` },
  { role: 'admin', path: ({ exam }) => `/administration/exams/${exam}?tab=settings` },
  { role: 'admin', path: () => '/administration/laboratories' },
  { role: 'admin', path: ({ laboratory }) => `/administration/laboratories/${laboratory}` },
  { role: 'admin', path: () => '/administration/templates' },
  { role: 'admin', path: () => '/administration/templates?tab=images' },
  { role: 'admin', path: () => '/administration/containers' },
  { role: 'admin', path: () => '/administration/activity' },
  { role: 'admin', path: () => '/administration/deletions' },
  { role: 'admin', path: () => '/administration/mails' },
  { role: 'admin', path: () => '/administration/settings' },
  { role: 'admin', path: () => '/administration/system', picture: 'system' },
];

/** What is pressed on each page. Links are pages of their own. */
const buttons = 'main :is(button, summary, [role=tab], [role=switch])';
const refused = { status: 503, json: { detail: 'Not now' }, headers: { 'Error-Code': 'unavailable' } };

/** `PICTURES=true npm run test:long -- test/web/pages.test.ts` replaces the pictures of the documentation. */
const pictures = process.env['PICTURES'] === 'true' ? join(import.meta.dirname, '../../docs/pictures') : undefined;

describeLong('every page', { skip: browserSkip || engineSkip, timeout: 1_200_000 }, () => {
  let school: School;
  before(async () => {
    school = await School.open();
  });
  after(() => school?.[Symbol.asyncDispose]());

  const desk = { place: 'a desk', viewport: desktop };
  const hand = { place: 'a phone', viewport: phone };
  /** A desktop with a zoom of 200 %, by its width: pages scroll down. */
  const zoomed = { place: 'a zoomed desk', viewport: { width: desktop.width / 2, height: desktop.height } };
  /** Themes and widths. axe checks two pairs, in full runs all. */
  const ways = [
    { ...desk, theme: 'light', isLookedAt: true },
    { ...desk, theme: 'dark', isLookedAt: isFull },
    { ...hand, theme: 'light', isLookedAt: isFull },
    { ...hand, theme: 'dark', isLookedAt: true },
    { ...zoomed, theme: 'light', isLookedAt: false },
  ] as const;

  /** Adds what is refused to a page from now on. */
  const watchRefusals = (page: Page, refusals: string[], path: () => string): unknown =>
    page.on('response', (answer) => {
      if (answer.status() >= 400) refusals.push(`${answer.status()} ${new URL(answer.url()).pathname} of ${path()}`);
    });

  it('is accessible, on a desktop and a phone, in both themes, and requests nothing that is refused', async (t) => {
    const refusals: string[] = [];
    const visited = visit(t, { isNew: true }, (page, path) => watchRefusals(page, refusals, path));
    for await (const { page, path, picture } of visited) {
      for (const { place, viewport, theme, isLookedAt } of ways) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(`html[data-theme=${theme}]`).waitFor();
        const where = `${path} on ${place}, ${theme}`;
        await assertWithinWindow(page, where);
        if (isLookedAt) await assertAccessible(page, where);
        if (picture && viewport === desktop && (theme === 'light') !== (picture === 'reader'))
          await takePicture(page, picture === 'reader' ? 'reader-dark' : picture);
      }
    }
    assert.deepEqual(refusals, [
      '403 /api/auth/invitation of /invitation',
      '404 /api/certificates/00000000-0000-4000-8000-000000000000 of /verify/00000000-0000-4000-8000-000000000000',
    ]);
  });

  it('requests nothing that is refused of a course that was hidden', async (t) => {
    const refusals: string[] = [];
    // Who has an exam in a session sees it, although its course is hidden. The work of before stays.
    const { server, visitors, people, ids } = school;
    const { admin, student } = people;
    const hidden = { name: 'Hidden', is_active: false };
    const course = await server.post('/api/admin/lessons/courses', admin.token, hidden);
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course.body.id });
    await openSession(server, admin, { exam_id, class_id: ids.schoolClass });
    const change = (is_active: boolean) =>
      server.put(`/api/admin/lessons/courses/${ids.course}`, admin.token, { is_active });
    await change(false);
    const page = await visitors.come(t, { isNew: true });
    watchRefusals(page, refusals, () => page.url());
    for (const path of [
      ...['/', '/courses', '/exams', `/exams/${exam_id}`, `/exams/results/${ids.examAttempt}`],
      ...[`/laboratories/results/${ids.laboratoryAttempt}`, `/classes/${ids.schoolClass}`, '/sandboxes', '/profile'],
    ]) {
      await visitors.openAs(page, student, path);
      await settled(page);
    }
    await change(true);
    assert.deepEqual(refusals, []);
  });

  // Long: the walk, and what a press may change.
  it('stays in the window after the wheel and after each of its buttons', async (t) => {
    const pressedOn = new Map<string, Set<string>>();
    for await (const { page, path, role } of visit(t, { isNew: true })) {
      // What the buttons would change is refused: the walk goes on with the same data, and the pages show the refusals as well.
      await page.route(
        ({ pathname }) => pathname.startsWith('/api/') && pathname !== '/api/auth/refresh',
        (route) => (route.request().method() === 'GET' ? route.continue() : route.fulfill(refused)),
      );
      await page.mouse.move(800, 500);
      await page.mouse.wheel(0, 20_000);
      await assertWithinWindow(page, `${path} after the wheel`);
      const pathname = path.replace(/[?#].*/, '');
      const place = `${role} ${pathname}`;
      const pressed = pressedOn.get(place) ?? new Set();
      pressedOn.set(place, pressed);
      const count = await page.locator(buttons).count();
      for (let index = 0; index < count; index += 1) {
        const button = page.locator(buttons).nth(index);
        // It may go while the page rests: what the button before it has opened is closed.
        if (!(await button.isVisible()) || !(await button.isEnabled({ timeout: 1000 }).catch(() => false))) continue;
        // A click through the document: what covers a button for a moment does not matter here. In one step: a list that is read again may
        // take the button away. The rows of a list have the same buttons, and so have the tabs of a page: each is pressed once.
        const name = await button.evaluate(
          (element, known) => {
            const words = (element.textContent || element.ariaLabel || '').replaceAll(/\d+/g, '0');
            if (words !== '' && known.includes(words)) return null;
            if (element instanceof HTMLElement) element.click();
            return words;
          },
          isFull ? [] : [...pressed],
        );
        if (name === null) continue;
        pressed.add(name);
        await restOf(page);
        await assertWithinWindow(page, `${path} after “${name}”`);
        await page.keyboard.press('Escape');
        await restOf(page);
        if (new URL(page.url()).pathname !== pathname) {
          await page.goto(path);
          await settled(page);
        }
      }
      await page.unrouteAll();
    }
  });

  for (const [language, name] of [
    ['de', 'German'],
    ['ru', 'Russian'],
  ] as const)
    it(`fits a phone in ${name}, whose words are longer`, async (t) => {
      for await (const { page, path } of visit(t, { viewport: phone, language, theme: 'dark' })) {
        await assertWithinWindow(page, path);
      }
    });

  it('shows a lesson and an exam beside their terminals', async (t) => {
    const { visitors, ids, server } = school;
    // Another student: in the machine of the first, commands of the lesson run, whose buttons other tests click.
    const page = await visitors.comeAs(t, await server.user(), `/lessons/${ids.theme}`);
    await page.getByRole('button', { name: 'Open a terminal' }).click();
    await run(page, 'ls -l /etc | sort -k5 -n | tail -n 5', 'root');
    await assertAccessible(page, 'a lesson with a terminal');
    await takePicture(page, 'lesson');
    await page.goto(`/exams/${ids.exam}`);
    await page.getByRole('button', { name: 'Start the exam' }).click();
    await answer(page, 'Start');
    await run(page, 'mkdir -p project/{bin,docs}; ls -l project', 'drwx');
    await assertAccessible(page, 'an exam with its terminal');
    await takePicture(page, 'exam');
    await page.getByRole('button', { name: 'Give up' }).click();
    await answer(page, 'Give up');
    await page.getByRole('button', { name: 'Start the exam' }).waitFor();
  });

  /** Opens one page after the other with the role that it is for, and waits until it is complete. */
  async function* visit(
    t: TestContext,
    options: PageOptions = {},
    watch: (page: Page, path: () => string) => unknown = () => {},
  ) {
    let current = '';
    const pages = new Map<Look['role'], Page>();
    for (const { role, path: pathOf, picture } of looks) {
      const { visitors, people } = school;
      const known = pages.get(role);
      const page = known ?? (await visitors.come(t, options));
      pages.set(role, page);
      const path = pathOf(school.ids);
      current = path;
      if (!known) watch(page, () => current);
      if (options.viewport === undefined) await page.setViewportSize(desktop);
      // A navigation within the page is cheaper than a load. The first visit of each page is a load.
      if (!known && role !== 'nobody') {
        await visitors.openAs(page, people[role], path);
      } else if (options.language === undefined || !known) await page.goto(path);
      else await page.evaluate(goInPage, path);
      await settled(page);
      const { pathname, search } = new URL(page.url());
      const wanted = path.replace(/#.*/, '');
      assert.equal(path.includes('?') ? `${pathname}${search}` : pathname, wanted, `${path} leads elsewhere`);
      yield { page, path, role, picture };
    }
  }

  async function takePicture(page: Page, name: string): Promise<void> {
    if (!pictures) return;
    await mkdir(pictures, { recursive: true });
    const png = await page.screenshot();
    await sharp(png)
      .png({ palette: true, quality: 80, effort: 10 })
      .toFile(join(pictures, `${name}.png`));
  }
});

/** Waits until a page is complete: it has no pending request, even after it has drawn the last answer. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await restOf(page);
}

/** As `settled`, also while a dialog hides the headings of the page. */
async function restOf(page: Page): Promise<void> {
  const isAtRest = async (): Promise<boolean> => {
    const looked = page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return document.querySelector('[role=status] .sr-only, .animate-pulse, [aria-busy=true]') === null;
    });
    // A page that loads again by itself is not at rest.
    const isWhole = await looked.catch(() => false);
    // The stream of notifications stays open.
    const pending = pendingRequests(page).filter((request) => !request.url().endsWith('/api/notifications/events'));
    return isWhole && pending.length === 0;
  };
  await until(async () => (await isAtRest()) && (await isAtRest()), `${page.url()} to be at rest`);
}
