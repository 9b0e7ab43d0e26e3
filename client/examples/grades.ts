// The grades of a class, a line for each student, by a token that can read grades and nothing else.
import { answer, connect } from '../index.ts';

const { ADDRESS: address = 'http://127.0.0.1:8000', TOKEN: token } = process.env;
const id = Number(process.argv[2]);
if (!token || !id) throw new Error('Usage: ADDRESS=... TOKEN=... node grades.ts CLASS_ID');

const api = await connect(address, { token });
const pageSize = 100;
for (let page = 1; ; page += 1) {
  const params = { path: { id }, query: { page, page_size: pageSize } };
  const { students } = await answer(api.GET('/api/classes/{id}/grades', { params }));
  for (const { username, score, percent } of students) console.log([username, score, percent].join('\t'));
  if (students.length < pageSize) break;
}
