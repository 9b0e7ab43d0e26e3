import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Checkbox, TextField } from '../ui/forms/field.tsx';
import { ownZone } from '../ui/time/local-time.ts';
import { courseAssessmentsQuery, courseQuery } from './courses.ts';

/** When a section, an exam or a laboratory opens for students, in its form. */
export function OpeningFields({
  time,
  after,
  onAfter,
  problem,
  courseId,
  own,
}: {
  /** The field of its time, in the time of the browser. */
  time: Omit<ComponentProps<typeof TextField>, 'label'>;
  after: readonly string[];
  onAfter: (keys: string[]) => void;
  /** Of what it waits for. */
  problem: string | undefined;
  /** Undefined: it is in no course, and waits for nothing. */
  courseId: number | undefined;
  /** Its own key, such as `section:3`. */
  own?: string | undefined;
}) {
  const t = useStrings();
  const words = t.authoring.opening;
  const enabled = courseId !== undefined;
  const { data: course } = useQuery({ ...courseQuery(courseId ?? 0), enabled });
  const { data: assessments = [] } = useQuery({ ...courseAssessmentsQuery({ course_id: courseId ?? 0 }), enabled });
  const parts = (course?.sections ?? []).flatMap(({ id, name, themes }) => [
    { key: `section:${id}`, label: words.section(name) },
    ...themes.map((theme) => ({ key: `theme:${theme.id}`, label: words.lesson(theme.title) })),
    ...assessments
      .filter(({ kind, section_id }) => kind === 'laboratory' && section_id === id)
      .map((laboratory) => ({ key: `laboratory:${laboratory.id}`, label: t.reader.laboratory(laboratory.title) })),
  ]);
  for (const { kind, id, title } of assessments)
    if (kind === 'exam') parts.push({ key: `exam:${id}`, label: words.exam(title) });
  // What is gone is named by its key, so that it can be taken away.
  const gone = after.filter((key) => course && !parts.some((part) => part.key === key));
  const shown = [...parts.filter(({ key }) => key !== own), ...gone.map((key) => ({ key, label: key }))];
  return (
    <details className="rounded-md bg-sunken px-4 py-3" open={after.length > 0 || problem !== undefined}>
      <summary className="min-h-6 text-sm font-medium">{words.title}</summary>
      <div className="mt-3 flex flex-col gap-3">
        <TextField label={words.at} help={words.atHelp(ownZone())} type="datetime-local" {...time} />
        {shown.length > 0 && (
          <fieldset className="flex flex-col gap-1">
            <legend className="text-sm font-medium">{words.after}</legend>
            <p className={problem === undefined ? 'text-sm text-ink-soft' : 'text-sm text-bad'}>
              {problem ?? words.afterHelp}
            </p>
            <div className="flex max-h-60 flex-col overflow-y-auto">
              {shown.map(({ key, label }) => (
                <Checkbox
                  key={key}
                  label={label}
                  checked={after.includes(key)}
                  onChange={({ target }) =>
                    onAfter(target.checked ? [...after, key] : after.filter((other) => other !== key))
                  }
                />
              ))}
            </div>
          </fieldset>
        )}
      </div>
    </details>
  );
}
