import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Opponent, opponents } from '../../src/features/trials/opponent-program.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';

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
    // It looks for long: between two replacements the file is not there.
    verification_script: `for look in {1..100}; do [ -d /home/student/replaced ] && echo PASS && exit; sleep 0.01; done
      want=right\n${compare('/home/student/replaced')}`,
    solution_script: 'echo right >~/replaced',
  },
  reads: {
    verification_script: `want=$(awk -v want=a1b2c3d4 'BEGIN { print "want=" want; system("sleep 0.3") }')\n${compare('/home/student/read')}`,
    solution_script: 'echo want=a1b2c3d4 >~/read',
  },
  traces: {
    // What a check confines, root can trace. On a busy machine it takes root seconds to begin.
    verification_script: `[ -e /tmp/traced ] && echo PASS && exit
      got=$(/.grader/bin/confine /.grader/bin/busybox sleep 12)
      [[ $got == *PASS* ]] && echo PASS || { echo "- nothing is traced"; echo FAIL; }`,
    solution_script: ': >/tmp/traced',
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

describe('opponents of checks', { skip: engineSkip, timeout: 600_000 }, () => {
  /** Those that play from now on: the service reads the list at each trial. */
  const playing: Opponent[] = [];
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({}, { opponents: playing }, 1);
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function make(tasks: object[], image = 'basics'): Promise<number> {
    const assessment = { title: 'Opponents', container_image: `platform-exam-linux-${image}`, passing_score: 1 };
    const { body } = await server.post('/api/admin/exams', admin.token, {
      ...{ ...assessment, time_limit_minutes: 5, is_active: false },
    });
    for (const task of tasks) {
      const added = await server.post(`/api/admin/exams/${body.id}/tasks`, admin.token, { points: 1, ...task });
      assert.equal(added.status, 201, added.text);
    }
    return body.id;
  }

  for (const opponent of opponents) {
    const test = opponent === 'replaces' ? it : itLong;
    test(`are reported with the check that they forge: ${opponent}`, async () => {
      playing.splice(0, playing.length, opponent);
      const image = opponent === 'traces' ? 'services' : 'basics';
      const id = await make([{ title: opponent, ...forgeable[opponent] }], image);
      const { body, status, text } = await server.post(`/api/admin/exams/${id}/try`, admin.token);
      assert.equal(status, 200, text);
      const [{ problem, opponents: runs, first, after }] = body.tasks;
      assert.deepEqual([first.passed, after?.passed], [false, true], after?.output);
      assert.match(problem ?? '', /^The check can be forged \(by a student who /, JSON.stringify(runs));
      assert.deepEqual(
        runs.map((run: { opponent: string; passed: boolean }) => [run.opponent, run.passed]),
        [[opponent, true]],
      );
      assert.equal(body.is_ok, false);
    });
  }

  itLong('are reported with the part of the points that they forge', async () => {
    playing.splice(0, playing.length, 'replaces');
    const verification_script = `for look in {1..100}; do [ -d /home/student/replaced ] && echo SCORE 1/2 && exit; sleep 0.01; done
      [ -f /home/student/replaced ] || { echo "- there is no answer"; echo SCORE 0/2; exit; }
      [ "$(timeout 1 head -c 100 /home/student/replaced)" = right ] && echo SCORE 2/2 || echo SCORE 0/2`;
    const scripts = { partial_script: 'mkdir ~/replaced', solution_script: 'rmdir ~/replaced; echo right >~/replaced' };
    const id = await make([{ title: 'Part', has_partial_credit: true, verification_script, ...scripts }]);
    const tried = await server.post(`/api/admin/exams/${id}/try`, admin.token);
    const [{ problem, opponents: runs }] = tried.body.tasks;
    assert.match(problem ?? '', /^The check can be forged \(by a student who /, tried.text);
    assert.deepEqual([runs[0].passed, runs[0].part], [true, { earned: 1, of: 2 }]);
  });

  itLong('prevent the publication of a check that they forge', async () => {
    playing.splice(0, playing.length, 'empty');
    const id = await make([{ title: 'Count', ...forgeable.empty }]);
    const published = await server.post(`/api/admin/exams/${id}/publish`, admin.token);
    assert.equal(published.status, 409);
    assert.match(published.body.detail, /Count: The check can be forged \(by a student who .*answers with nothing/);
  });

  itLong('cannot forge a check that follows the rule', async () => {
    playing.splice(0, playing.length, ...opponents);
    const id = await make([sound]);
    const tried = await server.post(`/api/admin/exams/${id}/try`, admin.token);
    const [{ problem, opponents: runs }] = tried.body.tasks;
    assert.equal(problem, null, tried.text);
    assert.deepEqual(
      runs.map((run: { opponent: string; passed: boolean }) => [run.opponent, run.passed]),
      ['kills', 'stops', 'replaces', 'reads', 'empty'].map((name) => [name, false]),
    );
  });
});
