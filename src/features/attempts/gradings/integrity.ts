import type { FastifyBaseLogger } from 'fastify';
import type { ContainerEngine } from '../../../ports/container-engine.ts';
import type { ContainerRow } from '../../capacity/store.ts';

export type IntegrityParts = { engine: Pick<ContainerEngine, 'grantsRoot' | 'changedFiles'>; log: FastifyBaseLogger };

/** The maximum number of changed file names that an attempt stores for its instructors. */
const integrityLimit = 500;
const inEtc = (name: string): string => `etc/${name}`;
/** Programs, libraries, account files, and the files that select the program, library, name or certificate that a command uses. */
const systemFiles = new RegExp(
  `^/(${[
    ...['bin', 'sbin', 'lib', 'usr'],
    ...[
      'passwd',
      'shadow',
      'group',
      'gshadow',
      'subuid',
      'subgid',
      'sudoers',
      'doas',
      'login',
      'shells',
      'security',
      'pam',
    ].map(inEtc),
    ...['ld\\.so', 'alternatives', 'ssl', 'ca-certificates', 'ssh', 'environment', 'profile', 'bash', 'inputrc'].map(
      inEtc,
    ),
    ...['nsswitch\\.conf', 'host', 'resolv\\.conf', 'gai\\.conf', 'services', 'protocols', 'localtime', 'timezone'].map(
      inEtc,
    ),
  ].join('|')})`,
);

/** The changes of several readings. Null if none could be read. */
export function allChanges(readings: readonly (string[] | null)[]): string[] | null {
  const read = readings.filter((files) => files !== null);
  return read.length === 0 ? null : [...new Set(read.flat())].sort().slice(0, integrityLimit);
}

/**
 * Lists the files that checks rely on and that differ from the image, where students can be root. The list is for people: it never fails a
 * submission.
 */
export async function changedSystemFiles(
  { engine, log }: IntegrityParts,
  { image, image_id, engine_ref }: Pick<ContainerRow, 'image' | 'image_id' | 'engine_ref'>,
): Promise<string[] | null> {
  try {
    if (!(await engine.grantsRoot(image_id ?? image))) return null;
    const changed = await engine.changedFiles(engine_ref ?? '');
    return changed.filter((path) => systemFiles.test(path)).slice(0, integrityLimit);
  } catch (error) {
    log.warn({ err: error }, 'the integrity of a container could not be read');
    return null;
  }
}
