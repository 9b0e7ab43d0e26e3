import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { helpKey, ownReportsQuery } from './queries.ts';

/** Below a task: its student reports that something is wrong with it, and reads the answer. */
export function ReportTask({
  kind,
  assessmentId,
  task: { id, title },
}: {
  kind: Kind;
  assessmentId: number;
  task: { id: number; title: string };
}) {
  const words = useStrings().help.reports;
  const queries = useQueryClient();
  const toasts = useToasts();
  const own = useQuery(ownReportsQuery(kind, assessmentId)).data?.find(({ task_id }) => task_id === id);
  const [isOpen, setOpen] = useState(false);
  const send = async (text: string): Promise<void> => {
    const params = { path: { id: assessmentId, task_id: id } };
    await ok(api.POST(pathOf(kind, '/api/exams/{id}/tasks/{task_id}/reports'), { params, body: { text } }));
    toasts.done(words.sent);
    await queries.invalidateQueries({ queryKey: helpKey });
  };
  return (
    <div className="mt-3 flex flex-col items-start gap-2 text-sm">
      {own && (
        <dl
          aria-label={words.own}
          className="w-full rounded-md bg-info-soft p-3 [overflow-wrap:anywhere] whitespace-pre-line"
        >
          <dt className="font-medium">{words.own}</dt>
          <dd>{own.text}</dd>
          <dt className="mt-2 font-medium">{own.answered_by ?? words.answer}</dt>
          <dd>{own.answer ?? words.open}</dd>
        </dl>
      )}
      <Button look="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MessageSquare size={16} aria-hidden="true" /> {own ? words.again : words.report}
        <span className="sr-only">: {title}</span>
      </Button>
      <TextDialog
        {...{ isOpen, title: words.of(title), label: words.text, help: words.help, action: words.send }}
        onClose={() => setOpen(false)}
        onSend={send}
      />
    </div>
  );
}

/** Asks for one text, and sends it. */
export function TextDialog({
  title,
  isOpen,
  onClose,
  ...form
}: { title: string; isOpen: boolean; onClose: () => void } & Omit<Parameters<typeof TextForm>[0], 'onDone'>) {
  return (
    <Dialog title={title} isOpen={isOpen} onOpenChange={onClose}>
      <TextForm {...form} onDone={onClose} />
    </Dialog>
  );
}

function TextForm({
  label,
  help,
  maxLength = 1000,
  action,
  onSend,
  onDone,
}: {
  label: string;
  help?: string;
  maxLength?: number;
  action: string;
  onSend: (text: string) => Promise<void>;
  onDone: () => void;
}) {
  const sent = useSentForm({ text: '' }, async ({ text }) => {
    await onSend(text.trim());
    onDone();
  });
  return (
    <SentForm sent={sent} action={action}>
      <TextArea label={label} help={help} required maxLength={maxLength} {...sent.field('text')} />
    </SentForm>
  );
}
