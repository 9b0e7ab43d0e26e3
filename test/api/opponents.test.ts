import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engineSkip, TestServer, type TestUser } from '../server.ts';

/** A word that the answer has to hold. */
const answer = 'touch ~/never; echo right >~/answer';
const ownProcess = `helper() { /usr/bin/timeout -k 1 3 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- "$@"; }
got=$(head -c 100 /home/student/answer) || { echo "- there is no answer"; echo FAIL; exit; }`;
const compare = '[ "$got" = "$want" ] && echo PASS || { echo "- the answer is not right"; echo FAIL; }';

/** Each can be forged by one opponent at least; others may forge it as well. */
const forgeable: Record<string, { verification_script: string; solution_script: string }> = {
  kills: {
    verification_script: `${ownProcess}\nwant=$(helper /bin/bash -c 'sleep 0.3; echo right')\n${compare}`,
    solution_script: answer,
  },
  stops: {
    // A helper that was killed is FAIL; one that was stopped is forgotten.
    verification_script: `${ownProcess}\nwant=$(helper /bin/bash -c 'sleep 0.3; echo right')
      [ $? -eq 137 ] && { echo "- killed"; echo FAIL; exit; }\n${compare}`,
    solution_script: answer,
  },
  replaces: {
    verification_script: `[ -e /home/student/answer ] || { echo "- there is no answer"; echo FAIL; exit; }
      for look in {1..200}; do [ -d /home/student/answer ] && echo PASS && exit; sleep 0.01; done
      [ "$(timeout 1 head -c 100 /home/student/answer)" = right ] && echo PASS || { echo "- not right"; echo FAIL; }`,
    solution_script: answer,
  },
  reads: {
    verification_script: `${ownProcess}\nwant=$(awk -v want=a1b2c3d4 'BEGIN { print want; system("sleep 0.3 # a1b2c3d4") }')
      grep -qx "want=$want" /home/student/answer && echo PASS || { echo "- the answer is not right"; echo FAIL; }`,
    solution_script: 'echo want=a1b2c3d4 >~/answer',
  },
  empty: {
    verification_script: `[ -x /home/student/bin/count ] || { echo "- there is no program"; echo FAIL; exit; }
      got=$(timeout 3 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- /home/student/bin/count /no/such)
      ${compare}`,
    solution_script:
      'mkdir -p ~/bin; printf "#!/bin/sh\\nls /no/such 2>/dev/null; true\\n" >~/bin/count; chmod 755 ~/bin/count',
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
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({}, {}, 1);
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  async function make(tasks: object[]): Promise<number> {
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

  it('are each reported with the checks that they forge, and refuse publication', async () => {
    // Alone: an answer of one task is in the way of another's.
    for (const [opponent, task] of Object.entries(forgeable)) {
      const id = await make([{ title: opponent, ...task }]);
      const tried = await server.post(`/api/admin/exams/${id}/try`, admin.token);
      assert.equal(tried.status, 200, tried.text);
      const [{ problem, opponents, first, after: solved }] = tried.body.tasks;
      assert.deepEqual([first.passed, solved?.passed], [false, true], `${opponent}: ${tried.text}`);
      assert.match(problem ?? '', /^The check can be forged \(by a student who /, `${opponent}: ${tried.text}`);
      const won = opponents.flatMap((run: { opponent: string; passed: boolean }) => (run.passed ? [run.opponent] : []));
      assert.ok(won.includes(opponent), `${opponent} is not in ${won}: ${tried.text}`);
      assert.equal(tried.body.is_ok, false);
      if (opponent !== 'empty') continue;
      const published = await server.post(`/api/admin/exams/${id}/publish`, admin.token);
      assert.equal(published.status, 409);
      assert.match(published.body.detail, /empty: The check can be forged \(by a student who .*answers with nothing/);
    }
  });

  it('forge no check that keeps to the rule', async () => {
    const id = await make([sound]);
    const tried = await server.post(`/api/admin/exams/${id}/try`, admin.token);
    const [{ problem, opponents }] = tried.body.tasks;
    assert.equal(problem, null, tried.text);
    assert.deepEqual(
      opponents.map((run: { opponent: string; passed: boolean }) => [run.opponent, run.passed]),
      ['kills', 'stops', 'replaces', 'reads', 'empty'].map((name) => [name, false]),
    );
    const published = await server.post(`/api/admin/exams/${id}/publish`, admin.token);
    assert.equal(published.status, 200, published.text);
  });
});
