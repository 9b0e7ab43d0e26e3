import { createHash } from 'node:crypto';
import type { TriedAssessment } from './service.ts';

type DigestedAssessment = Omit<TriedAssessment, 'files'> & {
  files: readonly { path: string; owner: string; mode: string; digest: string }[];
};

/** A digest of each task, in their order: of everything that its trial depends on, except the contents of the image. */
export function digestsOf(assessment: DigestedAssessment): string[] {
  const { container_image, user, setup_script, is_sequential, files, tasks } = assessment;
  const machine = [
    ...[container_image, user, setup_script, is_sequential ?? false],
    files.map(({ path, owner, mode, digest }) => [path, owner, mode, digest]),
    // Each container has the set-ups of all tasks.
    tasks.map((task) => task.setup_script).filter((script) => script !== null),
  ];
  return tasks.map(({ title, verification_script, verdict, solution_script }) =>
    digestOf([machine, title, verification_script, verdict, solution_script]),
  );
}

/** A digest of a whole assessment, in which also the order of its tasks counts. */
export const digestOf = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
