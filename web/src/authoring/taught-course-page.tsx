import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { navigate } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { behindDoor, TaughtCrumbs, ViewerNote } from '../teaching-model/behind-door.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { PreviewButton } from '../teaching-model/preview-button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { Courses } from './course-editor-page.tsx';
import { CourseGrants } from './course-grants.tsx';
import { CourseImport } from './course-import.tsx';
import { CourseStaff } from './course-staff.tsx';
import type { OpenDialog } from './node.ts';
import { NodeDialogs } from './node-dialogs.tsx';
import { Reports } from './reports.tsx';
import { treeQuery } from './tree-query.ts';

export const TaughtCoursePage = behindDoor(CoursePage);

/** A course for its staff: what it consists of, who teaches it, and what it may use. */
function CoursePage() {
  const t = useStrings();
  const words = t.authoring.staff;
  const door = useDoor();
  const { search } = useAddress('/teaching/courses/$courseId');
  const tree = useQuery(treeQuery(door));
  const [open, setOpen] = useState<OpenDialog>();
  const { course, params, mayChange } = door;
  if (!course) return null;
  const to = '/teaching/courses/$courseId' as const;
  const at = { params: { courseId: `${course.id}` }, look: 'plain' } as const;
  return (
    <Page
      title={course.name}
      crumbs={<TaughtCrumbs />}
      actions={
        <>
          <ButtonLink to={`${to}/exams`} {...at}>
            {t.common.links.examEditor}
          </ButtonLink>
          <ButtonLink to={`${to}/written-lessons`} {...at}>
            {t.common.links.writtenLessons}
          </ButtonLink>
          <ButtonLink to={`${to}/repositories`} {...at}>
            {t.common.links.repositories}
          </ButtonLink>
          <PreviewButton onBegin={() => navigate({ to: '/courses/$courseId', params: at.params })} />
          <DownloadButton label={words.export} path={`/api/teaching/courses/${params.courseId}/export`} />
          {mayChange && <CourseImport courseId={course.id} />}
        </>
      }
    >
      <ViewerNote />
      <Reports />
      <Tabs
        label={course.name}
        titles={{ content: words.content, staff: words.staff, grants: words.grants }}
        shown={search.tab}
      >
        <TabPanel name="content">
          <Fetched query={tree} skeleton={<Loading rows={3} className="h-40" />}>
            {(courses) => <Courses tree={courses} onOpen={setOpen} />}
          </Fetched>
          <NodeDialogs open={open} onClose={() => setOpen(undefined)} />
        </TabPanel>
        <TabPanel name="staff">
          <CourseStaff courseId={course.id} />
        </TabPanel>
        <TabPanel name="grants">
          <CourseGrants courseId={course.id} />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
