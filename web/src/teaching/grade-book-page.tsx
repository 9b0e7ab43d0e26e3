import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { List } from '../ui/lists/list-page.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { AssessmentSelect } from './assessment-select.tsx';
import { GradeTable } from './grade-table.tsx';
import { type Assessment, assessmentsQuery, gradeBookQuery } from './queries.ts';

export function GradeBookPage() {
  const t = useStrings();
  const assessments = useQuery(assessmentsQuery);
  const { kind, id, attempt = 'best' } = useAddress('/teaching/grade-book').search;
  const chosen = choose(assessments.data ?? [], kind, id);
  const path = chosen && `/api/instructor/${chosen.kind === 'exam' ? 'exams' : 'laboratories'}/${chosen.id}`;
  return (
    <Page
      title={t.common.links.gradeBook}
      lead={t.teaching.gradeBookLead}
      actions={
        path && <DownloadButton label={t.teaching.csvSave} path={`${path}/grade-book/export`} query={{ attempt }} />
      }
    >
      <Fetched query={assessments}>
        {(all) =>
          chosen ? (
            <GradeBook assessments={all} chosen={chosen} />
          ) : (
            <Empty title={t.teaching.chooseTitle}>{t.teaching.chooseHelp}</Empty>
          )
        }
      </Fetched>
    </Page>
  );
}

function GradeBook({ assessments, chosen }: { assessments: readonly Assessment[]; chosen: Assessment }) {
  const t = useStrings();
  const { search, onSearch } = useAddress('/teaching/grade-book');
  const { kind: _kind, id: _id, ...filter } = search;
  return (
    <List
      caption={chosen.title}
      search={search}
      onSearch={onSearch}
      query={useQuery(gradeBookQuery(chosen.kind, chosen.id, { attempt: 'best', ...filter }))}
      filters={[
        {
          names: [],
          control: (change) => (
            <AssessmentSelect
              assessments={assessments}
              chosen={chosen}
              onChange={(next) => change({ kind: next?.kind, id: next?.id, search: undefined })}
            />
          ),
        },
        {
          choice: 'attempt',
          label: t.teaching.counted,
          options: [
            { value: 'best', label: t.teaching.best },
            { value: 'latest', label: t.teaching.latest },
          ],
          fallback: 'best',
        },
        { text: 'search', label: t.teaching.searchStudent },
      ]}
      empty={{ title: t.teaching.noGradesTitle, help: t.teaching.noGradesHelp }}
    >
      {({ assessment, tasks, items }) => (
        <GradeTable
          {...{ assessment, tasks, students: items, sort: search.sort ?? 'username', order: search.order ?? 'asc' }}
          onSort={(sort, order) => onSearch({ ...search, page: undefined, sort, order }, false)}
        />
      )}
    </List>
  );
}

/** The assessment in the URL. Without it, the first assessment with attempts, so that the page is not empty. */
function choose(
  assessments: readonly Assessment[],
  kind: string | undefined,
  id: number | undefined,
): Assessment | undefined {
  return (
    assessments.find((assessment) => assessment.kind === kind && assessment.id === id) ??
    assessments.find(({ students }) => students > 0) ??
    assessments[0]
  );
}
