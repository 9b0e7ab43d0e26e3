import type { Problem } from '../content/problems.ts';

/** What differs from the scenario: in another form here, or without a counterpart. */
export type Remark = Problem & { kind: 'changed' | 'lost' };
