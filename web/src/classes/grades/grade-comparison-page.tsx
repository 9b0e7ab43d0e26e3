import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useAddress } from '../../routing/use-address.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  allClassesQuery,
  classQuery,
  type GradeComparison,
  gradeComparisonQuery,
} from '../../teaching-model/classes.ts';
import { Select } from '../../ui/forms/field.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';
import { GradesCrumbs } from './grades-crumbs.tsx';

/** The results of a class beside those of another one, such as of the term before. */
export function GradeComparisonPage() {
  const { gradeBook: words } = useStrings();
  const { classId } = useParams({ from: '/classes/$classId/grades/comparison' });
  const { search, onSearch } = useAddress('/classes/$classId/grades/comparison');
  const id = Number(classId);
  const { data: of } = useQuery(classQuery(id));
  const classes = useQuery(allClassesQuery);
  return (
    <Page
      title={of ? words.comparisonOf(of.name) : words.compare}
      crumbs={<GradesCrumbs classId={classId} name={of?.name} />}
      lead={words.comparisonLead}
    >
      <Fetched query={classes}>
        {(all) => (
          <div className="max-w-md">
            <Select
              label={words.otherClass}
              value={`${search.with ?? ''}`}
              onChange={({ target }) => onSearch({ with: Number(target.value) || undefined }, false)}
              options={[
                { value: '', label: words.chooseClass },
                ...all.filter((one) => one.id !== id).map((one) => ({ value: `${one.id}`, label: one.name })),
              ]}
            />
          </div>
        )}
      </Fetched>
      {search.with !== undefined && <Comparison id={id} other={search.with} />}
    </Page>
  );
}

function Comparison({ id, other }: { id: number; other: number }) {
  const { gradeBook: words } = useStrings();
  return (
    <Fetched query={useQuery(gradeComparisonQuery(id, other))}>
      {({ classes, items }) =>
        items.length === 0 ? (
          <Empty title={words.nothingInCommon} />
        ) : (
          items.map((item) => <Item key={item.keys.join(' ')} item={item} classes={classes} />)
        )
      }
    </Fetched>
  );
}

type Item = GradeComparison['items'][number];

/** One exam or laboratory: a row for each figure and each task, a column for each class. */
function Item({ item: { title, figures, tasks }, classes }: { item: Item } & Pick<GradeComparison, 'classes'>) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  const percent = (value: number | null): string => (value === null ? '–' : words.percent(format.decimal(value)));
  const part = ({ passed, count }: { passed: number; count: number }): string =>
    count === 0 ? '–' : `${percent((100 * passed) / count)} (${words.ofAll(passed, count)})`;
  const rows = [
    {
      name: words.figures.count,
      values: figures.map(({ count }, index) => words.ofAll(count, classes[index]?.students ?? count)),
    },
    { name: words.figures.mean, values: figures.map(({ mean }) => percent(mean)) },
    { name: words.figures.median, values: figures.map(({ median }) => percent(median)) },
    { name: words.passedOf, values: figures.map(part) },
    ...tasks.map((task) => ({ name: words.taskNamed(task.title), values: task.figures.map(part) })),
  ].map((row, index) => ({ ...row, index }));
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{title}</h2>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ index }) => index}
        columns={[
          { title: words.figure, cell: ({ name }) => <span className="[overflow-wrap:anywhere]">{name}</span> },
          ...classes.map(({ id, name }, index) => ({
            // Classes of two terms can have one name.
            title: classes.some((one) => one.name === name && one.id !== id) ? `${name} (${id})` : name,
            isNumber: true,
            cell: ({ values }: (typeof rows)[number]) => values[index],
          })),
        ]}
      />
    </section>
  );
}
