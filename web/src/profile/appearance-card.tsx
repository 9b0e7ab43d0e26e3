import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { languages } from '../strings/load-strings.ts';
import { useSpoken, useStrings } from '../strings/use-strings.tsx';
import { colorSchemes, useColorScheme } from '../ui/color-scheme.ts';
import { optionsOf } from '../ui/forms/field.tsx';
import { densities, useDensity } from '../ui/lists/density.ts';
import { TitledCard } from './titled-card.tsx';

/** Theme and language of the pages, stored in this browser. */
export function AppearanceCard() {
  const t = useStrings();
  const { language, speak } = useSpoken();
  const [scheme, setScheme] = useColorScheme();
  const [density, setDensity] = useDensity();
  return (
    <TitledCard title={t.profile.appearance.title}>
      <Choice
        label={t.profile.appearance.colorScheme}
        value={scheme}
        onChange={setScheme}
        options={optionsOf(colorSchemes, t.common.colorScheme)}
      />
      <Choice
        label={t.profile.appearance.language}
        value={language}
        onChange={speak}
        options={optionsOf(languages, t.common.language)}
      />
      <Choice
        label={t.profile.density.label}
        value={density}
        onChange={setDensity}
        options={optionsOf(densities, t.profile.density)}
      />
    </TitledCard>
  );
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <p id={id} className="text-sm font-medium">
        {label}
      </p>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(next as Value)}
        className="flex flex-wrap gap-1.5"
      >
        {options.map((option) => (
          <RadioGroup.Item
            key={option.value}
            value={option.value}
            className="min-h-10 rounded-md border border-line-strong px-3.5 text-sm hover:bg-sunken data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:font-medium"
          >
            {option.label}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
