import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChartColumn, Columns3, Download, Scale, Settings2, Upload } from 'lucide-react';
import { useState } from 'react';
import { type Answer, api } from '../../api/client.ts';
import { download } from '../../api/download.ts';
import { pageSize } from '../../api/list-query.ts';
import { ok } from '../../api/problem.ts';
import { useUser } from '../../api/use-session.ts';
import { ImportDialog } from '../../imports/import-dialog.tsx';
import type { ImportKind } from '../../imports/import-kind.ts';
import { useTabAddress } from '../../routing/use-address.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  type ClassGrades,
  classesKey,
  type GradesSearch,
  gradesQuery,
  gradesStates,
  mayChange,
  type SchoolClass,
} from '../../teaching-model/classes.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, optionsOf, Select, TextField } from '../../ui/forms/field.tsx';
import { useSentForm } from '../../ui/forms/form-field.ts';
import { SentForm } from '../../ui/forms/sent-form.tsx';
import { FilterFields } from '../../ui/lists/filters.tsx';
import { Pages } from '../../ui/lists/pages.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Empty, Fetched } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { Figures, titleAmong } from '../class-figures.tsx';
import { GradeColumnForm } from './grade-column-form.tsx';
import { GradeTable } from './grade-table.tsx';

/** The grade book of a class: students by exams, laboratories and columns. */
export function Grades({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const { search, onSearch } = useTabAddress('/classes/$classId', 'grades');
  const { id } = of;
  const query = useQuery(gradesQuery(id, search));
  const canChange = mayChange(of, useUser());
  const change = (next: Partial<GradesSearch>, replace = false): void =>
    onSearch({ ...search, page: undefined, ...next }, replace);
  return (
    <Figures
      title={t.classes.grades}
      lead={t.classes.gradesLead}
      actions={
        <>
          <ButtonLink look="plain" to="/classes/$classId/grades/statistics" params={{ classId: `${id}` }}>
            <ChartColumn size={16} aria-hidden="true" /> {t.gradeBook.statistics}
          </ButtonLink>
          <ButtonLink look="plain" to="/classes/$classId/grades/comparison" params={{ classId: `${id}` }}>
            <Scale size={16} aria-hidden="true" /> {t.gradeBook.compare}
          </ButtonLink>
          <GradeExport classId={id} />
          {canChange && query.data && <GradeActions classId={id} book={query.data} />}
        </>
      }
    >
      <FilterFields
        filters={[
          { text: 'q', label: t.gradeBook.search },
          { choice: 'state', label: t.gradeBook.state, options: optionsOf(gradesStates, t.gradeBook.states) },
        ]}
        search={search}
        onChange={change}
      />
      <Fetched query={query}>
        {(grades) => (
          <>
            {grades.students.length === 0 ? (
              <Empty title={search.q || search.state ? t.search.nothingFits : t.classes.noStudents} />
            ) : (
              <GradeTable classId={id} grades={grades} search={search} onSort={change} mayChange={canChange} />
            )}
            <Rules rules={grades.rules} hasNothing={grades.subjects.length + grades.columns.length === 0} />
            <Pages
              page={search.page ?? 1}
              pageSize={pageSize}
              total={grades.total}
              onChange={(page) => onSearch({ ...search, page }, false)}
            />
          </>
        )}
      </Fetched>
    </Figures>
  );
}

/** The rules of the percentages in words. */
function Rules({ rules, hasNothing }: { rules: ClassGrades['rules']; hasNothing: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const sentences = [
    hasNothing && t.classes.noAssessments,
    t.gradeBook.ruleMissing[rules.missing],
    rules.drop_lowest > 0 && t.gradeBook.ruleDropped(rules.drop_lowest),
    rules.passing_percent !== null && t.gradeBook.rulePassing(format.decimal(rules.passing_percent)),
    t.gradeBook.ruleVisible[`${rules.is_visible}`],
    t.gradeBook.help,
  ];
  return <p className="max-w-prose text-xs text-ink-soft">{sentences.filter((sentence) => sentence).join(' ')}</p>;
}

/** What those who may change the grade book do with it. */
function GradeActions({ classId, book }: { classId: number; book: ClassGrades }) {
  const { gradeBook: words } = useStrings();
  const toasts = useToasts();
  const [shown, setShown] = useState<'import' | 'column' | 'rules'>();
  const close = (): void => setShown(undefined);
  const kind: ImportKind<Answer<'/api/classes/{id}/grade-columns/import', 'post'>> = {
    path: `/api/classes/${classId}/grade-columns/import`,
    texts: {
      title: words.importTitle,
      lead: words.importLead,
      help: words.importHelp,
      text: words.importText,
      example: `username,${book.columns[0]?.name ?? ''}\nanna,7`,
      action: words.importNow,
    },
    changes: [...classesKey, 'grades', classId],
    onImported: ({ changed }) => toasts.done(words.imported(changed)),
  };
  return (
    <>
      {book.columns.length > 0 && (
        <Button aria-haspopup="dialog" onClick={() => setShown('import')}>
          <Upload size={16} aria-hidden="true" /> {words.import}
        </Button>
      )}
      <Button aria-haspopup="dialog" onClick={() => setShown('column')}>
        <Columns3 size={16} aria-hidden="true" /> {words.newColumn}
      </Button>
      <Button aria-haspopup="dialog" onClick={() => setShown('rules')}>
        <Settings2 size={16} aria-hidden="true" /> {words.rules}
      </Button>
      <ImportDialog kind={kind} isOpen={shown === 'import'} onClose={close} />
      <Dialog title={words.newColumn} description={words.columnLead} isOpen={shown === 'column'} onOpenChange={close}>
        <GradeColumnForm classId={classId} onDone={close} />
      </Dialog>
      <Dialog title={words.rulesTitle} width="max-w-2xl" isOpen={shown === 'rules'} onOpenChange={close}>
        <GradeRulesForm classId={classId} book={book} onDone={close} />
      </Dialog>
    </>
  );
}

const formats = ['all', 'columns', 'moodle', 'canvas'] as const;

/** Saves the grades of all students in a format. */
function GradeExport({ classId }: { classId: number }) {
  const t = useStrings();
  const toasts = useToasts();
  const save = (format: (typeof formats)[number]): void =>
    void download(`/api/classes/${classId}/grades`, { format }, 'text/csv').catch(toasts.failed);
  return (
    <Menu
      trigger={
        <Button>
          <Download size={16} aria-hidden="true" /> {t.gradeBook.export}
        </Button>
      }
    >
      {formats.map((format) => (
        <MenuItem key={format} onSelect={() => save(format)}>
          {t.gradeBook.exports[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}

const missingRules = ['zero', 'ignored'] as const;
const counted = ['best', 'last', 'first'] as const;

const valuesOf = ({ rules, subjects }: ClassGrades) => ({
  missing: rules.missing,
  drop_lowest: `${rules.drop_lowest}`,
  passing_percent: `${rules.passing_percent ?? ''}`,
  is_visible: rules.is_visible,
  subjects: subjects.map(({ weight, counted_attempt }) => ({ weight: `${weight}`, counted_attempt })),
});

/** The rules of a grade book, with the weights of its exams and laboratories. A column has its weight in its own form. */
function GradeRulesForm({ classId, book, onDone }: { classId: number; book: ClassGrades; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.gradeBook;
  const sent = useSentForm(valuesOf(book), async (values) => {
    const body = {
      ...{ missing: values.missing, is_visible: values.is_visible, drop_lowest: Number(values.drop_lowest) },
      passing_percent: values.passing_percent === '' ? null : Number(values.passing_percent),
      subjects: book.subjects.flatMap(({ kind, id }, index) => {
        const { weight = '1', counted_attempt = 'best' as const } = values.subjects[index] ?? {};
        return [{ kind, id, weight: Number(weight), counted_attempt }];
      }),
    };
    await ok(api.PUT('/api/classes/{id}/grade-book', { params: { path: { id: classId } }, body }));
    toasts.done(words.saved);
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
  });
  const { form, field } = sent;
  const numbers = { type: 'number', min: 0, className: 'max-w-40' } as const;
  return (
    <SentForm sent={sent} action={t.common.save}>
      <Select label={words.missingRule} options={optionsOf(missingRules, words.missingRules)} {...field('missing')} />
      <TextField label={words.dropLowest} required {...numbers} max={100} {...field('drop_lowest')} />
      <TextField
        label={words.passingPercent}
        help={words.passingHelp}
        {...numbers}
        max={100}
        step="any"
        {...field('passing_percent')}
      />
      <Checkbox label={words.visible} {...form.register('is_visible')} />
      {book.subjects.length > 0 && (
        <fieldset className="flex flex-col gap-3 rounded-md border px-3 py-3">
          <legend className="px-1 text-sm font-medium">{words.weights}</legend>
          <p className="text-sm text-ink-soft">
            {words.weightHelp} {words.countedHelp}
          </p>
          {book.subjects.map((assessment, index) => {
            const title = titleAmong(book.subjects, assessment);
            return (
              <div
                key={assessment.key}
                className="grid grid-cols-[minmax(0,1fr)_5rem] items-center gap-2 sm:grid-cols-[minmax(0,1fr)_5rem_11rem]"
              >
                <span className="text-sm [overflow-wrap:anywhere]">{title}</span>
                <TextField
                  label={words.weightOfItem(title)}
                  isLabelHidden
                  required
                  {...{ type: 'number', min: 0, max: 1000, step: 'any' }}
                  {...field(`subjects.${index}.weight`)}
                />
                <div className="col-span-2 sm:col-span-1">
                  <Select
                    label={words.countedOfItem(title)}
                    isLabelHidden
                    options={optionsOf(counted, words.counted)}
                    {...field(`subjects.${index}.counted_attempt`)}
                  />
                </div>
              </div>
            );
          })}
        </fieldset>
      )}
    </SentForm>
  );
}
