import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Classroom } from '../classroom.ts';
import { examDay } from '../exam-day.ts';
import { itLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';

describe('an exam of a class', { skip: engineSkip, timeout: 240_000 }, () => {
  itLong('is imported, planned, taken, supervised, released and exported', async () => {
    await using room = await Classroom.open({
      ...{ EXAM_WARM_MINUTES: '10', RECONCILE_SECONDS: '1', EXAM_ROOM_SECONDS: '1', CONTAINER_MEMORY_MB: '128' },
      LOGIN_FAILURES_PER_ACCOUNT: '100',
    });
    const { server, admin, instructor } = room;
    const created = await server.post('/api/admin/lessons/courses', admin.token, { name: 'Monday' });
    const course = created.body.id;
    const exam = await room.make('exam', ['[[ -e /home/student/done ]] && echo PASS'], { course_id: course });
    const { url } = server;
    const tokens = { admin: admin.token, teacher: instructor.token };
    const { starts } = await examDay({ url, ...tokens, exam, course, students: 12, within: 1000, quietRequests: 10 });
    assert.equal(starts.length, 12);
  });
});
