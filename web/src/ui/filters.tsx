import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from './button.tsx';
import { Field, inputClasses } from './field.tsx';

/** Milliseconds without a key press after which the search starts. */
const pause = 300;

/** Fields that filter the list below them. */
export const Filters = ({ children }: { children: ReactNode }) => {
  const t = useStrings();
  return (
    <search aria-label={t.common.filters} className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-4">
      {children}
    </search>
  );
};

/** A filter without a field, which a click removes. */
export const FilterChip = ({ children, onRemove }: { children: ReactNode; onRemove: () => void }) => (
  <p>
    <Button size="small" onClick={onRemove}>
      {children} <X size={16} aria-hidden="true" />
    </Button>
  </p>
);

/** Searches for the typed text after a pause in typing. */
export function SearchField({
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
