import { type ComponentProps, useId } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useKnownImages } from './queries.ts';

/** The name of a container image. Known images are suggestions: the service does not know all images of an engine. */
export function ImageField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  const t = useStrings();
  const id = useId();
  const images = useKnownImages();
  return (
    <>
      <TextField
        {...field}
        label={t.authoring.assessment.image}
        help={t.authoring.assessment.imageHelp}
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
