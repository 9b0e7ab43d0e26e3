import { History } from 'lucide-react';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import type { DraftState } from './use-draft.ts';

/** Reports that unsaved input was restored, and whether what it changes has been changed since. */
export function DraftNote({ draft, onDiscard }: { draft: DraftState; onDiscard: () => void }) {
  const t = useStrings();
  const format = useFormat();
  const { restored, at, drop, accept } = draft;
  if (restored === 'none') return null;
  const isOutdated = restored === 'outdated';
  const discard = (): void => {
    onDiscard();
    drop();
  };
  return (
    <section
      aria-label={t.authoring.drafts.title}
      className={classes(
        'flex flex-wrap items-center gap-2 rounded-md border px-4 py-2 text-sm',
        isOutdated ? 'border-warn bg-warn-soft' : 'border-info bg-info-soft',
      )}
    >
      <History size={16} aria-hidden="true" className="shrink-0" />
      <p role="status" className="min-w-40 flex-1">
        {t.authoring.drafts.restored(format.time(new Date(at).toISOString()))}{' '}
        {isOutdated && t.authoring.drafts.outdated}
      </p>
      <Button size="small" onClick={discard}>
        {t.authoring.drafts.discard}
      </Button>
      <Button size="small" onClick={accept}>
        {t.authoring.drafts.keep}
      </Button>
    </section>
  );
}
