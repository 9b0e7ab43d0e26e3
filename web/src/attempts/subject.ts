/** An exam or a laboratory, as far as what its attempts show is concerned. */
export type Task = { id: number; title: string; description: string; points: number; hint?: string };
export type Subject = {
  id: number;
  title: string;
  description: string;
  passing_score: number;
  max_score: number;
  time_limit_minutes: number | null;
  task_count: number;
  tasks: readonly Task[];
};
