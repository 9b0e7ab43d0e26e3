import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isRefusal } from '../../api/problem.ts';
import { AwaitingBadge } from '../../attempts/awaiting.tsx';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { type OwnGrades as Own, ownGradesQuery } from '../../teaching-model/classes.ts';
import { LateGrade } from '../../teaching-model/due-state.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';
import { Figures } from '../class-figures.tsx';

type Item = Own['items'][number];

/** A student's own grades in a class. */
export function OwnGrades({ classId }: { classId: number }) {
  const t = useStrings();
  const query = useQuery(ownGradesQuery(classId));
  return (
    <Figures title={t.classes.myGrades} lead={t.classes.myGradesLead}>
      {isRefusal(query.error, 'forbidden') ? (
        <Empty title={t.classes.gradesHidden} />
      ) : (
        <Fetched query={query}>
          {(grades) => (
            <>
              <Total of={grades} />
              <Items items={grades.items} />
            </>
          )}
        </Fetched>
      )}
    </Figures>
  );
}

/** Longer formulas are harder to read than the table below. */
const maxTerms = 8;

/** How the total follows from the grades that count, with their percentages and weights. Undefined where it is one grade, or many. */
function useFormula({ percent, rules, items }: Own): string | undefined {
  const format = useFormat();
  const counted = items.filter(
    ({ weight, score, is_dropped, is_missing }) =>
      weight > 0 && !is_dropped && (score !== null || (is_missing && rules.missing === 'zero')),
  );
  if (percent === null || counted.length < 2 || counted.length > maxTerms) return undefined;
  const terms = counted.map(({ score, max_score, weight }) => {
    const part = `${format.decimal(max_score === 0 ? 0 : (100 * (score ?? 0)) / max_score)} %`;
    return weight === 1 ? part : `${part} × ${format.decimal(weight)}`;
  });
  const weight = counted.reduce((sum, item) => sum + item.weight, 0);
  return `(${terms.join(' + ')}) ÷ ${format.decimal(weight)} = ${format.decimal(percent)} %`;
}

function Total({ of }: { of: Own }) {
  const { percent, is_passed, rules } = of;
  const { classes: words } = useStrings();
  const format = useFormat();
  const formula = useFormula(of);
  return (
    <Card>
      <p className="flex flex-wrap items-center gap-3">
        <span className="text-2xl font-semibold tabular-nums">
          {percent === null ? words.noPercent : words.percent(format.decimal(percent))}
        </span>
        {is_passed !== null && <Badge tone={is_passed ? 'good' : 'bad'}>{words.totalPassed[`${is_passed}`]}</Badge>}
      </p>
      {formula !== undefined && (
        <p className="mt-2 text-sm text-ink-soft tabular-nums">
          {words.formula} {formula}
        </p>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        {rules.passing_percent !== null && `${words.totalRule(format.decimal(rules.passing_percent))} `}
        {words.missingRule[rules.missing]}
      </p>
    </Card>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  const { classes: words } = useStrings();
  const format = useFormat();
  if (items.length === 0) return <Empty title={words.noItems} />;
  return (
    <Table
      caption={words.myGrades}
      rows={items}
      keyOf={({ key }) => key}
      columns={[
        {
          title: words.item,
          sortBy: ({ title }) => title,
          cell: ({ title }) => <span className="[overflow-wrap:anywhere]">{title}</span>,
        },
        { title: words.grade, cell: (item) => <Grade item={item} /> },
        { title: words.weight, isNumber: true, isMinor: true, cell: ({ weight }) => format.decimal(weight) },
      ]}
    />
  );
}

const results = { exam: '/exams/results/$attemptId', laboratory: '/laboratories/results/$attemptId' } as const;

function Grade({
  item: { kind, score, max_score, attempt_id, is_withheld, is_awaiting_grading, is_dropped, passed, late },
}: {
  item: Item;
}) {
  const { classes: words } = useStrings();
  const format = useFormat();
  if (score === null && is_awaiting_grading) return <AwaitingBadge />;
  if (score === null) return <span className="text-ink-soft">{is_withheld ? words.withheld : words.missingGrade}</span>;
  const points = `${format.decimal(score)} / ${format.decimal(max_score)}`;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {attempt_id === null || kind === 'column' ? (
        <span className="tabular-nums">{points}</span>
      ) : (
        <Link
          to={results[kind]}
          params={{ attemptId: `${attempt_id}` }}
          className="tabular-nums text-accent underline underline-offset-2"
        >
          {points}
        </Link>
      )}
      {passed && <Badge tone="good">{words.passed}</Badge>}
      <LateGrade late={late} />
      {is_dropped && <span className="text-xs text-ink-soft">{words.droppedGrade}</span>}
    </span>
  );
}
