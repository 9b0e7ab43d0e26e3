import type { paths } from './schema.d.ts';

/** Exams and laboratories are one thing: the service speaks of both in the same way, below paths of their own. */
export type Kind = 'exam' | 'laboratory';

/** Paths of exams that laboratories have, too. */
type SharedPath = {
  [Path in keyof paths]: Path extends `${infer Before}/exams${infer After}`
    ? `${Before}/laboratories${After}` extends keyof paths
      ? Path
      : never
    : never;
}[keyof paths];

/** The path for one kind. The compiler follows that of exams; where bodies differ, it is in the name of a field. */
export const pathOf = <Path extends SharedPath>(kind: Kind, path: Path): Path =>
  kind === 'exam' ? path : (path.replace('/exams', '/laboratories') as Path);
