import { textOfCode } from '../strings/coded-text.ts';
import type { Strings } from '../strings/en/index.ts';
import type { ListedProblem } from './import-calls.ts';

/** The name of a field. A column of a grade book has its own. */
export function fieldName({ imports: { fields } }: Strings, key: string): string {
  const names: Readonly<Record<string, string>> = fields;
  return names[key] ?? key;
}

/** A problem in the user's language. A code of a newer service is shown in the service's words. */
export function problemText(t: Strings, { code, params, detail }: ListedProblem): string {
  const values: Readonly<Record<string, string | number>> = params;
  const textOf = (name: string): string => {
    const value = String(values[name] ?? '');
    return name === 'column' || name === 'other' ? fieldName(t, value) : value;
  };
  return textOfCode(t.imports.problems, code, params, textOf) ?? detail;
}
