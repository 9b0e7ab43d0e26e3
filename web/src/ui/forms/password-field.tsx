import { type ComponentProps, useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Field, inputClasses } from './field.tsx';

/** A password, which the user can look at. */
export function PasswordField({ label, ...rest }: { label: string } & ComponentProps<'input'>) {
  const t = useStrings();
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label}>
      {(control) => (
        <div className="relative">
          <input {...control} {...rest} type={isShown ? 'text' : 'password'} className={`${inputClasses} pr-20`} />
          <button
            type="button"
            aria-controls={control.id}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 right-1 min-w-8 rounded-md px-2 text-sm text-ink-soft hover:bg-sunken"
          >
            {isShown ? t.account.hideTyped : t.account.showTyped}
          </button>
        </div>
      )}
    </Field>
  );
}
