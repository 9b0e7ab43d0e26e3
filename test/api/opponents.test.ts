import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Opponent, opponents } from '../../src/features/trials/opponent-program.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';

type Author = { server: TestServer; admin: TestUser };

const helper = '/usr/bin/timeout -k 1 2 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --';
/** Compares the beginning of the file with $want. */
const compare = (file: string): string => `[ -f ${file} ] || { echo "- there is no answer"; echo FAIL; exit; }
  [ "$(timeout 1 head -c 100 ${file})" = "$want" ] && echo PASS || { echo "- the answer is not right"; echo FAIL; }`;

/** Each can be forged by the opponent of its name; others may forge it as well. */
const forgeable: Record<Opponent, { verification_script: string; solution_script: string }> = {
  kills: {
    verification_script: `want=$(${helper} /bin/bash -c 'sleep 0.3; echo right')\n${compare('/home/student/killed')}`,
    solution_script: 'echo right >~/killed',
  },
  stops: {
    // A helper that was killed is FAIL; one that was stopped is forgotten.
    verification_script: `want=$(${helper} /bin/bash -c 'sleep 0.3; echo right')
      [ $? -eq 137 ] && { echo "- killed"; echo FAIL; exit; }\n${compare('/home/student/stopped')}`,
    solution_script: 'echo right >~/stopped',
  },
  replaces: {
    verification_script: `[ -e /home/student/replaced ] || { echo "- there is no answer"; echo FAIL; exit; }
      for look in {1..100}; do [ -d /home/student/replaced ] && echo PASS && exit; sleep 0.01; done
      want=right\n${compare('/home/student/replaced')}`,
    solution_script: 'echo right >~/replaced',
  },
  reads: {
    verification_script: `want=$(awk -v want=a1b2c3d4 'BEGIN { print "want=" want; system("sleep 0.3") }')\n${compare('/home/student/read')}`,
    solution_script: 'echo want=a1b2c3d4 >~/read',
  },
  empty: {
    verification_script: `[ -x /home/student/bin/count ] || { echo "- there is no program"; echo FAIL; exit; }
      got=$(${helper} /home/student/bin/count /no/such)
      [ "$got" = "$want" ] && echo PASS || { echo "- the program is not right"; echo FAIL; }`,
    solution_script: `mkdir -p ~/bin; printf '#!/bin/sh\\nls "$1" 2>/dev/null; true\\n' >~/bin/count; chmod 755 ~/bin/count`,
  },
};

const sound = {
  title: 'Sound',
  verification_script: `want=$(must as_stranger /usr/bin/stat -c %s /etc/passwd)
    [ "$(student_file /home/student/size)" = "$want" ] || problem 'the size is not right'
    verdict`,
  solution_script: 'stat -c %s /etc/passwd >~/size',
};

describe('opponents of checks', { skip: engineSkip, timeout: 300_000 }, () => {
  /** An administrator of a service in which these opponents play. */
  async function author(playing: readonly Opponent[]) {
    const server = await TestServer.start({}, { opponents: playing }, 1);
    return { server, admin: await server.user('admin'), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }

  async function make({ server, admin }: Author, tasks: object[]): Promise<number> {
    const subject = { title: 'Opponents', container_image: 'platform-exam-linux-basics', passing_score: 1 };
    const { body } = await server.post('/api/admin/exams', admin.token, {
      ...{ ...subject, time_limit_minutes: 5, is_active: false },
    });
    for (const task of tasks) {
      const added = await server.post(`/api/admin/exams/${body.id}/tasks`, admin.token, { points: 1, ...task });
      assert.equal(added.status, 201, added.text);
    }
    return body.id;
  }

  const reportOn = async (teacher: Author, tasks: object[]) => {
    const id = await make(teacher, tasks);
    const { body, status, text } = await teacher.server.post(`/api/admin/exams/${id}/try`, teacher.admin.token);
    assert.equal(status, 200, text);
    return body;
  };
  type Task = {
    problem: string | null;
    first: { passed: boolean };
    after: { passed: boolean; output: string };
    opponents: { opponent: Opponent; passed: boolean }[];
  };
  function assertForged({ problem, opponents: runs, first, after }: Task, opponent: Opponent): void {
    assert.deepEqual([first.passed, after.passed], [false, true], after.output);
    assert.match(problem ?? '', /^The check can be forged \(by a student who /, JSON.stringify(runs));
    assert.ok(
      runs.some((run) => run.opponent === opponent && run.passed),
      `${opponent}: ${JSON.stringify(runs)}`,
    );
  }

  it('are reported with each check that they forge, and cannot forge one that follows the rule', async () => {
    await using teacher = await author(opponents);
    const tasks = opponents.map((opponent) => ({ title: opponent, ...forgeable[opponent] }));
    const report = await reportOn(teacher, [...tasks, sound]);
    for (const [index, opponent] of opponents.entries()) assertForged(report.tasks[index], opponent);
    const { problem, opponents: runs } = report.tasks.at(-1) as Task;
    assert.equal(problem, null, JSON.stringify(runs));
    assert.deepEqual(
      runs.map((run) => [run.opponent, run.passed]),
      ['kills', 'stops', 'replaces', 'reads', 'empty'].map((name) => [name, false]),
    );
    assert.equal(report.is_ok, false);
  });

  for (const opponent of opponents) {
    itLong(`forge a check alone: ${opponent}`, async () => {
      await using teacher = await author([opponent]);
      const report = await reportOn(teacher, [{ title: opponent, ...forgeable[opponent] }]);
      assertForged(report.tasks[0], opponent);
      assert.equal(report.tasks[0].opponents.length, 1);
    });
  }

  it('prevent the publication of a check that they forge', async () => {
    await using teacher = await author(['empty']);
    const id = await make(teacher, [{ title: 'Count', ...forgeable.empty }]);
    const published = await teacher.server.post(`/api/admin/exams/${id}/publish`, teacher.admin.token);
    assert.equal(published.status, 409);
    assert.match(published.body.detail, /Count: The check can be forged \(by a student who .*answers with nothing/);
  });
});
