import { createHash } from 'node:crypto';
import type { Database } from '../../src/database/connection/connect.ts';
import { ownFields } from '../../src/entities/task-kinds/kinds.ts';
import { readContent } from '../../src/features/content/layout.ts';
import type { ExamContent, LaboratoryContent } from '../../src/features/content/schema.ts';
import type { TriedAssessment } from '../../src/features/trials/service.ts';
import { TrialStore } from '../../src/features/trials/store.ts';

export type Kind = 'exam' | 'laboratory';

/** An exam or a laboratory that is tried. */
export type Assessment = TriedAssessment & {
  kind: Kind;
  /** Its slug in a directory, otherwise what it was asked for by. */
  name: string;
  title: string;
  /** Of an assessment in a directory: changes with everything that its trial depends on. */
  digest?: string;
  /** One for each task. */
  digests?: readonly string[];
};

/** What is tried: all of a directory, all of one kind, or one. */
export type Choice = { kind?: Kind | undefined; name?: string | undefined };

/** @throws ContentError, and Error when there is nothing to try */
export async function assessmentsInDirectory(directory: string, { kind, name }: Choice): Promise<Assessment[]> {
  const { exams, laboratories } = await readContent(directory);
  const all = [
    ...exams.map((exam) => ({ ...exam, kind: 'exam' as const })),
    ...laboratories.map((laboratory) => ({ ...laboratory, kind: 'laboratory' as const })),
  ];
  const wanted = all.filter(
    (each) => (kind === undefined || each.kind === kind) && (name === undefined || each.slug === name),
  );
  if (wanted.length === 0) throw new Error(`There is no ${kind ?? 'exam or laboratory'} ${name ?? ''} in ${directory}`);
  return wanted.map(assessmentOf);
}

function assessmentOf(found: (ExamContent | LaboratoryContent) & { kind: Kind }): Assessment {
  const files = [...found.files, ...found.tasks.flatMap((task) => task.files)];
  const tasks = found.tasks.map((task, index) => ({ ...task, id: index + 1 }));
  const digests = digestsOf({ ...found, files, tasks });
  return { ...found, name: found.slug, files, tasks, digests, digest: digestOf(digests) };
}

export async function assessmentInDatabase(db: Database, kind: Kind, name: string): Promise<Assessment> {
  const store = new TrialStore(db, async () => {});
  const byId = /^[1-9]\d{0,8}$/.test(name) ? await store.assessment(kind, { id: Number(name) }) : undefined;
  const found = (await store.assessment(kind, { slug: name })) ?? byId;
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return { ...found, kind, name };
}

type DigestedAssessment = Omit<TriedAssessment, 'files'> & {
  files: readonly { path: string; owner: string; mode: string; digest: string }[];
};

/** A digest of each task, in their order: of everything that its trial depends on, except the contents of the image. */
function digestsOf(assessment: DigestedAssessment): string[] {
  const { container_image, user, setup_script, is_sequential, files, tasks } = assessment;
  const machine = [
    ...[container_image, user, setup_script, is_sequential ?? false],
    files.map(({ path, owner, mode, digest }) => [path, owner, mode, digest]),
    // Each container has the set-ups of all tasks.
    tasks.map((task) => task.setup_script).filter((script) => script !== null),
    ...tasks.flatMap(({ parameters, setup_script: script }) => (parameters && script ? [parameters] : [])),
  ];
  return tasks.map((task) => {
    const {
      kind,
      title,
      parameters,
      verification_script,
      verdict,
      solution_script,
      has_partial_credit,
      partial_script,
    } = task;
    const own = parameters ? [parameters] : [];
    if (kind !== 'check') return digestOf([title, kind, has_partial_credit, ownFields(task), ...own]);
    const programs = [verification_script, verdict, solution_script, has_partial_credit && partial_script];
    return digestOf([machine, title, ...programs, ...own]);
  });
}

/** A digest of a whole assessment, in which also the order of its tasks counts. */
const digestOf = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
