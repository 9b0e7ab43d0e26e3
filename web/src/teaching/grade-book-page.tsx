import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useStrings } from '../strings/use-strings.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Select } from '../ui/field.tsx';
import { Filters, SearchField } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { GradeTable } from './grade-table.tsx';
import { gradeBookQuery, pageSize, type Subject, subjectsQuery } from './queries.ts';
import { SubjectSelect } from './subject-select.tsx';

const route = getRouteApi('/user/instructor/teaching/grade-book');

export function GradeBookPage() {
  const t = useStrings();
  const subjects = useQuery(subjectsQuery);
  const { kind, id, attempt = 'best' } = route.useSearch();
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
  const { attempt = 'best', search, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const book = useQuery(gradeBookQuery(chosen.kind, chosen.id, { attempt, search, page }));
  return (
    <>
      <Filters>
        <div className="col-span-2">
          <SubjectSelect
            subjects={subjects}
            chosen={chosen}
            onChange={(next) => next && void navigate({ search: { kind: next.kind, id: next.id, attempt } })}
          />
        </div>
        <Select
          label={t.teaching.counted}
          value={attempt}
          onChange={({ target }) =>
            void navigate({
              search: (old) => ({ ...old, page: undefined, attempt: target.value === 'latest' ? 'latest' : undefined }),
            })
          }
          options={[
            { value: 'best', label: t.teaching.best },
            { value: 'latest', label: t.teaching.latest },
          ]}
        />
        <SearchField
          label={t.teaching.searchStudent}
          value={search}
          onChange={(next) =>
            void navigate({ search: (old) => ({ ...old, page: undefined, search: next }), replace: true })
          }
        />
      </Filters>
      <Fetched query={book}>
        {({ subject, tasks, students, total }) => (
          <PagedList
            page={page}
            pageSize={pageSize}
            total={total}
            isEmpty={students.length === 0}
            none={
              search
                ? { title: t.teaching.nobodyFound, help: t.teaching.nobodyFoundHelp }
                : { title: t.teaching.noGradesTitle, help: t.teaching.noGradesHelp }
            }
            onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
          >
            <GradeTable subject={subject} tasks={tasks} students={students} />
          </PagedList>
        )}
      </Fetched>
    </>
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
