import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useStrings } from '../strings/use-strings.tsx';
import { Select } from '../ui/forms/field.tsx';
import { fieldOf } from '../ui/forms/form-field.ts';
import { FilePicker } from './file-picker.tsx';

/** The fields of a lesson's form that these fields change. */
type FileFields = {
  /** The id of the section. */
  parent: string;
  file: string;
  source: 'repository' | 'written';
};

/** Where the text of a lesson is: in the repository of its course or written in the pages, and in which file. */
export function LessonFile<Draft extends FileFields>({ form: given }: { form: UseFormReturn<Draft> }) {
  const t = useStrings();
  // The form has more fields, which are not touched.
  const form = given as unknown as UseFormReturn<FileFields>;
  const [parent, file, source] = useWatch({ control: form.control, name: ['parent', 'file', 'source'] });
  const isWritten = source === 'written';
  const section = parent === '' ? undefined : { section_id: Number(parent) };
  return (
    <>
      <Select
        label={t.written.where}
        {...fieldOf(form, 'source')}
        options={[
          { value: 'repository', label: t.written.inRepository },
          { value: 'written', label: t.written.writtenHere },
        ]}
      />
      <FilePicker
        label={t.authoring.courses.file}
        help={t.authoring.courses.fileHelp}
        {...fieldOf(form, 'file')}
        place={isWritten ? { is_written: true } : section}
        value={file}
        onChoose={(path) => form.setValue('file', path, { shouldDirty: true, shouldValidate: true })}
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        required={!isWritten}
      />
    </>
  );
}
