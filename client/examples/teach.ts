// A teacher makes a class of the usernames on the standard input, and plans an exam for it.
import { text } from 'node:stream/consumers';
import { answer, connect } from '../index.ts';

const { ADDRESS: address = 'http://127.0.0.1:8000', TOKEN: token } = process.env;
const [name, exam, opens, minutes] = process.argv.slice(2);
if (!token || !name || !exam || !opens || !minutes)
  throw new Error('Usage: ADDRESS=... TOKEN=... node teach.ts CLASS EXAM_ID OPENS_AT MINUTES <usernames');

const api = await connect(address, { token });
const { id } = await answer(api.POST('/api/classes', { body: { name } }));
for (const username of (await text(process.stdin)).split(/\s+/).filter(Boolean))
  await answer(api.POST('/api/classes/{id}/members', { params: { path: { id } }, body: { username } }));
const opensAt = new Date(opens);
const session = await answer(
  api.POST('/api/exam-sessions', {
    body: {
      ...{ exam_id: Number(exam), class_id: id, title: name, results_visible: 'when_released' },
      ...{
        opens_at: opensAt.toISOString(),
        closes_at: new Date(opensAt.getTime() + Number(minutes) * 60_000).toISOString(),
      },
    },
  }),
);
console.log(`${address}/classes/${id}/sessions/${session.id}`);
