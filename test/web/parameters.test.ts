import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { emptyTask, pointsToPass, sumOfPoints } from '../../web/src/assessments/editor/draft.ts';
import { drawOf, drawText, parametersOf, parametersText } from '../../web/src/assessments/editor/parameters-text.ts';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('the text of parameters', () => {
  it('is one of each on a line, and is read as it was written', () => {
    const parameters = {
      port: { int: [-5, 29_999] },
      user: { choice: ['anna', 'b: c'] },
      odd: { choice: ['a | b', ' c', 'line\nbreak'] },
      range: { choice: ['1..2'] },
      list: { choice: ['[x'] },
    };
    assert.equal(
      parametersText(parameters),
      'port: -5..29999\nuser: anna | b: c\nodd: ["a | b"," c","line\\nbreak"]\nrange: ["1..2"]\nlist: [x',
    );
    assert.deepEqual(parametersOf(parametersText(parameters)), parameters);
    assert.deepEqual([parametersOf(' \n'), parametersText(null)], [null, '']);
    assert.deepEqual(drawOf('files: 2\n\n b:1\nx'), { files: 2, b: 1, x: 0 });
    assert.deepEqual([drawText({ files: 2, b: 1 }), drawOf(' '), drawText(null)], ['files: 2\nb: 1', null, '']);
    // What is no parameter is for the service to refuse.
    assert.deepEqual(parametersOf('port\nuser:'), { port: {}, user: { choice: [] } });
  });
});

describeLong('the points of a draft', () => {
  it('are those of an attempt, which draws some tasks of a pool', () => {
    const tasks = [
      { ...emptyTask, key: '1', points: '4' },
      ...['2', '3', '4'].map((key) => ({ ...emptyTask, key, points: '2,5', pool: 'files' })),
    ];
    const points = (draw: string) => {
      const draft = { settings: { draw }, tasks };
      return [sumOfPoints(draft), pointsToPass(draft)];
    };
    assert.deepEqual(
      [points(''), points('files: 2'), points('files: 1\nother: 2')],
      [
        [11.5, 9],
        [9, 7],
        [6.5, 5],
      ],
    );
  });
});

describeLong('the editor of a task with parameters', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let classroom: Classroom;
  let visitors: Visitors;
  before(async () => {
    classroom = await Classroom.open();
    visitors = new Visitors(classroom.server);
  });
  after(() => classroom?.[Symbol.asyncDispose]());

  it('shows three samples of the text, saves them, and says what is wrong with them', async (t) => {
    const { server, admin } = classroom;
    const id = await classroom.make('exam', ['echo FAIL'], { is_active: false });
    const page = await visitors.comeAs(t, admin, `/administration/exams/${id}`);
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await page.getByLabel('Title').fill('On port {{port}}');
    await page.getByLabel('What to do').fill('For **{{user}}** on `{{port}}`');
    const parameters = page.getByLabel('Parameters');
    await parameters.fill('port: 20..10\nuser: anna | b_b');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The parameter port needs either two numbers in their order').waitFor();
    await parameters.fill('port: 10..20\nuser: anna | b_b');
    await page.getByText('Three samples').click();
    const samples = page.getByRole('group').filter({ hasText: 'Three samples' }).getByRole('listitem');
    await samples.filter({ hasText: 'On port 10For anna on 10' }).waitFor();
    await samples.filter({ hasText: 'On port 20For b_b on 20' }).waitFor();
    assert.equal(await samples.count(), 3);
    await assertAccessible(page, 'the samples of a task with parameters');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = async () => (await server.get(`/api/admin/exams/${id}`, admin.token)).body.tasks[0].parameters;
    const wanted = JSON.stringify({ port: { int: [10, 20] }, user: { choice: ['anna', 'b_b'] } });
    await until(async () => JSON.stringify(await saved()) === wanted, 'the parameters to be saved');
    await page.getByLabel('Title').fill('On port {{prot}}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('There is no parameter prot.').first().waitFor();
    if (process.env['PICTURE']) {
      await page.screenshot({ path: '/tmp/parameters-wide.png', fullPage: true });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.screenshot({ path: '/tmp/parameters-phone.png', fullPage: true });
    }
  });
});
