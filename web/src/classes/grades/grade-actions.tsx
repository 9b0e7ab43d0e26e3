import { Columns3, Settings2, Upload } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { ImportDialog } from '../../imports/import-dialog.tsx';
import type { ImportKind } from '../../imports/import-kind.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { type ClassGrades, classesKey } from '../../teaching-model/classes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { GradeColumnForm } from './grade-column-form.tsx';
import { GradeRulesForm } from './grade-rules-form.tsx';

/** What those who may change the grade book do with it. */
export function GradeActions({ classId, book }: { classId: number; book: ClassGrades }) {
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
