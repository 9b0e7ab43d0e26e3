/** The value of a field of local time, which has no zone: `2026-11-23T09:00`. */
export function localTime(moment: string | null): string {
  if (moment === null) return '';
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant that a field of local time names. */
export const instant = (local: string): string => new Date(local).toISOString();

/** Null for an empty field. */
export const instantOrNull = (local: string): string | null => (local === '' ? null : instant(local));

/** The zone of the fields, such as `Europe/Berlin`. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
