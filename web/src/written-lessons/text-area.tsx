import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Field, inputClasses } from '../ui/forms/field.tsx';
import { usePictures } from './use-pictures.ts';
import type { TextEditor } from './use-text-editor.ts';

/** The field for a text in Markdown, which takes pictures. Ctrl+S saves. */
export function TextField({ editor: { text, setText }, onSave }: { editor: TextEditor; onSave: () => void }) {
  const words = useStrings().written;
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const { isUploading, add, handlers } = usePictures(area, setText);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Field label={words.text} help={isUploading ? words.uploading : words.pictureHelp}>
        {(control) => (
          <textarea
            {...control}
            {...handlers}
            ref={area}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
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
      <Button size="small" className="self-start" isBusy={isUploading} onClick={() => chooser.current?.click()}>
        <ImagePlus size={16} aria-hidden="true" /> {words.picture}
      </Button>
    </div>
  );
}
