import { FileText, Upload } from 'lucide-react';
import { useRef } from 'react';
import { useFormat, useStrings } from '../../../strings/use-strings.tsx';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/card.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import type { AnswerKind, InputProps, ShownProps } from '../answer-kind.ts';

/** A file that the student uploads, or one of the machine that is collected at the end. People grade it. */
export const file: AnswerKind = { Input, Shown };

function Input({ state, onChange, control, isReadOnly, filePath }: InputProps) {
  const { answers: words } = useStrings();
  const input = useRef<HTMLInputElement>(null);
  const { phase, given, saved, progress = 0 } = state;
  const sent = given && 'file' in given ? given.file : undefined;
  const known = sent ? { name: sent.name, bytes: sent.size } : saved?.file;
  return (
    <fieldset {...control} className="flex min-w-0 flex-col gap-2">
      {known && <FileName {...known} />}
      {phase === 'saving' && <ProgressBar value={100 * progress} label={words.sending} />}
      <div className="flex flex-wrap gap-2">
        {/* A button, because the words of the browser's own control are in the browser's language. */}
        <input
          ref={input}
          type="file"
          hidden
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            if (chosen) onChange({ file: chosen }, 0);
            // The same file can be chosen again after it was edited.
            target.value = '';
          }}
        />
        <Button size="small" disabled={isReadOnly} onClick={() => input.current?.click()}>
          <Upload size={15} aria-hidden="true" /> {known ? words.replace : words.choose}
        </Button>
        {saved?.file && !sent && <DownloadButton size="small" label={words.download} path={filePath} />}
      </div>
    </fieldset>
  );
}

function Shown({ answer: { file: known }, filePath }: ShownProps) {
  const { answers: words } = useStrings();
  if (!known) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <FileName {...known} />
      <DownloadButton size="small" label={words.download} name={words.downloadOf(known.name)} path={filePath} />
    </div>
  );
}

function FileName({ name, bytes }: { name: string; bytes: number }) {
  const format = useFormat();
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm">
      <FileText size={16} aria-hidden="true" className="shrink-0 text-ink-soft" />
      <span className="min-w-0 wrap-anywhere">{name}</span>
      <span className="shrink-0 text-ink-soft">{format.bytes(bytes)}</span>
    </p>
  );
}
