import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { loadConfig } from '../../src/config.ts';
import { ShellPool } from '../../src/features/capacity/shell-pool.ts';
import { readContent } from '../../src/features/content/layout.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import type { Verdict } from '../../src/values/grading-remark.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, testEngine } from '../server.ts';
import { until } from '../until.ts';

/** Runs as the student until the container is removed: does DO to each process of the student whose arguments match PATTERN. */
const hunter = (pattern: string, act: string): string => `
  cat >/tmp/hunter <<'HUNTER'
  touch /tmp/hunting
  while :; do
    for process in /proc/[0-9]*; do
      pid=\${process#/proc/}
      [[ $pid != $$ && -O $process ]] || continue
      { mapfile -d '' words <$process/cmdline; } 2>/dev/null
      arguments="\${words[*]} "
      [[ $arguments =~ ${pattern} ]] && { ${act}; }
    done
  done
HUNTER
  PATH=/.grader/bin:$PATH setsid /.grader/bin/bash /tmp/hunter </dev/null >/dev/null 2>&1 &
  until [ -e /tmp/hunting ]; do sleep 0.05; done`;

/** Ends a process with status 0 and without output: writes exit_group(0) at the place where it is stopped. */
const endQuietly = `kill -STOP $pid
  read -ra call <$process/syscall
  case $(uname -m) in
    x86_64) code='\\x31\\xff\\xb8\\xe7\\x00\\x00\\x00\\x0f\\x05' ;;
    aarch64) code='\\x00\\x00\\x80\\xd2\\xc8\\x0b\\x80\\xd2\\x01\\x00\\x00\\xd4' ;;
  esac
  printf "$code" | /usr/bin/dd of=$process/mem bs=16 oflag=seek_bytes seek=$((call[-1])) conv=notrunc
  kill -CONT $pid`;

const emptyReports = `mkdir -p ~/reports/conf; cd ~/reports; : >setuid.txt; : >old.txt; : >large.txt`;
const emptyArchive = `umask 077; mkdir -p ~/backup /tmp/a/git-core; cd ~/backup; tar -C /tmp/a -czf git-core.tar.gz git-core
  sha256sum git-core.tar.gz >SHA256SUMS`;
/** Finds the process that writes the log in the list of processes, and makes it write the report as well. */
const stolenReport = `mkdir -p ~/bin /tmp/stolen
  cat >~/bin/logreport <<'REPORT'
#!/bin/bash
[ $# -eq 1 ] && [ -f "$1" ] || { echo no >&2; exit 1; }
for try in {1..30}; do
  cat "/tmp/stolen/$(wc -l <"$1")" 2>/dev/null && exit
  sleep 0.1
done
REPORT
  chmod 755 ~/bin/logreport
  cat >/tmp/thief <<'THIEF'
  touch /tmp/hunting
  while :; do
    for process in /proc/[0-9]*; do
      { read -r name <$process/comm; } 2>/dev/null || continue
      [[ $name == awk ]] || continue
      mapfile -d '' given <$process/cmdline
      [[ \${given[*]} == *want=* ]] || continue
      for i in "\${!given[@]}"; do
        case \${given[i]} in
          want=*) given[i]=want=/tmp/stolen/new ;;
          log_file=*) given[i]=log_file=/tmp/stolen/log ;;
        esac
      done
      rm -f /tmp/stolen/log
      "\${given[@]}" && mv /tmp/stolen/new "/tmp/stolen/$(wc -l </tmp/stolen/log)"
    done
  done
THIEF
  PATH=/.grader/bin:$PATH setsid /.grader/bin/bash /tmp/thief </dev/null >/dev/null 2>&1 &
  until [ -e /tmp/hunting ]; do sleep 0.05; done`;

/** Each leaves a task of linux-basics unsolved and attacks the running check. */
const attacks: [task: string, how: string, script: string][] = [
  [
    'find-files',
    'kills what makes the right lists',
    `${emptyReports}${hunter('find\\ /|check\\ /home', 'kill -KILL $pid')}`,
  ],
  [
    'find-files',
    'stops what makes the right lists',
    `${emptyReports}${hunter('^find\\ /|bin/find\\ /', 'kill -STOP $pid')}`,
  ],
  ['find-files', 'rewrites what makes the right lists', `${emptyReports}${hunter('find\\ /', endQuietly)}`],
  [
    'archive',
    'kills what describes the directories',
    `${emptyArchive}${hunter('find\\ git-core|check\\ (/usr/lib|/tmp/[^\\ ]*\\ $)', 'kill -KILL $pid')}`,
  ],
  ['log-report', 'reads how the right report is made', stolenReport],
];

// Each has its own container.
describeLong(
  'verdicts that a student without root forges',
  {
    skip: engineSkip,
    timeout: 600_000,
    concurrency: 2,
  },
  () => {
    const installation = `test-${randomUUID()}`;
    const { containers, grading } = loadConfig({});
    const cleanup = new AsyncDisposableStack();
    let engine: DockerEngine;
    let shell: SshShell;
    let grader: Grader;
    let tasks: { id: number; slug: string; verification_script: string }[];

    before(async () => {
      const found = await testEngine();
      if ('reason' in found) throw new Error(found.reason);
      engine = cleanup.use(new DockerEngine({ docker: new Docker(found.options), installation, callTimeout: 30_000 }));
      shell = new SshShell({ engine });
      grader = new Grader({ shells: cleanup.use(new ShellPool(shell)), ...grading });
      const { exams } = await readContent(join(import.meta.dirname, '../../content'));
      tasks = (exams.find(({ slug }) => slug === 'linux-basics')?.tasks ?? []).map((task, id) => ({ ...task, id }));
    });
    after(() => cleanup.disposeAsync());

    for (const [slug, how, script] of attacks) {
      it(`${slug}: FAIL for one who ${how}`, async () => {
        const { memoryMb, cpus, processes, diskMb } = containers;
        const name = `${installation}-${randomUUID()}`;
        const limits = { memoryMb, cpus, processes, diskMb, hasInternet: false };
        const ref = await engine.create({ name, uid: randomUUID(), image: 'platform-exam-linux-basics', ...limits });
        try {
          await using student = await shell.connect(ref, 'student');
          const begin = `HOME=/home/student PATH=/usr/bin:/bin\n${script}\necho ready`;
          void student.runScript(begin, { seconds: 20, outputBytes: 65_536 }).catch(() => undefined);
          await using root = await shell.connect(ref, 'grader');
          const isReady = async () =>
            (await root.runScript('[ -e /tmp/hunting ] && echo yes', { seconds: 5, outputBytes: 100 })).output ===
            'yes\n';
          await until(isReady, 'the attack to run');
          const task = tasks.find((each) => each.slug === slug);
          assert.ok(task);
          const verdicts: Verdict[] = [];
          // An attack that depends on timing has several attempts.
          for (let round = 0; round < rounds(5, 20) && !verdicts.some(({ passed }) => passed); round += 1)
            await grader.grade(ref, [task], async (_task, verdict) => void verdicts.push(verdict));
          for (const { passed, output } of verdicts) assert.equal(passed, false, output);
        } finally {
          await engine.remove(ref);
        }
      });
    }
  },
);
