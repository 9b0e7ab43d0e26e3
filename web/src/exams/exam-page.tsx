import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { AttemptRoom } from '../attempts/attempt-room.tsx';
import { type Attempt, activeQuery } from '../attempts/queries.ts';
import { SubjectIntro } from '../attempts/subject-intro.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Loading } from '../ui/states.tsx';
import { type Exam, examQuery } from './queries.ts';
import { StartExam } from './start-exam.tsx';

const route = getRouteApi('/user/exams/$examId');

/** One exam: what awaits the user, or the attempt that they are in the middle of. */
export function ExamPage() {
  const { examId } = route.useParams();
  return <OneExam key={examId} id={Number(examId)} />;
}

function OneExam({ id }: { id: number }) {
  const t = useStrings();
  const navigate = useNavigate();
  const exam = useQuery(examQuery(id));
  const active = useQuery(activeQuery('exam'));
  const [followed, setFollowed] = useState<Attempt>();
  const found = active.data?.find(({ subject_id }) => subject_id === id);
  // It is followed to its end, also when it is active no more.
  if (found && found.id !== followed?.id) setFollowed(found);
  if (followed) {
    if (exam.isPending) return <Loading className="m-4 h-24" rows={3} />;
    return (
      <AttemptRoom
        key={followed.id}
        kind="exam"
        attempt={followed}
        subject={exam.data}
        onOver={(attemptId) =>
          void navigate({ to: '/exams/results/$attemptId', params: { attemptId: `${attemptId}` }, replace: true })
        }
        onGivenUp={() => setFollowed(undefined)}
      />
    );
  }
  const error = exam.error ?? active.error;
  if (exam.data && active.data) return <Intro exam={exam.data} other={active.data[0]} />;
  return (
    <Page title={t.exams.title} lead={<Back />}>
      {error ? (
        <ProblemNote
          error={error}
          retry={() => {
            void exam.refetch();
            void active.refetch();
          }}
        />
      ) : (
        <Loading rows={4} className="h-20" />
      )}
    </Page>
  );
}

function Intro({ exam, other }: { exam: Exam; other: Attempt | undefined }) {
  const t = useStrings();
  const { rules } = t.exams;
  return (
    <SubjectIntro
      kind="exam"
      subject={exam}
      back={<Back />}
      rules={[
        rules.time(t.attempts.minutes(exam.time_limit_minutes)),
        rules.container,
        rules.one,
        rules.grading,
        t.exams.recorded,
      ]}
      start={<StartExam exam={exam} other={other} />}
      noAttempts={t.exams.noAttempts}
    />
  );
}

function Back() {
  const t = useStrings();
  return (
    <Link to="/exams" className="inline-flex items-center gap-1 text-sm hover:text-ink">
      <ArrowLeft size={16} aria-hidden="true" /> {t.exams.allExams}
    </Link>
  );
}
