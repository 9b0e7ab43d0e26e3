import { useQuery } from '@tanstack/react-query';
import { classAccommodationsQuery, type ExamForecast, type Participants } from '../teaching-model/exam-sessions.ts';
import type { PlannedAccommodation } from './accommodations/planned-accommodations.tsx';

export type Window = { opens_at: string; closes_at: string };

/** A student who takes a planned session differently from the others. */
export type Person = {
  user_id: number;
  name: string;
  /** The time limit. Undefined while the exam is unknown. */
  minutes: number | undefined;
  /** Minutes in which the clock is stopped. */
  breaks: number;
  window: Window;
  hasOwnWindow: boolean;
  hasOwnEnd: boolean;
};

/** The whole minutes of a window. */
export const lengthOf = ({ opens_at, closes_at }: Window): number =>
  Math.floor((Date.parse(closes_at) - Date.parse(opens_at)) / 60_000);

/** By how many minutes the window is too short for the student's time and breaks. */
export const minutesShort = ({ minutes, breaks, window }: Person): number =>
  minutes === undefined ? 0 : Math.max(0, minutes + breaks - lengthOf(window));

type Clash = ExamForecast['clashes'][number];

/** Of clashes, those of the student at the student's own time. */
export const clashesWith = ({ user_id, window }: Person, clashes: readonly Clash[]): Clash[] =>
  clashes.filter(
    (clash) =>
      clash.user_id === user_id &&
      Date.parse(clash.opens_at) < Date.parse(window.closes_at) &&
      Date.parse(clash.closes_at) > Date.parse(window.opens_at),
  );

/**
 * The students with accommodations: those of the session that is planned, and those of its class. What the session says holds before
 * what the class says, as for the service.
 * @param minutes the time limit for everybody, where it is known
 */
export function usePeople(
  participants: Participants,
  planned: readonly PlannedAccommodation[],
  window: Window,
  minutes: number | undefined,
): Person[] {
  const classId = 'class_id' in participants ? participants.class_id : 0;
  const { data: ofClass = [] } = useQuery({ ...classAccommodationsQuery(classId), enabled: classId !== 0 });
  const ids = new Set([...planned, ...ofClass].map(({ user_id }) => user_id));
  return [...ids].flatMap((user_id) => {
    const own = planned.find((one) => one.user_id === user_id);
    const general = ofClass.find((one) => one.user_id === user_id);
    const name = own?.name ?? general?.full_name ?? general?.username;
    if (name === undefined) return [];
    const terms = own?.terms;
    const factor = terms?.time_factor ?? general?.time_factor ?? 1;
    return {
      ...{ user_id, name, minutes: minutes === undefined ? undefined : Math.ceil(minutes * factor) },
      breaks: terms?.break_minutes ?? general?.break_minutes ?? 0,
      window: { opens_at: terms?.opens_at ?? window.opens_at, closes_at: terms?.closes_at ?? window.closes_at },
      hasOwnWindow: Boolean(terms?.opens_at ?? terms?.closes_at),
      hasOwnEnd: Boolean(terms?.closes_at),
    };
  });
}
