import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Play } from 'lucide-react';
import { useState } from 'react';
import { isRefusal, noContainerCodes } from '../api/problem.ts';
import { AttemptRoom } from '../attempts/attempt-room.tsx';
import { type Attempt, activeQuery, useAttemptActions } from '../attempts/queries.ts';
import { SubjectIntro } from '../attempts/subject-intro.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Loading } from '../ui/states.tsx';
import { type Laboratory, laboratoryQuery } from './queries.ts';

const route = getRouteApi('/user/laboratories/$laboratoryId');

/** One laboratory: what it is about, or the attempt that the user is in the middle of. */
export function LaboratoryPage() {
  const { laboratoryId } = route.useParams();
  return <OneLaboratory key={laboratoryId} id={Number(laboratoryId)} />;
}

function OneLaboratory({ id }: { id: number }) {
  const t = useStrings();
  const navigate = useNavigate();
  const laboratory = useQuery(laboratoryQuery(id));
  const active = useQuery(activeQuery('laboratory'));
  const [followed, setFollowed] = useState<Attempt>();
  const found = active.data?.find(({ subject_id }) => subject_id === id);
  // It is followed to its end, also when it is active no more.
  if (found && found.id !== followed?.id) setFollowed(found);
  if (followed) {
    if (laboratory.isPending) return <Loading className="m-4 h-24" rows={3} />;
    return (
      <AttemptRoom
        key={followed.id}
        kind="laboratory"
        attempt={followed}
        subject={laboratory.data}
        onOver={(attemptId) =>
          void navigate({
            to: '/laboratories/results/$attemptId',
            params: { attemptId: `${attemptId}` },
            replace: true,
          })
        }
        onGivenUp={() => setFollowed(undefined)}
      />
    );
  }
  if (laboratory.data && active.data) return <Intro laboratory={laboratory.data} />;
  const error = laboratory.error ?? active.error;
  return (
    <Page title={t.laboratories.title} lead={<Back />}>
      {error ? (
        <ProblemNote
          error={error}
          retry={() => {
            void laboratory.refetch();
            void active.refetch();
          }}
        />
      ) : (
        <Loading rows={4} className="h-20" />
      )}
    </Page>
  );
}

function Intro({ laboratory }: { laboratory: Laboratory }) {
  const t = useStrings();
  const { rules } = t.laboratories;
  const limit = laboratory.time_limit_minutes;
  return (
    <SubjectIntro
      kind="laboratory"
      subject={laboratory}
      back={<Back />}
      rules={[
        rules.container,
        rules.check,
        ...(laboratory.tasks.some(({ hint }) => hint !== '') ? [rules.hints] : []),
        limit === null ? rules.noLimit : rules.limit(t.attempts.minutes(limit)),
        rules.submit,
      ]}
      start={<Start laboratory={laboratory} />}
      noAttempts={t.laboratories.noAttempts}
    />
  );
}

function Start({ laboratory: { id, task_count } }: { laboratory: Laboratory }) {
  const t = useStrings();
  const { start } = useAttemptActions('laboratory');
  if (task_count === 0) return <p className="text-sm text-ink-soft">{t.laboratories.noTasks}</p>;
  const error = isRefusal(start.error, ...noContainerCodes) ? start.error.saying(t.attempts.noContainer) : start.error;
  return (
    <>
      <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate(id)}>
        <Play size={16} aria-hidden="true" /> {start.isPending ? t.attempts.starting : t.laboratories.start}
      </Button>
      {error && <ProblemNote error={error} />}
    </>
  );
}

function Back() {
  const t = useStrings();
  return (
    <Link to="/courses" className="inline-flex items-center gap-1 text-sm hover:text-ink">
      <ArrowLeft size={16} aria-hidden="true" /> {t.laboratories.toCourses}
    </Link>
  );
}
