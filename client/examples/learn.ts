// A student reads a lesson, takes the first exam with one command in its terminal, and sees the results. The account is created if needed.
import { answer, connect, Refusal } from '../index.ts';

const { ADDRESS: address = 'http://127.0.0.1:8000', PASSWORD: password } = process.env;
const [username, command = 'true'] = process.argv.slice(2);
if (!username || !password) throw new Error('Usage: ADDRESS=... PASSWORD=... node learn.ts USERNAME [COMMAND]');

const visitor = await connect(address);
const account = { username, password, email: `${username}@example.com` };
await answer(visitor.POST('/api/auth/register', { body: account })).catch((error: unknown) => {
  // Who is there already logs in.
  if (!(error instanceof Refusal) || error.code !== 'username_taken') throw error;
});
const api = await connect(address, { username, password });

const lesson = (await answer(api.GET('/api/lessons/courses')))[0]?.sections[0]?.themes[0];
if (lesson) {
  const text = await answer(
    api.GET('/api/lessons/themes/{theme_id}/content', { params: { path: { theme_id: lesson.id } } }),
  );
  console.log(`${lesson.title}: ${text.length} characters`);
  await answer(api.POST('/api/lessons/themes/{theme_id}/complete', { params: { path: { theme_id: lesson.id } } }));
}

const [exam] = await answer(api.GET('/api/exams'));
if (!exam) throw new Error('There is no exam');
const params = { path: { id: exam.id } };
const started = await answer(api.POST('/api/exams/{id}/start', { params }));
// Without `Prefer: respond-async` the answer comes when the machine is ready.
if (!('container_id' in started)) throw new Error('The start waits in the queue');
if (started.container_id !== null) await run(started.container_id, command);
await answer(api.POST('/api/exams/{id}/submit', { params }));
const { results, score, max_score } = await answer(
  api.GET('/api/exams/attempts/{id}/results', { params: { path: { id: started.attempt_id } } }),
);
for (const { title, points_earned, points } of results ?? []) console.log(`${title}: ${points_earned} of ${points}`);
console.log(`${score} of ${max_score}`);

/** Runs a command in the terminal of a container, and waits for its end. */
async function run(container: number, line: string): Promise<void> {
  const { access_token: token } = await answer(
    visitor.POST('/api/auth/login', { body: { username: username ?? '', password: password ?? '' } }),
  );
  const socket = new WebSocket(
    `${address.replace(/^http/, 'ws')}/ws/terminal/${container}?${new URLSearchParams({ token })}`,
  );
  socket.addEventListener('open', () => socket.send(new TextEncoder().encode(`${line}\nexit\n`)));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('close', ({ code, reason }) =>
      code === 1000 ? resolve() : reject(new Error(`The terminal closed: ${code} ${reason}`)),
    );
  });
}
