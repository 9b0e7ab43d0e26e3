import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../routing/place-context.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { List } from '../ui/lists/list-page.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { SubjectSelect } from './assessment-select.tsx';
import { GradeTable } from './grade-table.tsx';
import { gradeBookQuery, type Subject, subjectsQuery } from './queries.ts';

export function GradeBookPage() {
  const t = useStrings();
  const subjects = useQuery(subjectsQuery);
  const { kind, id, attempt = 'best' } = useAddress('/teaching/grade-book').search;
  const chosen = choose(subjects.data ?? [], kind, id);
  const path = chosen && `/api/instructor/${chosen.kind === 'exam' ? 'exams' : 'laboratories'}/${chosen.id}`;
  return (
    <Page
      title={t.common.links.gradeBook}
      lead={t.teaching.gradeBookLead}
      actions={
        path && <DownloadButton label={t.teaching.csvSave} path={`${path}/grade-book/export`} query={{ attempt }} />
      }
    >
      <Fetched query={subjects}>
        {(all) =>
          chosen ? (
            <GradeBook subjects={all} chosen={chosen} />
          ) : (
            <Empty title={t.teaching.chooseTitle}>{t.teaching.chooseHelp}</Empty>
          )
        }
      </Fetched>
    </Page>
  );
}

function GradeBook({ subjects, chosen }: { subjects: readonly Subject[]; chosen: Subject }) {
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
            <SubjectSelect
              subjects={subjects}
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
      {({ subject, tasks, items }) => (
        <GradeTable
          {...{ subject, tasks, students: items, sort: search.sort ?? 'username', order: search.order ?? 'asc' }}
          onSort={(sort, order) => onSearch({ ...search, page: undefined, sort, order }, false)}
        />
      )}
    </List>
  );
}

/** The subject in the URL. Without it, the first subject with attempts, so that the page is not empty. */
function choose(subjects: readonly Subject[], kind: string | undefined, id: number | undefined): Subject | undefined {
  return (
    subjects.find((subject) => subject.kind === kind && subject.id === id) ??
    subjects.find(({ students }) => students > 0) ??
    subjects[0]
  );
}
