import { after, before, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { schoolClass } from '../exam-session.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('raised hands in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  // Long: one hand on the pages of both sides.
  it('reach the staff, who come and answer', async (t) => {
    const id = await room.make('laboratory', ['echo FAIL'], { title: 'Practice' });
    const student = await room.server.user();
    await schoolClass(room.server, room.instructor, [student]);
    const work = await visitors.comeAs(t, student, `/laboratories/${id}`);
    const queue = await visitors.comeAs(t, room.instructor, '/');
    await work.getByRole('button', { name: 'Start the laboratory' }).click();
    await work.getByRole('button', { name: 'Raise a hand' }).click();
    const dialog = work.getByRole('alertdialog', { name: 'Raise a hand' });
    await dialog.getByLabel('What do you need?').fill('The pipe hangs');
    await assertAccessible(work, 'the question before a hand is raised');
    await dialog.getByRole('button', { name: 'Raise a hand' }).click();
    const note = work.getByRole('status', { name: 'Your raised hand' });
    await note.getByText('Your hand is raised. You are next.').waitFor();

    // The dashboard is open already: the notification renews it.
    await queue.getByRole('link', { name: `${student.username} asks for help` }).click();
    const raised = queue.getByRole('region', { name: 'Raised hands' });
    await raised.getByText('The pipe hangs').waitFor();
    await assertAccessible(queue, 'the queue of raised hands');
    await raised.getByRole('button', { name: 'I am coming' }).click();
    await note.getByText(`${room.instructor.username} is helping you.`).waitFor();
    await raised.getByRole('link', { name: 'Watch' }).click();
    await raised.getByRole('button', { name: /^Answer/ }).click();
    const form = queue.getByRole('alertdialog');
    await form.getByLabel('Your answer').fill('Close the other end');
    await form.getByRole('button', { name: 'Answer' }).click();
    await note.getByText('Close the other end').waitFor();
    await assertAccessible(work, 'an answered hand');
    await raised.waitFor({ state: 'detached' });
    await note.getByRole('button', { name: 'Hide' }).click();
    await note.getByText('Close the other end').waitFor({ state: 'detached' });
    await work.getByRole('button', { name: 'Raise a hand' }).waitFor();
  });
});
