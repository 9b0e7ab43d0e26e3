import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { type ClassGrades, classesKey, type GradeColumn, type GradesSearch } from '../../teaching-model/classes.ts';
import { classDeadlinesQuery } from '../../teaching-model/deadlines.ts';
import { DueState, dueOf } from '../../teaching-model/due-state.tsx';
import { PersonLink } from '../../teaching-model/person-link.tsx';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DeleteButton } from '../../ui/delete-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { emailText } from '../../ui/email.tsx';
import { nextDirection, SortHead } from '../../ui/lists/sort-head.tsx';
import { TableFrame } from '../../ui/lists/table-frame.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useUndo } from '../../ui/use-undo.ts';
import { titleAmong } from '../class-figures.tsx';
import { GradeColumnForm } from './grade-column-form.tsx';
import { Dropped, GradeResult, Missing } from './grade-result.tsx';

type Student = ClassGrades['students'][number];

const sticky = 'sticky left-0 z-1 bg-surface';

/** Students by exams, laboratories and columns. The students stay visible during horizontal scrolling. A heading sorts. */
export function GradeTable({
  classId,
  grades,
  mayChange,
  ...sort
}: { classId: number; grades: ClassGrades; mayChange: boolean } & Sort) {
  const t = useStrings();
  const { students, subjects: assessments, columns } = grades;
  const words = t.gradeBook;
  const { data: deadlines = [] } = useQuery(classDeadlinesQuery(classId));
  const classDueOf = ({ kind, id }: ClassGrades['subjects'][number]) =>
    kind === 'laboratory' ? deadlines.find(({ laboratory_id }) => laboratory_id === id)?.due_at : undefined;
  return (
    <TableFrame label={t.classes.grades}>
      <table>
        <caption className="sr-only">{t.classes.grades}</caption>
        <thead>
          <tr className="*:px-2 *:py-2 *:text-left *:align-bottom *:font-medium">
            <Head {...sort} name="username" title={t.classes.member} className={classes(sticky, 'border-r')} />
            <Head {...sort} name="percent" title={words.total} />
            {assessments.map((assessment) => {
              const title = titleAmong(assessments, assessment);
              return (
                <Head
                  key={assessment.key}
                  {...sort}
                  name={assessment.key}
                  title={assessment.is_active ? title : t.classes.retired(title)}
                >
                  <Worth max={assessment.max_score} weight={assessment.weight} />
                </Head>
              );
            })}
            {columns.map((column) => (
              <Head key={column.key} {...sort} name={column.key} title={column.name}>
                <Worth max={column.max_score} weight={column.weight} />
                {mayChange && <GradeColumnHead classId={classId} column={column} />}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <tr key={student.user_id} className="group *:px-2">
              <Who student={student} />
              <Total student={student} />
              {assessments.map((assessment, index) => {
                const grade = student.results[index] ?? null;
                return (
                  <td key={assessment.key} className="whitespace-nowrap">
                    <GradeResult grade={grade} isDropped={student.dropped.includes(assessment.key)} />
                    <DueState
                      dueAt={dueOf(assessment, student.extensions, classDueOf(assessment))}
                      doneAt={grade?.passed ? grade.submitted_at : null}
                    />
                  </td>
                );
              })}
              {columns.map((column, index) => (
                <td key={column.key} className="whitespace-nowrap">
                  <GradeValue
                    {...{ classId, column, student, mayChange }}
                    value={student.values[index] ?? null}
                    isDropped={student.dropped.includes(column.key)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Who({ student: { user_id, full_name, username, email } }: { student: Student }) {
  const shown = emailText(useStrings(), email);
  return (
    <th scope="row" className={classes(sticky, 'max-w-36 min-w-32 border-r text-left font-normal sm:max-w-56')}>
      <span className="block font-medium">
        <PersonLink id={user_id}>{full_name || username}</PersonLink>
      </span>
      <span title={shown} className="block truncate text-xs text-ink-soft">
        {shown}
      </span>
    </th>
  );
}

function Total({ student: { percent, is_passed, missing } }: { student: Student }) {
  const t = useStrings();
  const format = useFormat();
  const words = t.gradeBook;
  return (
    <td className="whitespace-nowrap">
      <span className="block font-medium tabular-nums">
        {percent === null ? '–' : words.percent(format.decimal(percent))}
      </span>
      {is_passed !== null && (
        <span className={classes('block text-xs', is_passed ? 'text-good' : 'text-bad')}>
          {is_passed ? words.passed : words.failed}
        </span>
      )}
      {missing > 0 && (
        <span className="block text-xs text-ink-soft">
          {words.missing}: {missing}
        </span>
      )}
    </td>
  );
}

/** Edits or deletes a column of the grade book. */
function GradeColumnHead({ classId, column }: { classId: number; column: GradeColumn }) {
  const { gradeBook: words, common } = useStrings();
  const undo = useUndo();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { id: column_id, name } = column;
  const remove = async (): Promise<void> => {
    const params = { path: { id: classId, column_id } };
    await ok(api.DELETE('/api/classes/{id}/grade-columns/{column_id}', { params }));
    undo(words.columnDeleted(name), 'class_grade_column', column_id);
    await queries.invalidateQueries({ queryKey: [...classesKey, 'grades', classId] });
  };
  return (
    <span className="flex">
      <IconButton label={words.editColumn(name)} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Pencil size={14} aria-hidden="true" />
      </IconButton>
      <DeleteButton
        label={`${words.deleteColumn}: ${name}`}
        title={words.deleteColumnTitle(name)}
        action={words.deleteColumn}
        onConfirm={remove}
      >
        {words.deleteColumnHelp} {common.undoHelp}
      </DeleteButton>
      <Dialog title={words.editColumn(name)} isOpen={isOpen} onOpenChange={setOpen}>
        <GradeColumnForm classId={classId} given={column} onDone={() => setOpen(false)} />
      </Dialog>
    </span>
  );
}

type Sort = { search: GradesSearch; onSort: (change: Partial<GradesSearch>) => void };

/** A heading. A first click sorts figures from the highest, names from the first; a second one turns the order round. */
function Head({
  name,
  title,
  search,
  onSort,
  className,
  children,
}: { name: string; title: string; className?: string; children?: ReactNode } & Sort) {
  const { sort = 'username', order = 'asc' } = search;
  const direction = sort === name ? order : undefined;
  const next = nextDirection(direction, name === 'username' ? 'asc' : 'desc');
  return (
    <SortHead
      title={title}
      direction={direction}
      onSort={() => onSort({ sort: name, order: next })}
      className={classes('max-w-32 min-w-18', className)}
      buttonClassName="items-end text-left"
      hasSign={false}
    >
      {children}
    </SortHead>
  );
}

/** The maximum of a column, and its weight if it is not one. */
function Worth({ max, weight }: { max: number; weight: number }) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  return (
    <span className="block text-xs font-normal whitespace-nowrap">
      {words.outOf(format.decimal(max))}
      {weight !== 1 && <span className="block">{words.weightOf(format.decimal(weight))}</span>}
    </span>
  );
}

type Props = {
  classId: number;
  column: GradeColumn;
  student: ClassGrades['students'][number];
  value: number | null;
  isDropped: boolean;
};

/** The value of a student in a column of the grade book. Those who may change it type it in. */
function GradeValue({ mayChange, ...props }: Props & { mayChange: boolean }) {
  const format = useFormat();
  const { value, isDropped } = props;
  if (mayChange) return <ValueField {...props} />;
  if (value === null) return <Missing isDropped={isDropped} />;
  return (
    <>
      <span className={classes('tabular-nums', isDropped && 'line-through')}>{format.decimal(value)}</span>
      <Dropped isDropped={isDropped} />
    </>
  );
}

/** Undefined for what is no value of the column; null for an empty field. */
function readValue(text: string, max: number): number | null | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const value = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return value <= max ? value : undefined;
}

/** Saves on Enter and when the focus leaves. Escape restores the saved value. */
function ValueField({ classId, column, student, value, isDropped }: Props) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const shown = value === null ? '' : `${value}`;
  const [text, setText] = useState(shown);
  // The value can change by an import, or be rounded.
  useEffect(() => setText(shown), [shown]);
  const next = readValue(text, column.max_score);
  const { mutate } = useMutation({
    mutationFn: (body: { value: number | null }) => {
      const path = { id: classId, column_id: column.id, user_id: student.user_id };
      return ok(api.PUT('/api/classes/{id}/grade-columns/{column_id}/values/{user_id}', { params: { path }, body }));
    },
    onSuccess: async () => await queries.invalidateQueries({ queryKey: [...classesKey, 'grades', classId] }),
    onError: toasts.failed,
  });
  const save = (): void => {
    if (next === undefined) toasts.warn(words.wrongValue(format.decimal(column.max_score)));
    else if (next !== value) mutate({ value: next });
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter') save();
    if (key === 'Escape') setText(shown);
  };
  return (
    <>
      <input
        aria-label={words.valueOf(column.name, student.full_name || student.username)}
        aria-invalid={next === undefined || undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        placeholder="–"
        className={classes(
          'min-h-8 w-16 rounded-md border border-line-strong bg-surface px-2 text-sm tabular-nums aria-invalid:border-bad',
          isDropped && 'line-through',
        )}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
      <Dropped isDropped={isDropped} />
    </>
  );
}
