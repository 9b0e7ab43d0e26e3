import type { TaskKind } from '../../../teaching-model/assessments.ts';
import { answer } from './answer.tsx';
import { check } from './check.tsx';
import { choice } from './choice.tsx';
import { essay } from './essay.tsx';
import { file } from './file.tsx';
import type { EditedKind } from './task-kind.ts';

/** The kinds of tasks, in the order in which authors choose among them. */
export const editedKinds: Record<TaskKind, EditedKind> = { check, choice, answer, file, essay };
