import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { image } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, engineSkip, type TestUser } from '../server.ts';

/** A third of the points for each line of a file of the student. */
const steps = `n=$(cat /home/student/steps 2>/dev/null | wc -l); echo "SCORE $n/3"`;

describeLong('a score of a check', { skip: engineSkip }, () => {
  let room: Classroom;
  let admin: TestUser;
  before(async () => {
    room = await Classroom.open();
    admin = room.admin;
  });
  after(() => room?.[Symbol.asyncDispose]());

  const ok = async (request: Promise<Answer>) => {
    const answer = await request;
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const make = async (kind: 'exams' | 'laboratories', fields: object, tasks: object[]) => {
    const time = kind === 'exams' ? { time_limit_minutes: 30 } : {};
    const assessment = { title: 'Parts', container_image: image, passing_score: 3, ...time, ...fields };
    const { id } = await ok(room.server.post(`/api/admin/${kind}`, admin.token, assessment));
    for (const task of tasks) await ok(room.server.post(`/api/admin/${kind}/${id}/tasks`, admin.token, task));
    return id as number;
  };
  const partial = { title: 'Steps', points: 1, verification_script: steps, has_partial_credit: true };
  const whole = { title: 'Whole', points: 2.5, verification_script: 'echo PASS' };

  // Long: each place that shows the grade is asked.
  it('is exact in the result, the lists, the grade book and its files', async () => {
    const { server } = room;
    const course = await ok(server.post('/api/admin/lessons/courses', admin.token, { name: 'Course' }));
    const exam = await make('exams', { course_id: course.id }, [partial, whole]);
    const student = await server.user();
    const school = await ok(
      server.post('/api/classes', room.instructor.token, { name: 'Class', course_ids: [course.id] }),
    );
    const at = `/api/classes/${school.id}`;
    await ok(server.post(`${at}/members`, room.instructor.token, { user_id: student.id }));
    assert.equal((await ok(server.get(`/api/exams/${exam}`, student.token))).max_score, 3.5);

    const started = await room.start(student, 'exam', exam);
    await room.asStudent(started.container_name, 'printf "one\\ntwo\\n" >~/steps');
    const submitted = await ok(server.post(`/api/exams/${exam}/submit`, student.token));
    assert.deepEqual([submitted.score, submitted.max_score, submitted.passed], [3.17, 3.5, true]);
    const [first, second] = submitted.results;
    assert.deepEqual([first.passed, first.points_earned, first.points, first.output], [false, 0.67, 1, 'SCORE 2/3\n']);
    assert.deepEqual([second.passed, second.points_earned, second.points], [true, 2.5, 2.5]);
    const { attempt_id } = started;
    assert.deepEqual(await ok(server.get(`/api/exams/attempts/${attempt_id}/results`, student.token)), submitted);

    const teacher = room.instructor.token;
    const listed = await ok(server.get('/api/admin/attempts?sort=-score&page_size=1', admin.token));
    assert.equal(listed[0].score, 3.17);
    const { grades } = await ok(server.get(`${at}/progress`, teacher)).then((body) => ({
      grades: JSON.stringify(body),
    }));
    assert.match(grades, /"score":3\.17/);
    const csv = await server.request('GET', `${at}/grades`, { token: teacher, headers: { accept: 'text/csv' } });
    assert.match(csv.text, /,3\.17,3\.5,/);
    const statistics = await ok(server.get(`${at}/grades/statistics?item=exam-${exam}`, teacher));
    assert.match(JSON.stringify(statistics), /"points":2\.5/);
    const scores = (await ok(server.get('/api/dashboard/analytics', student.token))).scores;
    assert.deepEqual([scores[0].score, scores[0].max_score], [3.17, 3.5]);
    const average = (await ok(server.get('/api/dashboard/stats', student.token))).average_score_percent;
    assert.ok(Math.abs(average - 90.57) < 0.6, `${average}`);
  });

  it('is given by checks of a laboratory, and a task without it does not take a score', async () => {
    const { server } = room;
    const laboratory = await make('laboratories', {}, [partial, { ...partial, has_partial_credit: false }]);
    const student = await server.user();
    const { container_name } = await room.start(student, 'laboratory', laboratory);
    await room.asStudent(container_name, 'echo one >~/steps');
    const { score, results } = await ok(server.post(`/api/laboratories/${laboratory}/check`, student.token));
    const told = results.map((result: { points_earned: number; remark_codes: { code: string }[] | null }) => [
      result.points_earned,
      result.remark_codes?.map(({ code }) => code) ?? null,
    ]);
    assert.deepEqual(
      [score, told],
      [
        0.33,
        [
          [0.33, null],
          [0, ['score_not_allowed']],
        ],
      ],
    );
    await room.asStudent(container_name, 'printf "two\\nthree\\n" >>~/steps');
    const full = await ok(server.post(`/api/laboratories/${laboratory}/check`, student.token));
    assert.deepEqual([full.score, full.results[0].passed], [1, true]);
  });

  it('is tried with a partial solution, which must earn a part', async () => {
    const solution_script = 'printf "1\\n2\\n3\\n" >~/steps';
    const elsewhere = (name: string) => ({
      ...partial,
      verification_script: steps.replace('steps', name),
      solution_script: solution_script.replace('steps', name),
    });
    const exam = await make('exams', {}, [
      { ...partial, solution_script, partial_script: 'echo 1 >~/steps' },
      { ...elsewhere('none'), title: 'None given' },
      { ...elsewhere('little'), title: 'Too little', partial_script: 'touch ~/little' },
      {
        ...partial,
        solution_script,
        title: 'Too early',
        verification_script: 'echo SCORE 1/2',
        partial_script: 'true',
      },
    ]);
    const { tasks } = await ok(room.server.post(`/api/admin/exams/${exam}/try`, admin.token));
    assert.deepEqual(
      tasks.map(({ problem_code }: { problem_code: string | null }) => problem_code),
      [null, 'no_partial_solution', 'no_part_given', 'passes_at_first'],
    );
    assert.deepEqual([tasks[0].partial.part, tasks[0].after.passed], [{ earned: 1, of: 3 }, true]);
    assert.equal(tasks[3].problem, 'The check gives points before anything is done');
  });
});
