import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calendarFile } from './calendar.ts';

const now = new Date('2026-11-23T08:00:00.123Z');
const entry = (title: string) => ({
  ...{ key: 'exam-session-7', title, description: 'Linux' },
  ...{ opens_at: new Date('2026-12-01T09:00:00+01:00'), closes_at: new Date('2026-12-01T10:30:00+01:00') },
});
const linesOf = (title: string) => calendarFile([entry(title)], 'school.example', now).split('\r\n');

describe('the file of a calendar', () => {
  it('has the entries with their times in UTC', () => {
    assert.deepEqual(linesOf('Final'), [
      ...[
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//learning-platform-service//exam sessions//EN',
        'CALSCALE:GREGORIAN',
      ],
      ...['BEGIN:VEVENT', 'UID:exam-session-7@school.example', 'DTSTAMP:20261123T080000Z'],
      ...['DTSTART:20261201T080000Z', 'DTEND:20261201T093000Z', 'SUMMARY:Final', 'DESCRIPTION:Linux', 'END:VEVENT'],
      ...['END:VCALENDAR', ''],
    ]);
    const empty = calendarFile([], 'a', now);
    assert.ok(!empty.includes('VEVENT'));
    assert.match(empty, /BEGIN:VTIMEZONE\r\nTZID:UTC\r\n/, 'a calendar has a component');
    assert.ok(!linesOf('Final').includes('BEGIN:VTIMEZONE'));
    const { closes_at: _end, ...moment } = entry('Due');
    assert.ok(!calendarFile([moment], 'a', now).includes('DTEND'));
  });

  it('escapes texts, so that none adds a line', () => {
    const summary = linesOf('a;b,c\\d\r\nEND:VEVENT\nf\rg\u0007').find((line) => line.startsWith('SUMMARY:'));
    assert.equal(summary, 'SUMMARY:a\\;b\\,c\\\\d\\nEND:VEVENT\\nf\\ng');
  });

  it('folds lines of more than 75 bytes between characters', () => {
    const title = `${'я'.repeat(60)}${'👩‍🏫'.repeat(20)}`;
    const lines = linesOf(title);
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75 && line.isWellFormed()));
    const whole = lines.join('\r\n').replaceAll('\r\n ', '');
    assert.ok(whole.includes(`SUMMARY:${title}\r\n`));
  });
});
