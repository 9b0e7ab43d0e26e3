import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('laboratories in the tree of the course editor', { skip: browserSkip, timeout: 240_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let sections: number[];
  let practice: number;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
    const create = async (path: string, fields: object): Promise<number> => {
      const { status, body, text } = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
      assert.equal(status, 201, text);
      return body.id;
    };
    const course_id = await create('courses', { name: 'Linux' });
    sections = [
      await create('sections', { name: 'Files', course_id }),
      await create('sections', { name: 'Users', course_id }),
      await create('sections', { name: 'Services', course_id }),
    ];
    await create('themes', { title: 'Paths', section_id: sections[0], markdown_file_path: 'a.md' });
    practice = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], {
      title: 'Tidy up',
      section_id: sections[0],
    });
  });
  after(() => server?.[Symbol.asyncDispose]());

  // Long: one laboratory through all sections, which each step moves.
  it('stand in their sections, and move by keyboard and menu', async (t) => {
    const laboratory = (title: string, section_id: number | null, is_active: boolean) =>
      makeAssessment(server, admin, 'laboratory', ['echo PASS'], { title, section_id, is_active });
    await laboratory('Homeless', null, true);
    await laboratory('Guards', sections[2] ?? 0, true);
    const sectionIs = async (id: number, section: number | undefined) =>
      await until(async () => {
        const { body } = await server.get(`/api/admin/laboratories/${id}`, admin.token);
        return body.section_id === section;
      }, `laboratory ${id} in section ${section}`);
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    const of = (section: string) => page.getByRole('list', { name: `Laboratories of ${section}` });
    await of('Files').getByRole('link', { name: 'Laboratory: Tidy up' }).waitFor();
    const homeless = page.getByRole('region', { name: 'Laboratories without a section' });
    await homeless.getByRole('link', { name: 'Laboratory: Homeless' }).waitFor();
    await assertAccessible(page, 'laboratories in the tree');

    // With the keys that move lessons.
    await page.getByRole('button', { name: 'Move Tidy up' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Tidy up is picked up.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.getByText('Tidy up is at position 1 of 1 in Users.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await of('Users').getByText('Laboratory: Tidy up').waitFor();
    await sectionIs(practice, sections[1]);

    // A section has one published laboratory: a refused move is undone.
    await page.getByRole('button', { name: 'Actions: Tidy up' }).click();
    await page.getByRole('menuitem', { name: 'Move to Services' }).click();
    await page.getByText('This section already has a laboratory').first().waitFor();
    await of('Users').getByText('Laboratory: Tidy up').waitFor();

    await page.getByRole('button', { name: 'Actions: Tidy up' }).click();
    await page.getByRole('menuitem', { name: 'Move to Files' }).click();
    await of('Files').getByText('Laboratory: Tidy up').waitFor();
    await sectionIs(practice, sections[0]);

    // A new one is a draft of its section, and opens in its editor as the others do.
    await page.getByRole('button', { name: 'New laboratory in Users' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Accounts');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.goBack();
    await of('Users').getByRole('listitem').filter({ hasText: 'Draft' }).getByText('Laboratory: Accounts').waitFor();
    await of('Files').getByRole('link', { name: 'Laboratory: Tidy up' }).press('Enter');
    await page.waitForURL(`**/administration/laboratories/${practice}`);
  });
});
