import { useQueryClient } from '@tanstack/react-query';
import type { Kind } from '../../api/kinds.ts';
import { navigate } from '../../routing/location.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../../ui/forms/form-field.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { callsOf } from './assessment-calls.ts';
import { ImageField } from './image-field.tsx';

const firstImage = 'platform-exam-linux-basics';
const minutes = 60;

type NewAssessmentDraft = { title: string; container_image: string };

/** Asks for the required fields of an exam or a laboratory, creates a draft, and opens it. */
export function NewAssessment({
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
      <NewAssessmentForm kind={kind} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function NewAssessmentForm({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const client = useQueryClient();
  const create = async (given: NewAssessmentDraft): Promise<void> => {
    const limit = kind === 'exam' ? { time_limit_minutes: minutes } : {};
    const fields = { title: given.title.trim(), container_image: given.container_image.trim(), passing_score: 1 };
    const { id } = await callsOf[kind].create({ ...fields, ...limit, is_active: false });
    void client.invalidateQueries({ queryKey: ['authoring', kind, 'list'] });
    toasts.done(words.created);
    const to = `/administration/${kind === 'exam' ? 'exams' : 'laboratories'}/$assessmentId` as const;
    navigate({ to, params: { assessmentId: `${id}` } });
  };
  const { form, error, onSubmit } = useSentForm<NewAssessmentDraft>({ title: '', container_image: firstImage }, create);
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <TextField label={words.title} {...fieldOf(form, 'title')} required maxLength={200} autoComplete="off" />
      <ImageField {...fieldOf(form, 'container_image')} />
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.create}
        </Button>
      </div>
    </form>
  );
}
