import type { ConvertOptions } from './convert-options.ts';
import { imageFor } from './images.ts';
import type { ScenarioFileContent } from './scenario-file.ts';
import { setUpKeys } from './set-up-script.ts';
import type { ScenarioEntry } from './source.ts';

/** The image of a scenario's laboratory. Undefined if it gets none, which is recorded. */
export function imageOf({ file }: ScenarioEntry, { images, image: otherwise }: ConvertOptions): string | undefined {
  const imageId = file.value.backend?.imageid ?? '';
  const place = ['backend', 'imageid'];
  if (!hasMachine(file.value.details)) {
    file.lose([], 'has no checks and no machine of its own: only its lessons are converted');
    return undefined;
  }
  const image = imageFor(imageId, images, otherwise);
  if (image === undefined) file.lose(place, `there is no image for ${imageId}: only its lessons are converted`);
  else file.change(place, `${imageId || 'the usual image'} is replaced by ${image}`);
  return image;
}

/** Whether a scenario has checks, or a machine that is prepared. */
const hasMachine = ({ intro, steps = [], assets }: NonNullable<ScenarioFileContent['details']> = {}): boolean =>
  assets?.['host01'] !== undefined || [intro, ...steps].some((part) => part !== undefined && hasScript(part));

const hasScript = (part: Record<string, unknown>): boolean =>
  ['verify', ...setUpKeys].some((key) => typeof part[key] === 'string' && part[key].trim() !== '');
