import { useQuery } from '@tanstack/react-query';
import { Play, X } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { refusalOf } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { neededPart } from '../routing/needed-part.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Empty, Fetched, Loading, Skeleton } from '../ui/states.tsx';
import { lengthOfTime } from './length-of-time.ts';
import { type Recording, recordingsQuery } from './queries.ts';

const RecordingPlayer = lazy(() => neededPart(async () => (await import('./recording-player.tsx')).RecordingPlayer));

/** The recordings of an exam's terminals. Each can be played here or saved. */
export function Recordings({ attemptId }: { attemptId: number }) {
  const t = useStrings();
  const recordings = useQuery(recordingsQuery(attemptId));
  return (
    <Fetched query={recordings} skeleton={<Loading rows={1} className="h-16" />}>
      {(items) =>
        items.length > 0 ? (
          <ul className="flex flex-col gap-3">
            {items.map((recording) => (
              <li key={recording.id}>
                <OneRecording recording={recording} />
              </li>
            ))}
          </ul>
        ) : (
          <Empty title={t.teaching.noRecordingsTitle}>{t.teaching.noRecordingsHelp}</Empty>
        )
      }
    </Fetched>
  );
}

function OneRecording({ recording }: { recording: Recording }) {
  const t = useStrings();
  const format = useFormat();
  const [isShown, setShown] = useState(false);
  const { id, started_at, duration_seconds, bytes, is_truncated } = recording;
  const name = t.teaching.recordingAt(format.time(started_at));
  const action = isShown ? t.teaching.hide : t.teaching.play;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-40 flex-1">
          <h3 className="font-medium">{name}</h3>
          <p className="flex flex-wrap items-center gap-2 text-sm text-ink-soft">
            {duration_seconds === null ? (
              <Badge tone="info">{t.teaching.stillRecording}</Badge>
            ) : (
              lengthOfTime(duration_seconds)
            )}
            <span>{format.bytes(bytes)}</span>
            {is_truncated && <Badge tone="warn">{t.teaching.truncated}</Badge>}
          </p>
        </div>
        <Button
          size="small"
          aria-expanded={isShown}
          aria-label={`${action}: ${name}`}
          onClick={() => setShown((is) => !is)}
        >
          {isShown ? <X size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />} {action}
        </Button>
        <DownloadButton
          size="small"
          label={t.teaching.download}
          name={`${t.teaching.download}: ${name}`}
          path={`/api/instructor/recordings/${id}`}
        />
      </div>
      {isShown && <Played id={id} />}
    </Card>
  );
}

/** A recording that is fetched and played. */
export function Played({ id, ...about }: { id: number } & Omit<ComponentProps<typeof RecordingPlayer>, 'cast'>) {
  const t = useStrings();
  const cast = useQuery({ queryKey: ['teaching', 'recording', id], queryFn: () => fetchCast(id), gcTime: 0 });
  return (
    <Fetched query={cast} skeleton={<Skeleton className="h-64" />}>
      {(text) =>
        text.trimEnd().includes('\n') ? (
          <Suspense fallback={<Skeleton className="h-64" />}>
            <RecordingPlayer cast={text} {...about} />
          </Suspense>
        ) : (
          <p className="text-sm text-ink-soft">{t.teaching.emptyRecording}</p>
        )
      }
    </Fetched>
  );
}

/** Fetched here, because a request of the player itself would have no token. @throws Problem */
async function fetchCast(id: number): Promise<string> {
  const response = await session.fetch(`/api/instructor/recordings/${id}`);
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => undefined));
  return await response.text();
}
