import type { Filled } from '../features/demonstration/service.ts';
import type { Report } from './steps.ts';

type Room = NonNullable<Filled['running']> & { password: string; report: Report };

/**
 * Lets a few students begin the exam that runs, in real containers. Without an engine nobody works in it, and everything else is
 * complete.
 */
export async function startWorkers(
  address: string,
  { sessionId, examId, workers, password, report }: Room,
): Promise<void> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { access_token?: string; detail?: unknown };
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer.detail)}`);
    return answer;
  };
  let working = 0;
  try {
    for (const { username } of workers) {
      const { access_token } = await post('/api/auth/login', { username, password });
      await post(`/api/exams/${examId}/start`, { session_id: sessionId }, access_token);
      working += 1;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('exam', `further students could not begin the exam that runs: ${reason}`);
  }
  if (working > 0) report('exam', `${working} students work in the exam that runs now, in containers`);
}
