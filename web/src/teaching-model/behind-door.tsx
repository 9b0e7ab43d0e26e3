import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { courseDoor, DoorContext, useDoor } from './door.ts';

export const taughtKey = ['teaching', 'courses'];

const taughtCourseQuery = (course_id: number) =>
  queryOptions({
    queryKey: [...taughtKey, course_id],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/teaching/courses/{course_id}', { params: { path: { course_id } }, signal })),
  });

/** A page of content behind the door of the course in its address. At that of administrators, there is none. */
export const behindDoor = (Content: ComponentType) =>
  function BehindDoor() {
    const words = useStrings().authoring.staff;
    const { courseId } = useParams({ strict: false });
    const { data, ...query } = useQuery({ ...taughtCourseQuery(Number(courseId)), enabled: courseId !== undefined });
    const door = useMemo(() => data && courseDoor(data), [data]);
    if (courseId === undefined) return <Content />;
    if (!door) {
      return (
        <Page title={words.title} crumbs={<TaughtCrumbs />}>
          <Fetched query={{ data, ...query }}>{() => null}</Fetched>
        </Page>
      );
    }
    return (
      <DoorContext value={door}>
        <Content />
      </DoorContext>
    );
  };

/** The way to a page behind the door of a course: the course, then what is given. At the door of administrators only that. */
export function DoorCrumbs({ children }: { children?: ReactNode }) {
  const { course } = useDoor();
  if (!course) return children ? <Crumbs>{children}</Crumbs> : null;
  return (
    <TaughtCrumbs>
      <Crumb to="/teaching/courses/$courseId" params={{ courseId: `${course.id}` }}>
        {course.name}
      </Crumb>
      {children}
    </TaughtCrumbs>
  );
}

export function TaughtCrumbs({ children }: { children?: ReactNode }) {
  return (
    <Crumbs>
      <Crumb to="/teaching/courses">{useStrings().authoring.staff.title}</Crumb>
      {children}
    </Crumbs>
  );
}

/** Why a viewer of the course can change nothing. */
export function ViewerNote() {
  const words = useStrings().authoring.staff;
  if (useDoor().mayChange) return null;
  return (
    <p className="flex items-start gap-2 rounded-md bg-info-soft px-3 py-2 text-sm text-info">
      <Eye size={18} aria-hidden="true" className="mt-0.5 shrink-0" /> {words.viewerNote}
    </p>
  );
}

/** Fields that a viewer of the course reads. */
export function ChangeableFields({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={!useDoor().mayChange} className="contents">
      {children}
    </fieldset>
  );
}
