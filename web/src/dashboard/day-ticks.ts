/**
 * Midnights for the axis of a plot over time, in the local time zone: from the day of the first time to the day after the last, at equal
 * distances in days. So no day appears twice.
 * @param times in milliseconds; an empty list has no midnights
 * @param most the largest number of distances
 */
export function dayTicks(times: readonly number[], most = 8): number[] {
  if (times.length === 0) return [];
  const first = midnight(Math.min(...times), 0);
  const last = midnight(Math.max(...times), 1);
  // Rounded, because a day in which the clocks change has 23 or 25 hours.
  const days = Math.round((last - first) / 86_400_000);
  const distance = Math.ceil(days / most);
  return Array.from({ length: Math.ceil(days / distance) + 1 }, (_, index) => midnight(first, index * distance));
}

function midnight(time: number, days: number): number {
  const day = new Date(time);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}
