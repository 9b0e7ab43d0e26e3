import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { chromium } from 'playwright-core';
import { ForgingPlatform, instructor, learner, lti } from '../lti/forging-platform.ts';
import { begin } from '../lti/launches.ts';
import { startWithProviders } from '../oidc/logins.ts';
import { describeLong } from '../rounds.ts';
import type { TestServer, TestUser } from '../server.ts';
import { browserSkip, executablePath, Visitors } from './browser.ts';

/** A browser that keeps no cookies of other sites, as most do by now. */
const strict = () =>
  chromium.launch({
    executablePath: executablePath ?? '',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--test-third-party-cookie-phaseout'],
  });

describeLong(
  'launches from a platform, in a browser without third-party cookies',
  {
    skip: browserSkip,
    timeout: 600_000,
  },
  () => {
    let server: TestServer;
    let platform: ForgingPlatform;
    let admin: TestUser;
    before(async () => {
      server = await startWithProviders();
      platform = await new ForgingPlatform().start();
      admin = await server.user('admin');
    });
    after(async () => {
      await server?.[Symbol.asyncDispose]();
      await platform?.[Symbol.asyncDispose]();
    });

    const teacher = {
      sub: 'teacher',
      email: 'teacher@school.example.com',
      name: 'Tina Teacher',
      [lti('roles')]: [instructor],
    };
    const student = {
      sub: 'student',
      email: 'student@school.example.com',
      name: 'Sam Student',
      [lti('roles')]: [learner],
    };
    const says = (claims: object) => {
      platform.next = (query) => platform.honest(query.get('nonce') ?? '', server.url, claims);
      const hints = { iss: platform.origin, client_id: platform.clientId, login_hint: '1' };
      platform.link = `${server.url}/api/lti/login?${new URLSearchParams(hints).toString().replaceAll('&', '&amp;')}`;
    };

    // Long: the way of an administrator who adds it, of the teacher of a course, and of a student.
    it('begin with an administrator, then a teacher chooses, then a student learns, in frames', async (t) => {
      const desk = await new Visitors(server).comeAs(t, admin, '/administration/lti');
      await desk.getByRole('button', { name: 'Add by hand' }).click();
      const dialog = desk.getByRole('dialog');
      const fields = {
        ...{ Name: 'Moodle', 'Issuer (platform ID)': platform.origin, 'Client ID': platform.clientId },
        ...{ 'Authentication request URL': `${platform.origin}/auth`, 'Access token URL': `${platform.origin}/token` },
        'Public keyset URL of the system': `${platform.origin}/keys`,
      };
      for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
      await dialog.getByLabel('Deployment IDs').fill('1');
      await dialog.getByLabel('Teachers of its courses become instructors here').check();
      await dialog.getByRole('button', { name: 'Add by hand' }).click();
      await desk.getByRole('button', { name: 'Test Moodle' }).click();
      // A note, no failure.
      await desk.getByText('No address may show this service in a frame: it opens in a window.').waitFor();
      await desk.getByText('The system answers and gives access tokens.').waitFor();
      await desk.getByRole('button', { name: 'Edit Moodle' }).click();
      await dialog.getByLabel('Addresses that may show this service').fill(platform.origin);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await desk.getByRole('button', { name: 'Test Moodle' }).click();
      await desk.getByText('No address may show this service').waitFor({ state: 'detached' });
      await desk.getByText('The system answers and gives access tokens.').waitFor();

      const browser = await strict();
      t.after(() => browser.close());
      const page = await (await browser.newContext()).newPage();
      const frame = page.frameLocator('iframe');
      says(teacher);
      await page.goto(`${platform.origin}/course`);
      await frame.getByRole('heading', { name: 'Which class follows the course “Linux”?' }).waitFor();
      await frame.getByRole('button', { name: 'Use this class' }).click();
      await frame.getByText('The class has no lessons').waitFor();
      const made = await server.application.db.selectFrom('classes').select('id').executeTakeFirstOrThrow();
      const fresh = async (path: string, json: object) =>
        (await server.post(path, admin.token, json)).body.id as number;
      const courseId = await fresh('/api/admin/lessons/courses', { name: 'Linux' });
      const sectionId = await fresh('/api/admin/lessons/sections', { name: 'Files', course_id: courseId });
      await fresh('/api/admin/lessons/themes', { title: 'Paths', markdown_file_path: 'a.md', section_id: sectionId });
      await server.put(`/api/classes/${made.id}`, admin.token, { course_ids: [courseId] });
      await page.goto(`${platform.origin}/course`);
      await frame.getByRole('button', { name: 'Choose Paths' }).click();
      await frame.getByRole('heading', { name: 'Paths' }).first().waitFor();

      says(student);
      const other = await (await browser.newContext()).newPage();
      await other.goto(`${platform.origin}/course`);
      const lesson = other.frameLocator('iframe');
      await lesson.getByRole('heading', { name: 'Paths' }).first().waitFor();
      // The session is that of the frame: the browser is not logged in, and no cookie of another site was kept.
      await lesson.getByRole('link', { name: 'Classes' }).first().click();
      await lesson.getByRole('link', { name: 'Linux' }).first().waitFor();
      await other.goto(`${server.url}/classes`);
      await other.getByLabel('Username or email').waitFor();
      assert.deepEqual(
        (await other.context().cookies()).map(({ name }) => name),
        [],
      );

      // A link that the teacher makes, which the platform gets back.
      says({
        ...{ ...teacher, [lti('resource_link')]: undefined, [lti('message_type')]: 'LtiDeepLinkingRequest' },
        'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': {
          ...{ deep_link_return_url: `${platform.origin}/return`, accept_types: ['ltiResourceLink'] },
        },
      });
      await page.goto(`${platform.origin}/course`);
      await frame.getByRole('button', { name: 'Choose Paths' }).click();
      await frame.getByRole('heading', { name: 'Back in the course' }).waitFor();
      assert.match(platform.posted.at(-1)?.body ?? '', /^JWT=ey/);
    });

    it('are confirmed where the browser cannot show that it has begun them', async (t) => {
      const browser = await strict();
      t.after(() => browser.close());
      const page = await (await browser.newContext()).newPage();
      says({ ...student, sub: 'wary', email: 'wary@school.example.com', name: 'Wary Student' });
      // Begun elsewhere, as somebody does who wants another to work in their account.
      platform.link = (await begin(server, platform)).location.href.replaceAll('&', '&amp;');
      await page.goto(`${platform.origin}/course`);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { name: 'Are you Wary Student?' }).waitFor();
      await frame.getByRole('button', { name: 'Continue as Wary Student' }).click();
      await frame.getByRole('heading', { name: 'Paths' }).first().waitFor();
    });
  },
);
