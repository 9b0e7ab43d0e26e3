import { Eye, Pencil } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/forms/field.tsx';
import { Prose } from './prose.tsx';

/** A field for Markdown, with a preview as students see it. */
export function MarkdownArea(props: ComponentProps<typeof TextArea>) {
  const t = useStrings();
  const box = useRef<HTMLDivElement>(null);
  const [preview, setPreview] = useState<string>();
  // A problem is beside the field.
  const isShown = preview !== undefined && props.problem === undefined;
  const toggle = (): void => setPreview(isShown ? undefined : (box.current?.querySelector('textarea')?.value ?? ''));
  const action = isShown ? t.markdown.edit : t.markdown.preview;
  return (
    <div ref={box} className="flex flex-col gap-1">
      <div hidden={isShown}>
        <TextArea {...props} />
      </div>
      {isShown && (
        <section aria-label={t.markdown.previewOf(props.label)} className="flex flex-col gap-1">
          <p className="text-sm font-medium">{props.label}</p>
          <div className="min-h-20 rounded-md border bg-ground px-3 py-2">
            {preview.trim() === '' ? (
              <p className="text-sm text-ink-soft">{t.markdown.empty}</p>
            ) : (
              <Prose text={preview} />
            )}
          </div>
        </section>
      )}
      <Button look="quiet" size="small" className="self-start" onClick={toggle}>
        {isShown ? <Pencil size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
        {action} <span className="sr-only">({props.label})</span>
      </Button>
    </div>
  );
}
