import { CircleCheck, CircleX, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRemarkText } from '../../attempts/use-remark-text.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import type { TaskKind } from '../../teaching-model/assessments.ts';
import type { TaskTrial, Trial } from './assessment-calls.ts';

/** The problem of a task, in the user's language. */
export function useProblemWords(): (trial: TaskTrial) => string {
  const { problems, solutionStatus, forged, forgers, withValues } = useStrings().authoring.trial;
  const wordsOf = ({ problem, problem_code, solution, opponents }: TaskTrial): string => {
    if (problem_code === 'forgeable') {
      const winners = opponents.filter(({ passed }) => passed).map(({ opponent }) => forgers[opponent]);
      return forged(winners.join(', '));
    }
    if (problem_code === 'solution_failed' && solution) return solutionStatus(solution.exit_status ?? 0);
    // A newer service may have codes that these pages do not know.
    return (problem_code && problems[problem_code]) ?? problem ?? '';
  };
  return (trial) => {
    const values = Object.entries(trial.values ?? {}).map(([name, value]) => `${name} = ${value}`);
    return (values.length > 0 ? withValues(values.join(', ')) : '') + wordsOf(trial);
  };
}

/** The steps of one task's trial, each with its result and output. */
export function TaskTrialCard({ trial, kind }: { trial: TaskTrial; kind: TaskKind }) {
  const { title, problem } = trial;
  const problemWords = useProblemWords();
  return (
    <section aria-label={title} className="rounded-md border">
      <header className="flex flex-wrap items-center gap-x-2 border-b px-4 py-3">
        {problem === null ? (
          <CircleCheck size={18} aria-hidden="true" className="text-good" />
        ) : (
          <CircleX size={18} aria-hidden="true" className="text-bad" />
        )}
        <h3 className="font-medium">{title}</h3>
        {problem !== null && <p className="w-full text-sm text-bad">{problemWords(trial)}</p>}
      </header>
      {kind === 'check' ? <CheckSteps {...trial} /> : <AnswerSteps {...trial} />}
    </section>
  );
}

function useVerdictWords() {
  const t = useStrings().authoring.trial;
  return (passed: boolean, isRight: boolean, wrong: string): string =>
    `${passed ? t.passes : t.fails}, ${isRight ? t.asItShould : wrong}`;
}

/** Of a task without a check: an answer that is wrong and one that is right, or none where people grade. */
function AnswerSteps({ first, after }: TaskTrial) {
  const { trial: t, task } = useStrings().authoring;
  const verdict = useVerdictWords();
  if (after === null) return <p className="px-4 py-3 text-sm">{task.byPeople}</p>;
  return (
    <ol className="divide-y">
      <Step
        name={t.wrongAnswer}
        isRight={!first.passed}
        verdict={verdict(first.passed, !first.passed, t.shouldFail)}
        output={undefined}
      />
      <Step
        name={t.rightAnswer}
        isRight={after.passed}
        verdict={verdict(after.passed, after.passed, t.shouldPass)}
        output={undefined}
      />
    </ol>
  );
}

function CheckSteps({ first, partial, solution, after, opponents }: TaskTrial) {
  const t = useStrings().authoring.trial;
  const remarkText = useRemarkText();
  const verdict = useVerdictWords();
  return (
    <ol className="divide-y">
      <Step
        name={t.before}
        isRight={!first.passed}
        verdict={verdict(first.passed, !first.passed, t.shouldFail)}
        output={first.output}
        remark={remarkText(first)}
      />
      {partial && (
        <Step
          name={t.afterPart}
          isRight={!partial.passed && (partial.part?.earned ?? 0) > 0}
          verdict={partial.part ? t.givesPart(partial.part.earned, partial.part.of) : t.givesNoPart}
          output={partial.output}
          remark={remarkText(partial)}
        />
      )}
      <Step
        name={t.solution}
        isRight={solution ? solution.exit_status === 0 : undefined}
        verdict={!solution ? t.noSolution : solution.exit_status === null ? t.didNotEnd : t.ended(solution.exit_status)}
        output={solution?.output}
      />
      <Step
        name={t.after}
        isRight={after?.passed}
        verdict={after ? verdict(after.passed, after.passed, t.shouldPass) : t.notRun}
        output={after?.output}
        remark={after ? remarkText(after) : undefined}
      />
      {opponents.map(({ opponent, passed, output, ...run }) => (
        <Step
          key={opponent}
          name={t.opponents[opponent]}
          isRight={!passed}
          verdict={verdict(passed, !passed, t.shouldFail)}
          output={output}
          remark={remarkText(run)}
        />
      ))}
    </ol>
  );
}

/** Why the set-up failed, with the end of its output. */
export function SetupProblemCard(setup: NonNullable<Trial['setup']>) {
  const t = useStrings().authoring.trial;
  const words = t.setupProblems[setup.problem_code];
  return (
    <section aria-label={t.setup} className="rounded-md border">
      <ol>
        <Step name={t.setup} isRight={false} verdict={words?.(setup) ?? setup.problem} output={setup.output} />
      </ol>
    </section>
  );
}

function Step({
  name,
  isRight,
  verdict,
  output,
  remark,
}: {
  name: string;
  isRight: boolean | undefined;
  verdict: string;
  output: string | undefined;
  remark?: string | undefined;
}) {
  const t = useStrings().authoring.trial;
  return (
    <li className="flex flex-col gap-2 px-4 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <Mark isRight={isRight} />
        <span className="font-medium">{name}:</span>
        <span className={isRight === false ? 'text-bad' : 'text-ink-soft'}>{verdict}</span>
      </p>
      {remark && <p className="text-ink-soft">{remark}</p>}
      {output !== undefined && (
        <details open={isRight === false}>
          <summary className="w-fit rounded text-ink-soft hover:text-ink">{t.output}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <pre tabIndex={0} className={outputClasses}>
            {plain(output) || t.noOutput}
          </pre>
        </details>
      )}
    </li>
  );
}

function Mark({ isRight }: { isRight: boolean | undefined }): ReactNode {
  if (isRight === undefined) return <Minus size={16} aria-hidden="true" className="text-ink-soft" />;
  return isRight ? (
    <CircleCheck size={16} aria-hidden="true" className="text-good" />
  ) : (
    <CircleX size={16} aria-hidden="true" className="text-bad" />
  );
}

const outputClasses =
  'mt-2 max-h-72 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere';

const [bell, esc] = [String.fromCharCode(7), String.fromCharCode(27)];
/** Control sequences, and those of an operating system's (titles of windows), by ECMA-48. */
const sequences = new RegExp(`${esc}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\))`, 'g');

/** A terminal's output without the sequences that move the cursor or colour the text. */
const plain = (output: string): string => output.replace(sequences, '').replaceAll('\r\n', '\n').trimEnd();
