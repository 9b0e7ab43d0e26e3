import { setTimeout as delay } from 'node:timers/promises';
import type { Filled } from '../features/demonstration/service.ts';
import type { Report } from './steps.ts';

type Room = NonNullable<Filled['running']> & { password: string; report: Report };

type Answer = { access_token?: string; container_id?: number; detail?: unknown };

/**
 * Lets a few students begin the exam that runs, in real containers. The last one works in a terminal, which is recorded, and submits.
 * Without an engine nobody works in it, and everything else is complete.
 */
export async function startWorkers(
  address: string,
  { sessionId, examId, workers, password, report }: Room,
): Promise<void> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer.detail)}`);
    return answer;
  };
  const begin = async ({ username }: Room['workers'][number]) => {
    const { access_token = '' } = await post('/api/auth/login', { username, password });
    const { container_id } = await post(`/api/exams/${examId}/start`, { session_id: sessionId }, access_token);
    return { access_token, container_id };
  };
  const others = [...workers];
  const last = others.pop();
  let working = 0;
  try {
    for (const worker of others) {
      await begin(worker);
      working += 1;
    }
    if (last) {
      const { access_token, container_id } = await begin(last);
      await typeCommands(`${address.replace(/^http/, 'ws')}/ws/terminal/${container_id}?token=${access_token}`);
      await post(`/api/exams/${examId}/submit`, {}, access_token);
      report('exam', `${last.username} has worked in a terminal and submitted, which is recorded`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('exam', `further students could not begin the exam that runs: ${reason}`);
  }
  if (working > 0) report('exam', `${working} students work in the exam that runs now, in containers`);
}

const commands = ['whoami', 'pwd', 'ls -la', 'cat /etc/os-release', 'df -h ~', 'ls -l /etc | head', 'exit'];
/** Milliseconds between two commands, and until the shell must have ended. */
const [pause, patience] = [800, 30_000];

/** Types as a student does, until the shell ends. @throws Error if the terminal cannot be opened, or does not end */
async function typeCommands(url: string): Promise<void> {
  const socket = new WebSocket(url);
  const ended = new Promise<void>((resolve, reject) => {
    socket.addEventListener('close', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the terminal could not be opened')));
  });
  const end = new AbortController();
  const tooLong = delay(patience, undefined, { signal: end.signal }).then(() => {
    throw new Error('the terminal did not end');
  });
  try {
    const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
    await Promise.race([opened, ended, tooLong]);
    for (const command of commands) {
      await delay(pause);
      if (socket.readyState === WebSocket.OPEN) socket.send(`${command}\n`);
    }
    await Promise.race([ended, tooLong]);
  } finally {
    end.abort();
    tooLong.catch(() => undefined);
    socket.close();
  }
}
