import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Eye, FileText, Plus, Users } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { LessonInTree, Section } from '../teaching-model/courses.ts';
import { useDoor } from '../teaching-model/door.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { itemOf, onArrivalWithin } from '../ui/lists/arrivals.ts';
import { DropEnd, useDraggable } from '../ui/lists/draggable.tsx';
import { Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { AddLaboratory, LaboratoryRows } from './laboratory-rows.tsx';
import type { OpenDialog } from './node.ts';
import { NodeMenu } from './node-menu.tsx';
import { type EditedCourse, missingFilesQuery, useOpenCourse } from './tree-query.ts';

/** A course with its sections, which can be collapsed. */
export function CourseCard({
  course,
  index,
  count,
  onOpen,
}: {
  course: EditedCourse;
  index: number;
  count: number;
  onOpen: (open: OpenDialog) => void;
}) {
  const t = useStrings();
  const words = t.authoring.courses;
  const id = useId();
  const door = useDoor();
  const [isFolded, setFolded] = useState(!course.isLoaded);
  const toasts = useToasts();
  const { mutate: open } = useMutation({
    mutationFn: useOpenCourse(),
    onError: (error) => {
      toasts.failed(error);
      setFolded(true);
    },
  });
  const { name, sections, isLoaded } = course;
  const { data: missing = [] } = useQuery(missingFilesQuery(door));
  const missingCount = missing.filter(({ course_id }) => course_id === course.id).length;
  const { ref, style, className, handle } = useDraggable({ kind: 'course', id: course.id, name, index, count });
  useEffect(() => {
    if (!isFolded && !isLoaded) open(course.id);
  }, [isFolded, isLoaded, open, course.id]);
  useEffect(() => onArrivalWithin('course', course.id, () => setFolded(false)), [course.id]);
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <li ref={ref} style={style} {...itemOf('course', course.id)} className={classes('panel', className)}>
      <div className="flex items-center gap-1 px-2 py-3 sm:px-3">
        {door.mayChange && handle}
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={id}
          aria-label={words.show(name)}
          onClick={() => setFolded(!isFolded)}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-sunken"
        >
          <Chevron size={18} aria-hidden="true" />
        </button>
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-2 font-semibold">
            <span className="min-w-0 break-words">{name}</span>
            {!course.is_active && <Badge tone="warn">{words.inactive}</Badge>}
            {missingCount > 0 && <Badge tone="warn">{words.filesAreMissing(missingCount)}</Badge>}
            {course.is_class_only && <Badge>{words.classOnly}</Badge>}
          </h2>
          <p className="text-sm text-ink-soft">{words.counts(course.section_count, course.progress.total_themes)}</p>
        </div>
        {!door.course && (
          <ButtonLink
            look="quiet"
            size="small"
            to="/teaching/courses/$courseId"
            params={{ courseId: `${course.id}` }}
            search={{ tab: 'staff' }}
            aria-label={t.authoring.staff.openCourse(name)}
          >
            <Users size={16} aria-hidden="true" />
          </ButtonLink>
        )}
        {door.mayChange && <NodeMenu kind="course" node={course} {...{ index, count, onOpen }} parentId={undefined} />}
      </div>
      <div id={id} hidden={isFolded} className="border-t px-2 py-3 sm:px-4">
        <SortableContext
          items={sections.map((section) => `section-${section.id}`)}
          strategy={verticalListSortingStrategy}
        >
          {!isLoaded && !isFolded && <Loading rows={2} className="h-8" />}
          {isLoaded && sections.length === 0 && <p className="px-2 pb-2 text-sm text-ink-soft">{words.noSections}</p>}
          <ol aria-label={words.show(name)} className="flex flex-col gap-3 empty:hidden">
            {sections.map((section, at) => (
              <SectionBlock
                key={section.id}
                {...{ section, onOpen }}
                index={at}
                count={sections.length}
                parent={{ id: course.id, name }}
              />
            ))}
          </ol>
        </SortableContext>
        {isLoaded && door.mayChange && (
          <DropEnd kind="section" parent={{ id: course.id, name }} count={sections.length}>
            <Button
              look="quiet"
              size="small"
              aria-label={words.addTo.section(name)}
              onClick={() => onOpen({ dialog: 'edit', kind: 'section', parentId: course.id })}
            >
              <Plus size={15} aria-hidden="true" /> {words.add.section}
            </Button>
          </DropEnd>
        )}
      </div>
    </li>
  );
}

