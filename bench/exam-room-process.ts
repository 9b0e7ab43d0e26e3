/**
 * The service for `exam-room.ts`: an exam session with 200 students who have an attempt. On each line of its input, twenty of them do
 * something. Prints the address, the session and the token of its instructor as JSON.
 */
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { openSession, runAttempt, schoolClass } from '../test/exam-session.ts';
import { makeAssessment } from '../test/made-assessment.ts';
import { TestServer, type TestUser } from '../test/server.ts';

const server = await TestServer.start({ REQUESTS_PER_MINUTE: '100000000' });
const teacher = await server.user('instructor');
const students: TestUser[] = [];
for (let count = 0; count < 200; count += 1) students.push(await server.user());
const exam_id = await makeAssessment(server, await server.user('admin'), 'exam', ['echo PASS']);
const class_id = await schoolClass(server, teacher, students);
const session = await openSession(server, teacher, { exam_id, class_id });
for (const student of students) await runAttempt(server, student, session);
process.stdout.write(`${JSON.stringify({ url: server.url, token: teacher.token, session: session.id })}\n`);
let turn = 0;
for await (const _line of createInterface(process.stdin)) {
  turn += 1;
  await sql`update attempts set expires_at = expires_at + interval '1 second'
    where session_id = ${session.id} and id % 10 = ${turn % 10}`.execute(server.application.db);
}
await server[Symbol.asyncDispose]();
process.exit(0);
