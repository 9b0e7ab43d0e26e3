/** An entry of a calendar. One without an end is a moment. The key is its own in the service. */
export type CalendarEntry = { key: string; title: string; description: string; opens_at: Date; closes_at?: Date };

/** Bytes of a line, without its end. */
const longestLine = 75;

/**
 * A calendar as a file (iCalendar, RFC 5545). Times are in UTC. A calendar must have a component: without entries it is the time zone.
 * @param host of the service, which makes the identifiers of the entries unique
 * @param now when it is written
 */
export function calendarFile(entries: readonly CalendarEntry[], host: string, now: Date): string {
  const lines = [
    ...[
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//learning-platform-service//exam sessions//EN',
      'CALSCALE:GREGORIAN',
    ],
    ...entries.flatMap(({ key, title, description, opens_at, closes_at }) => [
      'BEGIN:VEVENT',
      `UID:${key}@${host}`,
      `DTSTAMP:${utc(now)}`,
      `DTSTART:${utc(opens_at)}`,
      ...(closes_at ? [`DTEND:${utc(closes_at)}`] : []),
      `SUMMARY:${escaped(title)}`,
      `DESCRIPTION:${escaped(description)}`,
      'END:VEVENT',
    ]),
    ...(entries.length === 0 ? timeZone : []),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** UTC as a component (section 3.6.5). */
const timeZone = [
  ...['BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000'],
  ...['TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE'],
];

/** Such as `20261123T090000Z`. */
const utc = (moment: Date): string => `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** A text value (section 3.3.11). Control characters are not allowed in it. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''); // oxlint-disable-line no-control-regex

/** Continues a long line in the next ones, after a space (section 3.1). No character is cut. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  for (const character of line) {
    if (Buffer.byteLength(part + character) > longestLine) {
      parts.push(part);
      part = ' ';
    }
    part += character;
  }
  return [...parts, part].join('\r\n');
}
