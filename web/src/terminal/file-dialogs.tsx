import { type FormEvent, useState } from 'react';
import { download } from '../api/download.ts';
import { isRefusal, Problem, refusalOf } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** A file that goes to a path of the machine. */
type Sent = { file: File; path: string };
type Closing = { onClose: () => void };

/** Uploads files, and asks before one of them replaces another. */
export function useUploads(machine: () => Machine) {
  const { terminal: words } = useStrings();
  const toasts = useToasts();
  const [existing, setExisting] = useState<readonly Sent[]>([]);
  const [isBusy, setBusy] = useState(false);
  const send = async ({ file, path }: Sent, isReplacing: boolean): Promise<void> => {
    setBusy(true);
    try {
      toasts.done(words.files.uploaded((await uploadFile(machine(), file, path, isReplacing)).path));
    } catch (error) {
      if (isRefusal(error, 'file_exists')) setExisting((asked) => [...asked, { file, path }]);
      else throw error;
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    send: (one: Sent) => send(one, false),
    /** One after another, into the folder of the shell. */
    drop: async (files: readonly File[]): Promise<void> => {
      for (const file of files) await send({ file, path: file.name }, false).catch(toasts.failed);
    },
    question: existing[0],
    replace: async (): Promise<void> => {
      if (existing[0]) await send(existing[0], true);
    },
    forget: () => setExisting((asked) => asked.slice(1)),
  };
}

export type Uploads = ReturnType<typeof useUploads>;

export function ReplaceQuestion({ uploads: { question, replace, forget } }: { uploads: Uploads }) {
  const { terminal: words } = useStrings();
  return (
    <Confirm
      title={words.files.replaceTitle}
      action={words.files.replace}
      isOpen={question !== undefined}
      onOpenChange={(isOpen) => !isOpen && forget()}
      onConfirm={replace}
    >
      <p className="wrap-anywhere">{words.files.replaceHelp(question?.path ?? '')}</p>
    </Confirm>
  );
}

export function UploadDialog({ uploads, onClose }: Closing & { uploads: Uploads }) {
  const { terminal: words } = useStrings();
  const [file, setFile] = useState<File>();
  const [path, setPath] = useState('');
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!file) return;
    setError(undefined);
    await uploads.send({ file, path: path || file.name }).then(onClose, setError);
  };
  return (
    <Dialog title={words.files.upload} isOpen onOpenChange={onClose}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.files.file}
          type="file"
          required
          onChange={({ target: { files } }) => setFile(files?.[0])}
        />
        <TextField
          label={words.files.uploadPath}
          help={words.files.uploadPathHelp}
          placeholder={file?.name}
          value={path}
          maxLength={1024}
          onChange={({ target }) => setPath(target.value)}
        />
        {error !== undefined && <ProblemNote error={error} />}
        <Button type="submit" look="primary" isBusy={uploads.isBusy}>
          {words.files.upload}
        </Button>
      </form>
    </Dialog>
  );
}

export function DownloadDialog({ machine, onClose }: Closing & { machine: () => Machine }) {
  const { terminal: words } = useStrings();
  const [path, setPath] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    await downloadFile(machine(), path).then(onClose, setError);
    setBusy(false);
  };
  return (
    <Dialog title={words.files.download} isOpen onOpenChange={onClose}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.files.path}
          help={words.files.pathHelp}
          required
          value={path}
          maxLength={1024}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setPath(target.value)}
        />
        {error !== undefined && <ProblemNote error={error} />}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {words.files.download}
        </Button>
      </form>
    </Dialog>
  );
}

/** A machine, and the shell whose folder paths begin in. */
type Machine = { containerId: number; shellId: string | undefined };
type Uploaded = { path: string; bytes: number };

const pathOf = ({ containerId }: Machine): string => `/api/containers/${containerId}/files`;
const placeOf = ({ shellId }: Machine, path: string) => ({ path, ...(shellId ? { session: shellId } : {}) });

/** @throws Problem, `file_exists` unless the file may be replaced */
async function uploadFile(machine: Machine, file: File, path: string, isReplacing: boolean): Promise<Uploaded> {
  const url = new URL(pathOf(machine), location.origin);
  url.search = new URLSearchParams({ ...placeOf(machine, path), is_replacing: `${isReplacing}` }).toString();
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await session.fetch(url, { method: 'PUT', headers, body: file }).catch((): never => {
    throw new Problem(0);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response, body);
  return body as Uploaded;
}

/** Saves a file of the machine through the browser. @throws Problem */
const downloadFile = (machine: Machine, path: string): Promise<void> =>
  download(pathOf(machine), placeOf(machine, path));
