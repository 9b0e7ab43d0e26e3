import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { History, PencilLine } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { LessonPicture } from '../markdown/lesson-picture.tsx';
import { RunContext } from '../markdown/run-context.ts';
import { type ParsedText, useParsedText } from '../markdown/use-parsed-text.ts';
import { neededPart } from '../routing/needed-part.ts';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { behindDoor, ChangeableFields, DoorCrumbs, ViewerNote } from '../teaching-model/behind-door.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Crumb } from '../ui/crumbs.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, inputClasses } from '../ui/forms/field.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { inserted, makeEdit } from './markdown-edits.ts';
import { PathForm } from './path-form.tsx';
import { changeFile, deleteFile, uploadPicture, type WrittenText, writtenFileQuery, writtenKey } from './queries.ts';
import { RevisionList } from './revision-list.tsx';
import { SaveConflict, SaveText } from './save-text.tsx';
import { useTextToolbar } from './text-toolbar.tsx';
import { type TextEditor, useTextEditor } from './use-text-editor.ts';

const isPicture = /\.(?:png|jpe?g|gif|webp|svg)$/i;

/** The editor of a file of lessons, beside its preview. */
function OneFile() {
  const t = useStrings();
  const id = Number(useParams({ strict: false }).fileId);
  const file = useQuery(writtenFileQuery(useDoor(), id));
  if (file.data) return <Editor key={`${id} ${file.data.is_deleted}`} file={file.data} />;
  return (
    <Page title={t.common.links.writtenLessons} crumbs={<Above />}>
      <Fetched query={file}>{() => null}</Fetched>
    </Page>
  );
}

export const WrittenEditorPage = behindDoor(OneFile);

