import { useId } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { TextField } from '../ui/field.tsx';
import { useKnownImages } from './subject-queries.ts';

/** The name of a container image, with the known ones as suggestions. The service does not report which images an engine has. */
export function ImageField({
  value,
  onChange,
  problem,
}: {
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
}) {
  const t = useStrings();
  const id = useId();
  const images = useKnownImages();
  return (
    <>
      <TextField
        label={t.authoring.subject.image}
        help={t.authoring.subject.imageHelp}
        problem={problem}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        list={id}
        required
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        className="font-mono"
      />
      <datalist id={id}>
        {images.map((image) => (
          <option key={image} value={image} />
        ))}
      </datalist>
    </>
  );
}
