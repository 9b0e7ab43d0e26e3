import { queryOptions, useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { okAll } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Fetched, Loading } from '../ui/states.tsx';

export type PickedLesson = { id: number; title: string; path: string; place: string };

/** All lessons with their courses and sections. */
const lessonsQuery = queryOptions({
  queryKey: ['lessons', 'picker'],
  queryFn: async ({ signal }): Promise<PickedLesson[]> => {
    const courses = await okAll((query) => api.GET('/api/lessons/courses', { params: { query }, signal }));
    return courses.flatMap((course) =>
      course.sections.flatMap((section) =>
        section.themes.map(({ id, title, markdown_file_path: path }) => ({
          ...{ id, title, path },
          place: `${course.name} / ${section.name}`,
        })),
      ),
    );
  },
});

/** Lessons that are shown together. What is typed narrows them. */
const maxShown = 50;

/** Picks a lesson by its title. */
export function LessonPicker({ onChoose }: { onChoose: (lesson: PickedLesson) => void }) {
  const words = useStrings().written.toolbar;
  const [typed, setTyped] = useState('');
  const lessons = useQuery(lessonsQuery);
  const asked = typed.toLowerCase().split(/\s+/);
  const fits = ({ title, place }: PickedLesson): boolean =>
    asked.every((word) => `${place} ${title}`.toLowerCase().includes(word));
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = lessons.data?.filter(fits) ?? [];
        if (first) onChoose(first);
      }}
    >
      <TextField
        label={words.findLesson}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
        required
      />
      <Fetched query={lessons} skeleton={<Loading rows={4} />}>
        {(all) => {
          const fitting = all.filter(fits);
          if (fitting.length === 0) return <p className="text-sm text-ink-soft">{words.noLesson}</p>;
          return (
            <ul className="-mx-1 flex max-h-80 flex-col overflow-y-auto px-1">
              {fitting.slice(0, maxShown).map((lesson) => (
                <li key={lesson.id}>
                  <button
                    type="button"
                    onClick={() => onChoose(lesson)}
                    className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
                  >
                    <FileText size={16} aria-hidden="true" className="shrink-0 text-ink-soft" />
                    <span className="min-w-0">
                      <span className="block text-sm font-medium break-words">{lesson.title}</span>
                      <span className="block text-xs text-ink-soft">{lesson.place}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Fetched>
    </form>
  );
}
