/** Whether a text such as 2027-02-28 is a day. February has no 30th, which `Date` takes for the 2nd of March. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a text that begins with a day is a time that `Date` reads as it stands there. */
export const isTime = (text: string): boolean => isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
