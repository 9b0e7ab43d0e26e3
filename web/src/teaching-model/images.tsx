import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import type { Answer } from '../api/client.ts';
import { pageQuery } from '../api/list-query.ts';
import { okAll, okPage } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Select, TextField } from '../ui/forms/field.tsx';
import { type Door, useDoor } from './door.ts';

export type ContainerImage = Answer<'/api/admin/images'>[number];

export const imagesKey = ['images'];
/** Milliseconds between two polls while an image is pulled. */
const pullInterval = 1000;

/** A page of the images that administrators see, or that a course may use. */
export const imagesQuery = ({ key, api }: Door, page: number) =>
  queryOptions({
    queryKey: [...imagesKey, key, page],
    queryFn: ({ signal }) => okPage(api.GET('/api/admin/images', { params: { query: pageQuery({ page }) }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.items.some((image) => image.state === 'pulling') && pullInterval,
  });

/** All of them that a machine can be created from. */
const usableImagesQuery = ({ key, api }: Door) =>
  queryOptions({
    queryKey: [...imagesKey, key, 'usable'],
    queryFn: async ({ signal }) =>
      (await okAll((query) => api.GET('/api/admin/images', { params: { query }, signal }))).filter(
        ({ is_usable }) => is_usable,
      ),
  });

/** The option that shows a field for the name. No image has this name. */
const another = ' ';

/** The image of a machine. Administrators can name one that the container engine has and nobody has added. */
export function ImageField<Values extends FieldValues>(props: { control: Control<Values>; name: FieldPath<Values> }) {
  const words = useStrings().authoring.images;
  const door = useDoor();
  const { field, fieldState } = useController(props);
  const { data: images } = useQuery(usableImagesQuery(door));
  const [wantsOther, setWantsOther] = useState(false);
  const value = String(field.value);
  const problem = fieldState.error?.message;
  const known = (images ?? []).map(({ name, reference }) => ({
    value: reference,
    label: name === reference ? name : `${name} (${reference})`,
  }));
  const isListed = known.some((one) => one.value === value);
  const isTyped = wantsOther || (images !== undefined && !isListed && !door.course);
  const options = [
    ...(isListed || isTyped ? [] : [{ value, label: value }]),
    ...known,
    ...(door.course ? [] : [{ value: another, label: words.another }]),
  ];
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={words.image}
        help={words.imageHelp}
        required
        {...(isTyped ? {} : { ref: field.ref, problem })}
        name={field.name}
        value={isTyped ? another : value}
        options={options}
        onBlur={field.onBlur}
        onChange={({ target }) => {
          setWantsOther(target.value === another);
          if (target.value !== another) field.onChange(target.value);
        }}
      />
      {isTyped && (
        <TextField
          label={words.anotherName}
          problem={problem}
          required
          maxLength={500}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          className="font-mono"
          {...field}
        />
      )}
    </div>
  );
}
