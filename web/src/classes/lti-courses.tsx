import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useToasts } from '../ui/toasts.tsx';

type Course = Answer<'/api/classes/{id}/lti-courses'>[number];

const coursesQuery = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'lti-courses', id],
    queryFn: ({ signal }) => ok(api.GET('/api/classes/{id}/lti-courses', { params: { path: { id } }, signal })),
  });

/** The courses of learning management systems that a class follows. Most classes follow none. */
export function LtiCourses({ classId }: { classId: number }) {
  const t = useStrings();
  const { data: courses = [] } = useQuery(coursesQuery(classId));
  if (courses.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="text-lg font-semibold">{t.classes.ltiCourses.title}</h2>
        <p className="text-sm text-ink-soft">{t.classes.ltiCourses.lead}</p>
      </div>
      {courses.map((course) => (
        <FollowedCourse key={course.id} classId={classId} course={course} />
      ))}
    </section>
  );
}

function FollowedCourse({ classId, course }: { classId: number; course: Course }) {
  const t = useStrings();
  const words = t.classes.ltiCourses;
  const format = useFormat();
  const queries = useQueryClient();
  const toasts = useToasts();
  const synchronize = useMutation({
    mutationFn: () =>
      ok(
        api.POST('/api/classes/{id}/lti-courses/{course_id}/synchronize', {
          params: { path: { id: classId, course_id: course.id } },
        }),
      ),
    onSuccess: async () => {
      toasts.done(words.begun);
      await queries.invalidateQueries({ queryKey: coursesQuery(classId).queryKey });
    },
    onError: toasts.failed,
  });
  const { has_members, synchronized_at, problem, waiting_grades, failed_grades, grade_problem } = course;
  const lines = [
    has_members ? words.members(synchronized_at === null ? undefined : format.time(synchronized_at)) : words.noMembers,
    waiting_grades > 0 && words.waiting(waiting_grades),
  ].filter(Boolean);
  const faults = [
    problem && words.problems[problem],
    failed_grades > 0 && words.failed(failed_grades),
    grade_problem && words.gradeProblems[grade_problem],
  ].filter(Boolean);
  return (
    <Card className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0 text-sm">
        <h3 className="font-medium">{course.title || course.platform_name}</h3>
        <p className="text-ink-soft">{course.platform_name}</p>
        {lines.map((line) => (
          <p key={String(line)}>{line}</p>
        ))}
        {faults.map((fault) => (
          <p key={String(fault)} className="text-bad">
            {fault}
          </p>
        ))}
      </div>
      <Button disabled={synchronize.isPending} onClick={() => synchronize.mutate()}>
        <RefreshCw size={16} aria-hidden="true" /> {words.synchronize}
      </Button>
    </Card>
  );
}
