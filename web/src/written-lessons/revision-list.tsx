import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { pageSize } from '../api/list-query.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Pages } from '../ui/lists/pages.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { DiffView } from './diff-view.tsx';
import { type Revision, restoreRevision, revisionQuery, revisionsQuery, type WrittenText } from './queries.ts';

/** The revisions of a file with their authors. One of them is shown with its differences to the newest. */
export function RevisionList({
  file,
  isDirty,
  onRestore,
}: {
  file: WrittenText;
  /** There is text that is not saved. */
  isDirty: boolean;
  onRestore: (file: WrittenText) => void;
}) {
  const words = useStrings().written;
  const format = useFormat();
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<Revision>();
  const revisions = useQuery(revisionsQuery(useDoor(), file.id, page));
  return (
    <Fetched query={revisions}>
      {({ items, total }) => (
        <div className="flex flex-col gap-4">
          <ol className="flex flex-col divide-y rounded-md border">
            {items.map((one) => (
              <li key={one.revision}>
                <button
                  type="button"
                  aria-pressed={chosen?.revision === one.revision}
                  onClick={() => setChosen(one)}
                  className="flex w-full flex-wrap items-center gap-x-3 px-3 py-2 text-left text-sm hover:bg-sunken aria-pressed:bg-accent-soft"
                >
                  <span className="font-medium">{words.revision(one.revision)}</span>
                  <span>{format.time(one.created_at)}</span>
                  <span>{one.author ?? words.nobody}</span>
                  {one.revision === file.revision && <Badge tone="info">{words.newest}</Badge>}
                  {one.is_deleted && <Badge tone="warn">{words.isDeleted}</Badge>}
                  <span className="min-w-0 text-ink-soft wrap-anywhere">{one.message}</span>
                  {one.path !== file.path && <code className="min-w-0 break-all">{one.path}</code>}
                </button>
              </li>
            ))}
          </ol>
          <Pages page={page} pageSize={pageSize} total={total} onChange={setPage} />
          {chosen && (
            <OneRevision key={chosen.revision} file={file} revision={chosen} isDirty={isDirty} onRestore={onRestore} />
          )}
        </div>
      )}
    </Fetched>
  );
}

function OneRevision({
  file,
  revision: { revision, created_at, is_deleted },
  isDirty,
  onRestore,
}: {
  file: WrittenText;
  revision: Revision;
  isDirty: boolean;
  onRestore: (file: WrittenText) => void;
}) {
  const words = useStrings().written;
  const format = useFormat();
  const toasts = useToasts();
  const door = useDoor();
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const shown = useQuery(revisionQuery(door, file.id, revision));
  const restore = async (): Promise<void> => {
    setBusy(true);
    try {
      onRestore(await restoreRevision(door, file.id, revision));
      toasts.done(words.restored(revision));
    } catch (error) {
      toasts.failed(error);
      setBusy(false);
    }
  };
  return (
    <section aria-label={words.revision(revision)} className="flex flex-col gap-3">
      <h3 className="font-medium">{words.revisionOf(revision, format.time(created_at))}</h3>
      {is_deleted ? (
        <p>{words.deletion}</p>
      ) : (
        <Fetched query={shown}>
          {({ text }) => (
            <>
              {text !== null && (
                <>
                  <p className="text-sm text-ink-soft">{words.compare}</p>
                  <DiffView label={words.compare} before={text} after={file.text ?? ''} />
                  <details className="text-sm">
                    <summary className="cursor-pointer">{words.text}</summary>
                    <pre className="mt-2 max-h-96 overflow-auto rounded-md border p-3 text-xs whitespace-pre-wrap">
                      {text}
                    </pre>
                  </details>
                </>
              )}
              {door.mayChange && (revision !== file.revision || file.is_deleted) && (
                <Button
                  className="self-start"
                  isBusy={isBusy}
                  onClick={() => (isDirty ? setAsking(true) : void restore())}
                >
                  <RotateCcw size={16} aria-hidden="true" /> {words.restore}
                </Button>
              )}
            </>
          )}
        </Fetched>
      )}
      <Confirm
        title={words.restoreTitle(revision)}
        action={words.restore}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={restore}
      >
        <p>{words.restoreHelp}</p>
      </Confirm>
    </section>
  );
}
