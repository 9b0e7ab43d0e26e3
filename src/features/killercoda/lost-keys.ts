import type { JsonFile, ScenarioFile } from './scenario-file.ts';
import { setUpKeys } from './set-up-script.ts';

/** The second line has no meaning for students. */
const topKeys = [
  ...['title', 'description', 'difficulty', 'time', 'backend'],
  ...['id', 'type', 'noindex', 'icon', 'private'],
];
const layoutKeys = ['environment', 'interface'];
const partKeys = ['title', 'text', 'verify', 'hint', 'solution'];

type File = JsonFile<typeof ScenarioFile>;

/** Records the keys of the intro, of a step or of the finish that are not converted. */
export function losePartKeys(file: File, place: readonly (string | number)[], part: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(part)) {
    const isSetUp = setUpKeys.includes(key) && typeof value === 'string' && place.at(-1) !== 'finish';
    if (!partKeys.includes(key) && !isSetUp && value !== '') file.lose([...place, key], 'is not converted');
  }
}

/** Records the keys of a scenario that are not converted. */
export function loseScenarioKeys(file: File): void {
  const { details = {}, ...rest } = file.value;
  for (const key of Object.keys(rest)) {
    if (layoutKeys.includes(key)) file.lose([key], 'the layout of the page is that of this platform');
    else if (!topKeys.includes(key)) file.lose([key], 'is not converted');
  }
  for (const host of Object.keys(details.assets ?? {})) {
    if (host !== 'host01')
      file.lose(['details', 'assets', host], 'a laboratory has one machine, host01: not converted');
  }
  for (const key of Object.keys(details)) {
    if (!['intro', 'steps', 'finish', 'assets'].includes(key)) file.lose(['details', key], 'is not converted');
  }
}
