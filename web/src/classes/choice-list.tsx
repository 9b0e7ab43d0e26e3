import { Checkbox } from '../ui/forms/field.tsx';

type Choice = { id: number; label: string };

/** Chooses several of a short or long list, which scrolls within itself. Chosen ones that are not in the list stay chosen. */
export function ChoiceList({
  legend,
  choices,
  chosen,
  onChange,
}: {
  legend: string;
  choices: readonly Choice[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: Set<number>) => void;
}) {
  return (
    <fieldset className="flex max-h-56 min-w-0 flex-col overflow-y-auto rounded-md border px-3 py-2">
      <legend className="px-1 text-sm font-medium">{legend}</legend>
      {choices.map(({ id, label }) => (
        <Checkbox
          key={id}
          label={label}
          checked={chosen.has(id)}
          onChange={({ target }) => {
            const next = new Set(chosen);
            if (target.checked) next.add(id);
            else next.delete(id);
            onChange(next);
          }}
        />
      ))}
    </fieldset>
  );
}
