import type { Task, TaskKind } from '../../teaching-model/assessments.ts';
import type { AnswerKind } from './answer-kind.ts';
import { answer } from './kinds/answer.tsx';
import { choice } from './kinds/choice.tsx';
import { essay } from './kinds/essay.tsx';
import { file } from './kinds/file.tsx';

/** The kinds of tasks that students answer in the pages. A check looks at the machine. */
export const answerKinds: Partial<Record<TaskKind, AnswerKind>> = { choice, answer, file, essay };

/** Whether the student gives the answer on the page: not of a check, and not a file that is taken from the machine. */
export const isAnsweredHere = ({ kind, path }: Task): boolean => answerKinds[kind] !== undefined && !path;
