import { X } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { Field, inputClasses, type Option, Select } from '../forms/field.tsx';

/** Milliseconds without a key press after which the search starts. */
const pause = 300;

/** A field that filters a list: a search text, a choice, or one of the page's own controls. Each names the URL parameter that it sets. */
export type Filter<Search> =
  | { text: keyof Search; label: string }
  | {
      choice: keyof Search;
      label: string;
      options: readonly Option[];
      /** The value where the URL contains none. Without a fallback, this is "All". */
      fallback?: string;
      isWide?: boolean;
    }
  | { names: readonly (keyof Search)[]; control: (change: Change<Search>) => ReactNode };
type Change<Search> = (next: Partial<Search>, replace?: boolean) => void;

/** The URL parameters that filters set. A choice with a fallback does not filter anything. */
export const filterNames = <Search,>(filters: readonly Filter<Search>[]): (keyof Search)[] =>
  filters.flatMap((filter) => {
    if ('names' in filter) return filter.names;
    if ('text' in filter) return [filter.text];
    return filter.fallback === undefined ? [filter.choice] : [];
  });

/** The fields of a list's filters. */
export function FilterFields<Search>({
  filters,
  search,
  onChange,
}: {
  filters: readonly Filter<Search>[];
  search: Search;
  onChange: Change<Search>;
}) {
  const t = useStrings();
  const setTo = (name: keyof Search, value: unknown) => ({ [name]: value }) as Partial<Search>;
  return (
    <search aria-label={t.common.filters} className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-4">
      {filters.map((filter) => {
        if ('names' in filter) return <Fragment key={filter.names.join()}>{filter.control(onChange)}</Fragment>;
        if ('text' in filter) {
          const value = search[filter.text] as string | undefined;
          const change = (next: string | undefined) => onChange(setTo(filter.text, next), true);
          return <SearchField key={filter.label} label={filter.label} value={value} onChange={change} />;
        }
        const { choice, label, options, fallback, isWide = false } = filter;
        return (
          <div key={label} className={classes(isWide && 'col-span-2 sm:col-span-1')}>
            <Select
              label={label}
              value={`${search[choice] ?? fallback ?? ''}`}
              onChange={({ target }) =>
                onChange(setTo(choice, target.value === fallback ? undefined : read(target.value)))
              }
              options={fallback === undefined ? [{ value: '', label: t.common.all }, ...options] : options}
            />
          </div>
        );
      })}
    </search>
  );
}

/** A choice in its URL form: `true` and `false` are booleans. */
const read = (value: string): string | boolean | undefined =>
  value === '' ? undefined : value === 'true' || value === 'false' ? value === 'true' : value;

/** A filter without a field, which a click removes. */
export const FilterChip = ({ children, onRemove }: { children: ReactNode; onRemove: () => void }) => (
  <p>
    <Button size="small" onClick={onRemove}>
      {children} <X size={16} aria-hidden="true" />
    </Button>
  </p>
);

/** Searches for the typed text after a pause in typing. */
function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value ?? '');
  // Navigating back restores another value.
  useEffect(() => setText(value ?? ''), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause
  useEffect(() => {
    const next = text.trim();
    if (next === (value ?? '')) return;
    const timer = setTimeout(() => onChange(next === '' ? undefined : next), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="col-span-2 sm:col-span-1">
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            type="search"
            maxLength={200}
            className={inputClasses}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
