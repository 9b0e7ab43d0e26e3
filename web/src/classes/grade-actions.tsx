import { Columns3, Settings2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { GradeColumnForm } from './grade-column-form.tsx';
import { GradeImportForm } from './grade-import-form.tsx';
import { GradeRulesForm } from './grade-rules-form.tsx';
import type { ClassGrades } from './queries.ts';

/** What those who may change the grade book do with it. */
export function GradeActions({ classId, book }: { classId: number; book: ClassGrades }) {
  const { gradeBook: words } = useStrings();
  const [shown, setShown] = useState<'import' | 'column' | 'rules'>();
  const close = (): void => setShown(undefined);
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
      <Dialog
        title={words.importTitle}
        description={words.importLead}
        width="max-w-2xl"
        isOpen={shown === 'import'}
        onOpenChange={close}
      >
        <GradeImportForm classId={classId} columns={book.columns} onDone={close} />
      </Dialog>
      <Dialog title={words.newColumn} description={words.columnLead} isOpen={shown === 'column'} onOpenChange={close}>
        <GradeColumnForm classId={classId} onDone={close} />
      </Dialog>
      <Dialog title={words.rulesTitle} width="max-w-2xl" isOpen={shown === 'rules'} onOpenChange={close}>
        <GradeRulesForm classId={classId} book={book} onDone={close} />
      </Dialog>
    </>
  );
}
