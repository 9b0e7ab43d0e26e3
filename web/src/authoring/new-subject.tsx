import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { fieldText } from '../ui/bind-fields.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { ImageField } from './image-field.tsx';
import { callsOf } from './subject-calls.ts';

const firstImage = 'platform-exam-linux-basics';
const minutes = 60;

/** Asks for the required fields of an exam or a laboratory, creates a draft, and opens it. */
export function NewSubject({
  kind,
  isOpen,
  onOpenChange,
}: {
  kind: Kind;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useStrings();
  return (
    <Dialog title={t.authoring.kinds[kind].create} isOpen={isOpen} onOpenChange={onOpenChange}>
      <NewSubjectForm kind={kind} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function NewSubjectForm({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.subject;
  const toasts = useToasts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [container_image, setImage] = useState(firstImage);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const limit = kind === 'exam' ? { time_limit_minutes: minutes } : {};
      const fields = { title: title.trim(), container_image: container_image.trim(), passing_score: 1 };
      const { id } = await callsOf[kind].create({ ...fields, ...limit, is_active: false });
      void client.invalidateQueries({ queryKey: ['authoring', kind, 'list'] });
      toasts.done(words.created);
      const to = `/administration/${kind === 'exam' ? 'exams' : 'laboratories'}/$subjectId` as const;
      await navigate({ to, params: { subjectId: `${id}` } });
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const of = (field: string) => fieldText(t, error, field);
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void create(event)}>
      <TextField
        label={words.title}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        problem={of('title')}
        required
        maxLength={200}
        autoComplete="off"
      />
      <ImageField value={container_image} onChange={setImage} problem={of('container_image')} />
      {error !== undefined && !of('title') && !of('container_image') && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isBusy} disabled={title.trim() === ''}>
          {t.common.create}
        </Button>
      </div>
    </form>
  );
}
