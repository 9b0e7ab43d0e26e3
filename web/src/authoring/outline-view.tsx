import type { components } from '../api/schema.d.ts';
import { codedText } from '../strings/coded-text.ts';
import { useStrings } from '../strings/use-strings.tsx';

export type Outline = components['schemas']['CourseOutline'];
type Problem = Outline['problems'][number];
type Section = Outline['courses'][number]['sections'][number];

const minutesOf = (sections: readonly Section[]): number =>
  sections.flatMap(({ themes }) => themes).reduce((sum, { duration_minutes }) => sum + duration_minutes, 0);

/** The courses that an import would bring, what would change, and what would be left out. */
export function OutlineView({ outline }: { outline: Outline }) {
  const words = useStrings().authoring.imports;
  const { courses, changes, problems, warnings } = outline;
  const count = (wanted: Outline['changes'][number]['action']): number =>
    changes.filter(({ action }) => action === wanted).length;
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-soft">
        {outline.file ? words.from(outline.file) : words.fromFolders}
        {outline.commit ? ` ${words.commit(outline.commit.slice(0, 8))}` : ''}
      </p>
      {courses.map((course) => (
        <section key={course.slug} aria-label={course.name} className="rounded-lg border p-3">
          <h3 className="font-semibold">
            {course.name} <Minutes count={minutesOf(course.sections)} />
          </h3>
          <p className="text-ink-soft">{course.id === null ? words.newCourse : words.known}</p>
          <ol className="mt-2 flex flex-col gap-2" aria-label={words.sectionsOf(course.name)}>
            {course.sections.map((section) => (
              <li key={section.slug}>
                <p className="font-medium">
                  {section.name} <Minutes count={minutesOf([section])} />
                </p>
                <ol className="ml-4 list-decimal text-ink-soft">
                  {section.themes.map((lesson) => (
                    <li key={lesson.slug} title={lesson.markdown_file_path}>
                      {lesson.title} <Minutes count={lesson.duration_minutes} />
                      {lesson.id === null && course.id !== null && <span className="text-accent"> {words.isNew}</span>}
                    </li>
                  ))}
                </ol>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {courses.length > 0 && <p>{words.changes(count('new'), count('changed'), count('gone'), count('kept'))}</p>}
      <Problems title={words.problems(outline.problem_count)} problems={problems} isBad />
      <Problems title={words.warnings(outline.warning_count)} problems={warnings} />
    </div>
  );
}

function Minutes({ count }: { count: number }) {
  const words = useStrings().authoring.imports;
  return <span className="font-normal text-ink-soft">· {words.minutes(count)}</span>;
}

function Problems({ title, problems, isBad }: { title: string; problems: readonly Problem[]; isBad?: boolean }) {
  const t = useStrings();
  if (problems.length === 0) return null;
  return (
    <details open={isBad}>
      <summary className={isBad ? 'font-medium text-bad' : 'font-medium'}>{title}</summary>
      <ul className="mt-1 ml-4 list-disc break-words">
        {problems.map(({ file, line, message, ...problem }) => (
          <li key={`${file}:${line}:${message}`}>
            <code>
              {file}:{line}
            </code>{' '}
            {codedText(t, problem, message)}
          </li>
        ))}
      </ul>
    </details>
  );
}
