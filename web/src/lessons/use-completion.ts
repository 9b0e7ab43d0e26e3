import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import {
  type Course,
  courseQuery,
  type Lesson,
  lessonQuery,
  lessonsOf,
  summariesKey,
} from '../teaching-model/courses.ts';
import { useToasts } from '../ui/toasts.tsx';

type Completion = { lesson: Lesson; isCompleted: boolean };

/** Marks a lesson complete or incomplete. The page shows the change when the service has confirmed it. */
export function useCompletion() {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async ({ lesson, isCompleted }: Completion): Promise<void> => {
      const options = { params: { path: { theme_id: lesson.id } } };
      const path = '/api/lessons/themes/{theme_id}/complete';
      await ok(isCompleted ? api.POST(path, options) : api.DELETE(path, options));
    },
    onSuccess: async (_done, { lesson: { id, course_id }, isCompleted }) => {
      const [ofCourse, ofLesson] = [courseQuery(course_id).queryKey, lessonQuery(id).queryKey];
      // A pending refetch would overwrite the tick, so it is cancelled. The initial fetch is not, because its data is needed.
      if (client.getQueryData(ofCourse)) await client.cancelQueries({ queryKey: ofCourse });
      if (client.getQueryData(ofLesson)) await client.cancelQueries({ queryKey: ofLesson });
      client.setQueryData(ofCourse, (course) => course && tick(course, id, isCompleted));
      client.setQueryData(
        ofLesson,
        (lesson): Lesson | undefined =>
          lesson && {
            ...lesson,
            is_completed: isCompleted,
            completed_at: isCompleted ? new Date().toISOString() : null,
          },
      );
    },
    onError: (error) => toasts.failed(error),
    onSettled: async (_data, _error, { lesson: { id, course_id } }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: courseQuery(course_id).queryKey }),
        client.invalidateQueries({ queryKey: lessonQuery(id).queryKey }),
        // Fetched now, so that the list of courses has the new counts when the reader returns to it.
        client.invalidateQueries({ queryKey: summariesKey, refetchType: 'all' }),
        client.invalidateQueries({ queryKey: ['dashboard'] }),
      ]);
    },
  });
}

function tick(course: Course, id: number, isCompleted: boolean): Course {
  if (!lessonsOf(course).some((lesson) => lesson.id === id && lesson.is_completed !== isCompleted)) return course;
  const completed_themes = course.progress.completed_themes + (isCompleted ? 1 : -1);
  const { total_themes } = course.progress;
  return {
    ...course,
    progress: { completed_themes, total_themes, percent: Math.round((1000 * completed_themes) / total_themes) / 10 },
    sections: course.sections.map((section) => ({
      ...section,
      themes: section.themes.map((lesson) => (lesson.id === id ? { ...lesson, is_completed: isCompleted } : lesson)),
    })),
  };
}