function Above() {
  const t = useStrings();
  const door = useDoor();
  return (
    <DoorCrumbs>
      <Crumb to={door.page('/administration/written-lessons')} params={door.params}>
        {t.common.links.writtenLessons}
      </Crumb>
    </DoorCrumbs>
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
      title={saved.lessons[0]?.title ?? saved.path}
      crumbs={<Above />}
      lead={
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm">
            {words.savedAt(saved.revision, format.time(saved.changed_at))}
            {saved.lessons.length > 0 && <code className="wrap-anywhere">{saved.path}</code>}
            {saved.is_deleted && <Badge tone="warn">{words.isDeleted}</Badge>}
          </p>
          <LessonsOf file={saved} />
        </>
      }
      actions={<FileActions file={saved} isDirty={editor.isDirty} onChange={editor.take} onRename={editor.rename} />}
    >
      <SaveConflict editor={editor} message={message} />
      <ViewerNote />
      {saved.is_text && !saved.is_deleted ? (
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <ChangeableFields>
            <TextField editor={editor} onSave={() => void save()} />
          </ChangeableFields>
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

const LessonText = lazy(() => neededPart(async () => (await import('../markdown/lesson-text.tsx')).LessonText));
const skeleton = <Loading rows={6} className="h-6" />;
/** Milliseconds without a key press after which the text is converted. */
const pause = 250;

/** A text as students read it. While it is converted, the one before is shown. */
function TextPreview({ text, title, path }: { text: string; title: string; path: string }) {
  const t = useStrings();
  const toasts = useToasts();
  const { runsInLesson } = t.written;
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  const parsed = useParsedText(settled, title);
  const [shown, setShown] = useState<ParsedText>();
  useEffect(() => {
    if (parsed) setShown(parsed);
  }, [parsed]);
  const source = useMemo(() => ({ lessonId: null, path }), [path]);
  // The button is shown where students see it. A preview has no terminal.
  const explain = useCallback(() => toasts.inform(runsInLesson), [toasts, runsInLesson]);
  if (text.trim() === '') return <p className="text-sm text-ink-soft">{t.written.noText}</p>;
  const current = parsed ?? shown;
  return (
    <RunContext value={explain}>
      <Suspense fallback={skeleton}>{current ? <LessonText text={current} source={source} /> : skeleton}</Suspense>
    </RunContext>
  );
}

/** The field for a text in Markdown, which takes pictures. Ctrl+S saves. */
function TextField({ editor: { text, setText }, onSave }: { editor: TextEditor; onSave: () => void }) {
  const words = useStrings().written;
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const { isUploading, add, handlers } = usePictures(area);
  const toolbar = useTextToolbar(area, () => chooser.current?.click(), isUploading);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {toolbar.bar}
      <Field label={words.text} help={isUploading ? words.uploading : words.pictureHelp}>
        {(control) => (
          <textarea
            {...control}
            {...handlers}
            ref={area}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              toolbar.onKeyDown(event);
              if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              onSave();
            }}
            className={`${inputClasses} min-h-[60dvh] resize-y font-mono leading-relaxed`}
            spellCheck={false}
            maxLength={1_000_000}
          />
        )}
      </Field>
      <input
        ref={chooser}
        type="file"
        aria-label={words.picture}
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        onChange={({ target }) => {
          void add([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </div>
  );
}

/** Uploads pictures that are chosen, dropped or pasted, and writes their links where the cursor is. */
function usePictures(area: RefObject<HTMLTextAreaElement | null>) {
  const toasts = useToasts();
  const door = useDoor();
  const [isUploading, setUploading] = useState(false);
  const insert = (markdown: string): void => {
    const { current } = area;
    if (current) makeEdit(current, inserted(current, markdown));
  };
  const add = async (files: readonly File[]): Promise<void> => {
    setUploading(true);
    try {
      for (const file of files) {
        const { path } = await uploadPicture(door, file);
        insert(`![${altOf(file.name)}](/${encodeURI(path)})\n`);
      }
    } catch (error) {
      toasts.failed(error);
    } finally {
      setUploading(false);
      area.current?.focus();
    }
  };
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    const files = [...data.files].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  return {
    ...{ isUploading, add },
    handlers: {
      onPaste: (event: ClipboardEvent): void => take(event, event.clipboardData),
      onDrop: (event: DragEvent): void => take(event, event.dataTransfer),
    },
  };
}

/** The description of a picture that nobody has described yet: its name without brackets. */
const altOf = (name: string): string => name.replace(/\.[^.]*$/, '').replaceAll(/[[\]\\]/g, ' ');

/** The history of a file, its name, and its deletion. */
function FileActions({
  file,
  isDirty,
  onChange,
  onRename,
}: {
  file: WrittenText;
  /** There is text that is not saved. */
  isDirty: boolean;
  /** Gets the file with another text. */
  onChange: (file: WrittenText) => void;
  onRename: (file: WrittenText) => void;
}) {
  const words = useStrings().written;
  const toasts = useToasts();
  const client = useQueryClient();
  const [open, setOpen] = useState<'history' | 'rename'>();
  const close = (): void => setOpen(undefined);
  const { id, path, is_deleted } = file;
  const door = useDoor();
  const rename = async (next: string): Promise<void> => {
    const renamed = await changeFile(door, id, { path: next });
    onRename(renamed);
    toasts.done(words.renamed(renamed.path));
    close();
  };
  const remove = async (): Promise<void> => {
    await deleteFile(door, id);
    toasts.done(words.removed(path));
    await client.invalidateQueries({ queryKey: writtenKey });
    navigate({ to: door.page('/administration/written-lessons'), params: door.params });
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen('history')}>
        <History size={16} aria-hidden="true" /> {words.history}
      </Button>
      {!is_deleted && door.mayChange && (
        <>
          <Button aria-haspopup="dialog" onClick={() => setOpen('rename')}>
            <PencilLine size={16} aria-hidden="true" /> {words.rename}
          </Button>
          <DeleteButton label={words.remove} title={words.removeTitle(path)} onConfirm={remove}>
            <p>{words.removeHelp}</p>
          </DeleteButton>
        </>
      )}
      <Dialog title={words.rename} description={words.renameHelp} isOpen={open === 'rename'} onOpenChange={close}>
        <PathForm path={path} onSend={rename} onClose={close} />
      </Dialog>
      <Dialog title={words.historyOf(path)} isOpen={open === 'history'} onOpenChange={close} width="max-w-4xl">
        <RevisionList
          file={file}
          isDirty={isDirty}
          onRestore={(restored) => {
            onChange(restored);
            close();
          }}
        />
      </Dialog>
    </>
  );
}
