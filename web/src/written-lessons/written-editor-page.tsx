import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LessonPicture } from '../markdown/lesson-picture.tsx';
import { Link } from '../routing/link.tsx';
import { useParams } from '../routing/location-context.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { FileActions } from './file-actions.tsx';
import { type WrittenText, writtenFileQuery } from './queries.ts';
import { SaveConflict, SaveText } from './save-text.tsx';
import { TextField } from './text-area.tsx';
import { TextPreview } from './text-preview.tsx';
import { useTextEditor } from './use-text-editor.ts';

const isPicture = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** The editor of a file of lessons, beside its preview. */
export function WrittenEditorPage() {
  const t = useStrings();
  const id = Number(useParams('/administration/written-lessons/$fileId').fileId);
  const file = useQuery(writtenFileQuery(id));
  if (file.data) return <Editor key={`${id} ${file.data.is_deleted}`} file={file.data} />;
  return (
    <Page title={t.common.links.writtenLessons} crumbs={<Above />}>
      <Fetched query={file}>{() => null}</Fetched>
    </Page>
  );
}

function Above() {
  const t = useStrings();
  return (
    <Crumbs>
      <Crumb to="/administration/written-lessons">{t.common.links.writtenLessons}</Crumb>
    </Crumbs>
  );
}

function Editor({ file }: { file: WrittenText }) {
  const t = useStrings();
  const words = t.written;
  const format = useFormat();
  const editor = useTextEditor(file);
  const [message, setMessage] = useState('');
  const { saved } = editor;
  const save = async (): Promise<void> => {
    if (editor.isDirty && !editor.isSaving && (await editor.save(message))) setMessage('');
  };
  return (
    <Page
      title={saved.path}
      crumbs={<Above />}
      lead={
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm">
            {words.savedAt(saved.revision, format.time(saved.changed_at))}
            {saved.is_deleted && <Badge tone="warn">{words.isDeleted}</Badge>}
          </p>
          <LessonsOf file={saved} />
        </>
      }
      actions={<FileActions file={saved} isDirty={editor.isDirty} onChange={editor.take} onRename={editor.rename} />}
    >
      <SaveConflict editor={editor} message={message} />
      {saved.is_text && !saved.is_deleted ? (
        <div className="grid gap-6 lg:grid-cols-2">
          <TextField editor={editor} onSave={() => void save()} />
          <section aria-label={words.preview} className="flex min-w-0 flex-col gap-1">
            <h2 className="text-sm font-medium">{words.preview}</h2>
            <div className="min-w-0 rounded-md border bg-surface px-4 py-3 lg:max-h-[80dvh] lg:overflow-y-auto">
              <TextPreview text={editor.text} title={saved.lessons[0]?.title ?? ''} path={saved.path} />
            </div>
          </section>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-ink-soft">{words.noPreview}</p>
          {!saved.is_deleted && isPicture.test(saved.path) && (
            <LessonPicture
              url={`/${saved.path.split('/').map(encodeURIComponent).join('/')}`}
              alt={saved.path}
              source={{ lessonId: null, path: '' }}
            />
          )}
        </div>
      )}
      <SaveText editor={editor} message={message} onMessage={setMessage} onSave={() => void save()} />
    </Page>
  );
}

function LessonsOf({ file: { lessons } }: { file: WrittenText }) {
  const words = useStrings().written;
  if (lessons.length === 0) return null;
  return (
    <p className="text-sm">
      {words.usedBy}{' '}
      {lessons.map(({ theme_id, title, course }, index) => (
        <span key={theme_id}>
          {index > 0 && ', '}
          <Link
            to="/lessons/$lessonId"
            params={{ lessonId: `${theme_id}` }}
            className="text-accent underline underline-offset-2"
          >
            {course} / {title}
          </Link>
        </span>
      ))}
    </p>
  );
}
