const minute = 60_000;
const day = 24 * 60 * minute;

export const minutesAfter = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * minute);

/** The begin of a day in UTC. */
export const daysAgo = (now: Date, days: number): Date => new Date(Math.floor(now.getTime() / day) * day - days * day);

/** The earlier full five minutes. */
export const withinFiveMinutes = (moment: Date): Date =>
  new Date(Math.floor(moment.getTime() / (5 * minute)) * 5 * minute);

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
