import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { classesKey, type GradeColumn } from '../../teaching-model/classes.ts';
import { IconButton } from '../../ui/button.tsx';
import { DeleteButton } from '../../ui/delete-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useUndo } from '../../ui/use-undo.ts';
import { GradeColumnForm } from './grade-column-form.tsx';

/** Edits or deletes a column of the grade book. */
export function GradeColumnHead({ classId, column }: { classId: number; column: GradeColumn }) {
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
