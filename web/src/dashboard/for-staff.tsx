import type { ReactNode } from 'react';
import { FirstSteps } from './first-steps.tsx';
import { TeachingStep } from './teaching-step.tsx';

/** What only the staff see on the start page. */
export function ForStaff(): ReactNode {
  return (
    <>
      <FirstSteps />
      <TeachingStep />
    </>
  );
}
