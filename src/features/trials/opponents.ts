import type { ContainerShell, ShellConnection } from '../../../packages/ssh/container-shell.ts';
import type { Verdict } from '../../values/grading-remark.ts';
import type { GradableTask, Grader } from '../grading/grader.ts';
import { type AnswerPath, emptyAnswers } from './answer-paths.ts';
import { attackScript, type Opponent, type Preparation, preparationScript, type Round } from './opponent-program.ts';

export type OpponentTask = GradableTask & { answers: readonly AnswerPath[] };

/** A check against an opponent: the run that passed, or the last one. */
export type OpponentRun = Verdict & { opponent: Opponent };

export type OpponentParts = {
  /** A separate, unused container. */
  ref: string;
  shell: ContainerShell;
  grader: Pick<Grader, 'grade'>;
  opponents: readonly Opponent[];
  signal?: AbortSignal;
};

/** The rounds of each opponent: in each, every check runs once. */
const plain = (...preparations: Preparation[]): Round[] => preparations.map((preparation) => ({ preparation }));
const choosy: Round = { preparation: 'empty', isChoosy: true };
const rounds: Record<Opponent, readonly Round[]> = {
  kills: [...plain('nothing', 'empty'), choosy],
  stops: [...plain('nothing', 'empty'), choosy],
  replaces: plain('empty', 'empty'),
  // In the later rounds it answers with what it read in the first. Words that every check shows are not answers.
  reads: [
    { preparation: 'nothing', isRehearsal: true },
    ...plain('empty', 'all seen', 'last seen', 'last seen', 'last seen', 'last seen'),
  ],
  empty: plain('empty', 'quiet'),
  traces: plain('empty'),
};

/** Reveals the words of the processes that run checks, and of those that run as the student within them. */
const rehearsal = { id: 0, verification_script: 'as_student /usr/bin/sleep 0.3\necho FAIL', answers: [] };

/** Checks of a round that run at once. They spend most of their time waiting. */
const width = 6;

/**
 * Runs each of the given opponents against every check. An opponent is a student, without root but for `traces`, who has solved nothing and interferes with the check while
 * it runs.
 * @returns for each task, its runs in the order of the opponents
 * @throws as Grader.grade and ContainerShell.connect; the signal's reason between two checks
 */
export async function runAttacks(parts: OpponentParts, tasks: readonly OpponentTask[]): Promise<OpponentRun[][]> {
  const runs: OpponentRun[][] = tasks.map(() => []);
  if (tasks.length === 0) return runs;
  await using root = await parts.shell.connect(parts.ref, 'grader');
  await run(root, keepHome);
  const answers = tasks.flatMap((task) => emptyAnswers(task.answers));
  for (const opponent of parts.opponents) {
    const last = new Map<OpponentTask, Verdict>();
    const ownRounds = rounds[opponent];
    const keepsFiles = ownRounds.some(({ isRehearsal }) => isRehearsal);
    for (const [index, { preparation, isChoosy, isRehearsal }] of ownRounds.entries()) {
      parts.signal?.throwIfAborted();
      await run(
        root,
        `${beginning(preparation, answers)}\n${attack(attackScript(opponent, answers, isChoosy), opponent === 'traces' ? asRoot : asOpponent)}`,
      );
      const played = isRehearsal ? [rehearsal] : tasks.filter((task) => !last.get(task)?.passed);
      await checkAll(parts, played, last);
      await run(root, keepsFiles && index < ownRounds.length - 1 ? endStudent : restore, { isCheck: true });
    }
    for (const [index, task] of tasks.entries()) {
      const verdict = last.get(task);
      if (verdict) runs[index]?.push({ opponent, ...verdict });
    }
  }
  return runs;
}

async function checkAll(
  { grader, ref, signal }: OpponentParts,
  tasks: readonly OpponentTask[],
  last: Map<OpponentTask, Verdict>,
): Promise<void> {
  const waiting = [...tasks];
  const checks = Array.from({ length: width }, async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      signal?.throwIfAborted();
      await grader.grade(ref, [task], async (played, verdict) => void last.set(played, verdict));
    }
  });
  const ended = await Promise.allSettled(checks);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/** Root starts the opponent's programs, because the opponent would kill a shell of the student. */
const asOpponent = `/.grader/bin/busybox setsid /usr/bin/setpriv --reuid=1000 --regid=1000 --init-groups --no-new-privs \\
  /usr/bin/env -i HOME=/home/student OPPONENT=yes PATH=/.grader/bin:/usr/bin:/bin /.grader/bin/bash`;

/** The student of an image that grants root. */
const asRoot =
  '/.grader/bin/busybox setsid /.grader/bin/busybox env -i HOME=/root OPPONENT=yes PATH=/.grader/bin:/usr/bin:/bin /.grader/bin/bash';

const heredoc = (file: string, script: string): string =>
  `base64 -d >${file} <<'END'\n${Buffer.from(script).toString('base64').replace(/.{76}/g, '$&\n')}\nEND\nchmod 644 ${file}`;

const beginning = (preparation: Preparation, answers: readonly AnswerPath[]): string =>
  `${heredoc('/tmp/.preparation', preparationScript(preparation, answers))}
/usr/bin/timeout -k 1 15 ${asOpponent} /tmp/.preparation </dev/null >/dev/null 2>&1`;

/** A process that does not have its own session yet would end with the script that starts it, so it reports when it has. */
const attack = (script: string | undefined, account: string): string =>
  script === undefined
    ? ''
    : `${heredoc('/tmp/.opponent', `: >/tmp/.begun\n${script}`)}
rm -f /tmp/.begun /tmp/.launched
${account} /tmp/.opponent </dev/null >/dev/null 2>&1 &
until [ -e /tmp/.begun ]; do sleep 0.01; done
: >/tmp/.launched`;

const keepHome = 'tar -cf /root/.home.tar -C /home/student .';
/** Ends the opponent's processes. A process that starts others in the meantime is caught in the next pass. */
const endStudent = `for look in {1..100}; do
  /usr/bin/pkill -KILL -u 1000 || /usr/bin/pkill -KILL -f '^/.grader/bin/bash /tmp/.opponent' || break
  sleep 0.02
done`;
const restore = `${endStudent}
/usr/bin/find /home/student -mindepth 1 -delete
tar -xpf /root/.home.tar -C /home/student
for place in /tmp /var/tmp /dev/shm /srv /opt /var/spool; do
  [ ! -d "$place" ] || /usr/bin/find "$place" -mindepth 1 -user 1000 -delete
done`;

/** @param more `isCheck`: an opponent that is root cannot reach the script, which leaves nothing running */
async function run(root: ShellConnection, script: string, more: { isCheck?: boolean } = {}): Promise<void> {
  const { ending } = await root.runScript(script, { seconds: 25, outputBytes: 4096, ...more });
  // If an opponent does not run, every check would appear sound.
  if (ending !== 'exit') throw new Error(`An opponent could not be prepared (${ending})`);
}
