import { type ComponentProps, type ReactNode, useId } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { classes } from '../classes.ts';

export const inputClasses =
  'w-full min-h-10 rounded-md border border-line-strong bg-surface px-3 py-2 text-sm text-ink placeholder:text-ink-soft ' +
  'disabled:opacity-60 aria-invalid:border-bad aria-invalid:outline-bad';

type Described = {
  label: string;
  help?: string | undefined;
  /** The problem of the value. */
  problem?: string | undefined;
  isLabelHidden?: boolean;
};
type Control = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

/** A label, a control, and below it a help text or the problem of the value, linked for screen readers. */
export function Field({
  label,
  help,
  problem,
  isLabelHidden = false,
  isRequired = true,
  children,
}: Described & { isRequired?: boolean | undefined; children: (control: Control) => ReactNode }) {
  const id = useId();
  const t = useStrings();
  const hasNote = problem !== undefined || help !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
        {!isRequired && <span className="font-normal text-ink-soft"> ({t.common.optional})</span>}
      </label>
      {children({
        id,
        'aria-describedby': hasNote ? `${id}-note` : undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {hasNote && (
        <p id={`${id}-note`} className={classes('text-sm', problem ? 'text-bad' : 'text-ink-soft')}>
          {problem ?? help}
        </p>
      )}
    </div>
  );
}

/** The properties of a text control, apart from those of the field around it. A hidden label does not say that the field is optional. */
function partsOf<Props extends Described & { required?: boolean | undefined }>(props: Props) {
  const { label, help, problem, isLabelHidden = false, ...rest } = props;
  return { field: { label, help, problem, isLabelHidden, isRequired: props.required ?? isLabelHidden }, rest };
}

export function TextField({ className, ...props }: Described & ComponentProps<'input'>) {
  const { field, rest } = partsOf(props);
  return (
    <Field {...field}>
      {(control) => <input {...control} {...rest} className={classes(inputClasses, className)} />}
    </Field>
  );
}

export function TextArea({ className, ...props }: Described & ComponentProps<'textarea'>) {
  const { field, rest } = partsOf(props);
  return (
    <Field {...field}>
      {(control) => <textarea rows={4} {...control} {...rest} className={classes(inputClasses, className)} />}
    </Field>
  );
}

export type Option = {
  value: string;
  label: string;
  /** The heading of its group of options. */
  group?: string;
};

/** An option for each value. Its label is the value in the user's language. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Record<Value, string>,
): { value: Value; label: string }[] => values.map((value) => ({ value, label: labels[value] }));

/** A select with a few options. It is the browser's own, which works on every phone and with every screen reader. */
export function Select({
  label,
  help,
  problem,
  isLabelHidden,
  className,
  options,
  ...rest
}: Described & ComponentProps<'select'> & { options: readonly Option[] }) {
  const groups = [...new Set(options.map(({ group }) => group))];
  const inGroup = (name: string | undefined) =>
    options
      .filter(({ group }) => group === name)
      .map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ));
  return (
    <Field {...{ label, help, problem }} {...(isLabelHidden ? { isLabelHidden } : {})}>
      {(control) => (
        <select {...control} {...rest} className={classes(inputClasses, 'pr-8', className)}>
          {groups.map((name) =>
            name === undefined ? (
              inGroup(name)
            ) : (
              <optgroup key={name} label={name}>
                {inGroup(name)}
              </optgroup>
            ),
          )}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({ label, ...rest }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className="inline-flex min-h-8 items-center gap-2 text-sm">
      <input type="checkbox" {...rest} className="size-4 shrink-0 accent-accent" />
      {label}
    </label>
  );
}
