import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';

/** One container at a time, so that a second start has to wait. */
describeLong('the queue of starts', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open({ CONTAINERS_MAX: '1' });
    visitors = new Visitors(room.server);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const isEmpty = async () =>
    (await room.server.application.db.selectFrom('containers').select('id').execute()).length === 0;
  /** A user whose attempt has the only container. */
  const occupant = async (exam: number): Promise<TestUser> => {
    await until(isEmpty, 'the container of the test before to go');
    const user = await room.server.user();
    await room.start(user, 'exam', exam);
    return user;
  };
  const submit = (user: TestUser, exam: number) => room.server.post(`/api/exams/${exam}/submit`, user.token);
  const queue = async (user: TestUser, exam: number): Promise<number> => {
    const headers = { prefer: 'respond-async' };
    return (await room.server.request('POST', `/api/exams/${exam}/start`, { token: user.token, headers })).body
      .attempt_id;
  };

  // Long: one attempt from the queue to its work.
  it('shows the place and the wait, keeps it through a reload, and the attempt begins by itself', async (t) => {
    const exam = await room.make('exam', ['echo PASS'], { title: 'Busy' });
    const [first, second, student] = [await occupant(exam), await room.server.user(), await room.server.user()];
    const before = await queue(second, exam);
    const page = await visitors.comeAs(t, student, `/exams/${exam}`);
    await page.getByRole('button', { name: 'Start the exam' }).click();
    await answer(page, 'Start');
    const status = page.getByRole('status').filter({ hasText: /to wait/ });
    await status.getByText('Your place: 2.').waitFor();
    await status.getByText(/About (2\d|30) minutes to wait, or less/).waitFor();
    await assertAccessible(page, 'a place in the queue');
    await page.reload();
    await status.getByText('Your place: 2.').waitFor();
    await goTo(page, '/');
    await page.getByText('You are in the queue. Continue, so that you keep your place.').waitFor();
    await goTo(page, '/exams');
    await page.getByText('You are in the queue').waitFor();
    await page.getByText('Your place: 2.').waitFor();
    await page.getByRole('link', { name: 'Continue' }).first().click();

    await room.server.post(`/api/exams/attempts/${before}/abandon`, second.token);
    await status.getByText('You are next.').waitFor();
    await submit(first, exam);
    await page.getByRole('timer').waitFor();
    await page.getByText('Your machine is ready. The clock is running.').first().waitFor();
    await submit(student, exam);
  });

  it('is left by a button', async (t) => {
    const exam = await room.make('exam', ['echo PASS'], { title: 'Left' });
    const first = await occupant(exam);
    const student = await room.server.user();
    await queue(student, exam);
    const page = await visitors.comeAs(t, student, `/exams/${exam}`);
    await page.getByRole('button', { name: 'Leave the queue' }).click();
    await page.getByRole('button', { name: 'Start the exam' }).waitFor();
    await page.getByText('You left the queue.').first().waitFor();
    await page.getByRole('row').filter({ hasText: 'Given up' }).waitFor();
    await submit(first, exam);
  });

  it('says in Russian why an attempt has left it, and has one for laboratories', async (t) => {
    const exam = await room.make('exam', ['echo PASS'], { title: 'Занято' });
    const laboratory = await room.make('laboratory', ['echo PASS'], { title: 'Практика' });
    const first = await occupant(exam);
    const student = await room.server.user();
    const page = await visitors.comeAs(t, student, `/laboratories/${laboratory}`, { language: 'ru' });
    await page.getByRole('button', { name: 'Начать' }).click();
    await page.getByText('Вы следующие.').waitFor();
    // As if the page had been closed for long.
    const { db } = room.server.application;
    const asked_at = sql<Date>`now() - interval '1 day'`;
    const away = db.updateTable('attempts').set({ asked_at }).where('user_id', '=', student.id);
    await page.route('**/attempts/active*', (route) => route.abort());
    await until(async () => {
      await away.where('status', '=', 'queued').execute();
      await room.server.reconcile();
      const rows = db.selectFrom('attempts').select('status').where('user_id', '=', student.id);
      return (await rows.executeTakeFirst())?.status === 'abandoned';
    }, 'the attempt to be abandoned');
    await page.unroute('**/attempts/active*');
    await page.getByRole('alert').getByText('страница была закрыта слишком долго').waitFor();
    await page.getByRole('button', { name: 'Начать' }).waitFor();
    await submit(first, exam);
  });
});
