import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Classroom } from '../classroom.ts';
import { examDay } from '../exam-day.ts';
import { itLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';

describe('an exam of a class', { skip: engineSkip, timeout: 600_000 }, () => {
  itLong('is imported, planned, taken, supervised, released and exported', async () => {
    await using room = await Classroom.open({
      ...{ examWarmMinutes: 10, reconcileSeconds: 1, examRoomSeconds: 1, CONTAINER_MEMORY_MB: '128' },
      loginFailuresPerAccount: 100,
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
