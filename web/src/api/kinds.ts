import type { paths } from './schema.d.ts';

/** Exams and laboratories are assessments of two kinds. The API has the same operations for both, below separate paths. */
export type Kind = 'exam' | 'laboratory';

/** Paths of exams with a counterpart for laboratories. */
type SharedPath = {
  [Path in keyof paths]: Path extends `${infer Before}/exams${infer After}`
    ? `${Before}/laboratories${After}` extends keyof paths
      ? Path
      : never
    : never;
}[keyof paths];

/** The path for one kind. The compiler uses the type for exams. Bodies differ only in the name of a field. */
export const pathOf = <Path extends SharedPath>(kind: Kind, path: Path): Path =>
  kind === 'exam' ? path : (path.replace('/exams', '/laboratories') as Path);
