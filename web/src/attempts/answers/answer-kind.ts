import type { ReactNode } from 'react';
import type { Task } from '../../teaching-model/assessments.ts';
import type { AnswerState, Given, Saved } from './answer-store.ts';

export type InputProps = {
  task: Task;
  state: AnswerState;
  /** @param delay milliseconds until it is sent; further changes until then are sent with it */
  onChange: (given: Given, delay: number) => void;
  /** Sends what waits. */
  onLeave: () => void;
  /** The attributes that lead from the control to its task and its state. */
  control: { 'aria-labelledby': string; 'aria-describedby': string };
  isReadOnly: boolean;
  /** Where the service has the file. */
  filePath: string;
};

export type ShownProps = {
  /** With what is right, for those who may see it. */
  answer: Saved;
  filePath: string;
};

/** How a kind of tasks is answered in the pages, and how its answer is read. */
export type AnswerKind = {
  Input: (props: InputProps) => ReactNode;
  Shown: (props: ShownProps) => ReactNode;
};
