import { useStrings } from '../strings/use-strings.tsx';
import { Select } from '../ui/forms/field.tsx';
import type { ImportCheck, UsernameSource } from './import-calls.ts';

const sources = ['file', 'local_part', 'address'] as const satisfies UsernameSource[];

/** One rule for the usernames of all new accounts. */
export function UsernameChoice({
  usernames: { source, examples },
  isBusy,
  onChange,
}: {
  usernames: NonNullable<ImportCheck['usernames']>;
  isBusy: boolean;
  onChange: (source: UsernameSource) => void;
}) {
  const words = useStrings().imports.usernames;
  return (
    <Select
      label={words.label}
      help={examples.length > 0 ? words.examples(examples.join(', ')) : undefined}
      options={sources.map((value) => ({ value, label: words.sources[value] }))}
      value={source}
      disabled={isBusy}
      onChange={({ target }) => onChange(target.value as UsernameSource)}
    />
  );
}

/** The lines of a roster that are no people. */
export function LeftOutLines({ lines }: { lines: ImportCheck['left_out'] }) {
  const words = useStrings().imports.leftOut;
  return (
    <div className="text-sm">
      <p>{words.title}</p>
      <ul className="list-inside list-disc text-ink-soft">
        {lines.map(({ line, name, reason }) => (
          <li key={line} className="[overflow-wrap:anywhere]">
            {words.line(line, name, words.reasons[reason])}
          </li>
        ))}
      </ul>
    </div>
  );
}
