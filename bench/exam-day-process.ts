/** The service for `exam-day.ts`, with an exam in a course. Prints its address, the tokens and the ids as JSON. */
import { makeAssessment } from '../test/made-assessment.ts';
import { TestServer } from '../test/server.ts';

const server = await TestServer.start({
  ...{
    examWarmMinutes: 10,
    reconcileSeconds: 5,
    REQUESTS_PER_MINUTE: '100000',
    loginFailuresPerAccount: 100,
  },
  ...{ CONTAINER_CPUS: '0.5', CONTAINER_MEMORY_MB: '128', CONTAINER_PROCESSES: '128' },
});
const [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
const { body } = await server.post('/api/admin/lessons/courses', admin.token, { name: 'Monday' });
const check = '[[ -e /home/student/done ]] && echo PASS';
const exam = await makeAssessment(server, admin, 'exam', [check], { course_id: body.id });
const day = { url: server.url, admin: admin.token, teacher: teacher.token, exam, course: body.id };
process.stdout.write(`${JSON.stringify(day)}\n`);
process.on('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.exit(0)));
