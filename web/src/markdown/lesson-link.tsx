import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink, FileDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { useLessonOfFile } from '../teaching-model/courses.ts';
import { useDoor } from '../teaching-model/door.ts';
import { useToasts } from '../ui/toasts.tsx';
import { fileQuery } from './file-query.ts';
import { lessonPrefix, referenceOf, type Source } from './parsing/references.ts';

/** A Markdown file, or a page of a site that is made of it: without an ending, or with that of a page. */
const mayBeLesson = /(?:\.(?:md|markdown|html?)|(?:^|\/)[^./]+)$/i;
const idOf = (fragment: string, prefix = lessonPrefix): string => `${prefix}${fragment.toLowerCase()}`;
/** Saves a file that a browser would otherwise open or ask to save. */
const download = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** A link of a lesson: to a heading in it, to another lesson, to a file beside it, or to another site. */
export function LessonLink({
  url,
  source,
  prefix,
  children,
  ...rest
}: {
  url: string;
  source: Source | undefined;
  prefix: string | undefined;
  children: ReactNode;
  'aria-label'?: string | undefined;
  'aria-describedby'?: string | undefined;
  id?: string | undefined;
}) {
  const t = useStrings();
  const reference = referenceOf(url, source ?? { path: '' });
  if (reference.kind === 'inside') {
    return (
      <a href={`#${idOf(reference.fragment, prefix)}`} {...rest}>
        {children}
      </a>
    );
  }
  if (reference.kind === 'outside') {
    if (/^mailto:/i.test(url)) return <a href={url}>{children}</a>;
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" {...rest}>
        {children}
        <ExternalLink size={13} className="ml-1 inline align-baseline" aria-hidden="true" />
        <span className="sr-only"> ({t.markdown.newTab})</span>
      </a>
    );
  }
  if (!source) return <span>{children}</span>;
  if (mayBeLesson.test(reference.path)) {
    if (source.lessonId === null) return <span className="underline">{children}</span>;
    return (
      <OtherLesson path={reference.path} fragment={reference.fragment} from={source.lessonId}>
        {children}
      </OtherLesson>
    );
  }
  return (
    <FileLink relative={reference.relative} source={source}>
      {children}
    </FileLink>
  );
}

function OtherLesson({
  path,
  fragment,
  from,
  children,
}: {
  path: string;
  fragment: string;
  /** The lesson with the link. */
  from: number;
  children: ReactNode;
}) {
  const t = useStrings();
  const lesson = useLessonOfFile(path, from);
  if (!lesson) return <span title={lesson === null ? t.markdown.noSuchLink : undefined}>{children}</span>;
  return (
    <Link
      to="/lessons/$lessonId"
      params={{ lessonId: String(lesson.id) }}
      {...(fragment === '' ? {} : { hash: idOf(fragment) })}
    >
      {children}
    </Link>
  );
}

function FileLink({ relative, source, children }: { relative: string; source: Source; children: ReactNode }) {
  const client = useQueryClient();
  const door = useDoor();
  const toasts = useToasts();
  const save = async (): Promise<void> => {
    try {
      download(await client.fetchQuery(fileQuery(door, source, relative)), relative.split('/').at(-1) ?? relative);
    } catch (error) {
      toasts.failed(error);
    }
  };
  return (
    <button type="button" onClick={() => void save()} className="text-accent underline underline-offset-2">
      {children} <FileDown size={14} className="inline" aria-hidden="true" />
    </button>
  );
}