type Parent = { id: number; name: string };
type Common = { index: number; count: number; parent: Parent; onOpen: (open: OpenDialog) => void };

/** A section of a course with its lessons and its laboratory. */
function SectionBlock({ section, index, count, parent, onOpen }: Common & { section: Section }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const { id, name, themes } = section;
  const { mayChange } = useDoor();
  const { ref, style, className, handle } = useDraggable({ kind: 'section', id, name, index, count, parent });
  return (
    <li ref={ref} style={style} {...itemOf('section', id)} className={classes('rounded-md bg-ground', className)}>
      <div className="flex items-center gap-1 px-1.5 py-1.5">
        {mayChange && handle}
        <h3 className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 text-sm font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {!section.is_active && <Badge tone="warn">{words.inactive}</Badge>}
        </h3>
        {mayChange && <NodeMenu kind="section" node={section} {...{ index, count, onOpen }} parentId={parent.id} />}
      </div>
      <div className="px-1.5 pb-1.5 sm:pl-6">
        <SortableContext items={themes.map((lesson) => `theme-${lesson.id}`)} strategy={verticalListSortingStrategy}>
          <ol aria-label={name} className="flex flex-col gap-1 empty:hidden">
            {themes.map((lesson, at) => (
              <LessonRow
                key={lesson.id}
                {...{ lesson, onOpen }}
                index={at}
                count={themes.length}
                parent={{ id, name }}
              />
            ))}
          </ol>
        </SortableContext>
        {mayChange && (
          <DropEnd kind="theme" parent={{ id, name }} count={themes.length}>
            <Button
              look="quiet"
              size="small"
              aria-label={words.addTo.theme(name)}
              onClick={() => onOpen({ dialog: 'edit', kind: 'theme', parentId: id })}
            >
              <Plus size={15} aria-hidden="true" /> {words.add.theme}
            </Button>
          </DropEnd>
        )}
        <LaboratoryRows place={{ id, name }} />
        {mayChange && <AddLaboratory place={{ id, name }} />}
      </div>
    </li>
  );
}

function LessonRow({ lesson, index, count, parent, onOpen }: Common & { lesson: LessonInTree }) {
  const t = useStrings();
  const { id, title, markdown_file_path, duration_minutes, is_written } = lesson;
  const door = useDoor();
  const { data: missing = [] } = useQuery(missingFilesQuery(door));
  const isMissing = missing.some((one) => one.theme_id === id && one.markdown_file_path === markdown_file_path);
  const { ref, style, className, handle } = useDraggable({ kind: 'theme', id, name: title, index, count, parent });
  return (
    <li
      ref={ref}
      style={style}
      {...itemOf('theme', id)}
      className={classes('flex items-center gap-1 rounded-md bg-surface px-1', className)}
    >
      {door.mayChange && handle}
      <div className="min-w-0 flex-1 py-1.5">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="min-w-0 break-words">{title}</span>
          {isMissing && <Badge tone="warn">{t.authoring.courses.fileIsMissing}</Badge>}
        </p>
        <p className="flex items-center gap-1 text-xs text-ink-soft">
          <FileText size={12} aria-hidden="true" className="shrink-0" />
          {is_written ? (
            <span>{t.written.writtenHere}</span>
          ) : (
            <span className="truncate font-mono">{markdown_file_path}</span>
          )}
          {duration_minutes > 0 && <span className="shrink-0">· {t.common.minutes(duration_minutes)}</span>}
        </p>
      </div>
      <IconButton label={t.authoring.courses.previewOf(title)} onClick={() => onOpen({ dialog: 'preview', lesson })}>
        <Eye size={16} aria-hidden="true" />
      </IconButton>
      {door.mayChange && <NodeMenu kind="theme" node={lesson} {...{ index, count, onOpen }} parentId={parent.id} />}
    </li>
  );
}
