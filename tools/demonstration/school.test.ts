import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Catalogue } from './plan.ts';
import { Random } from './random.ts';
import { generateActivity, generateSchool } from './school.ts';

const now = new Date('2026-11-23T12:00:00Z');
const tasks = [1, 2, 3].map((id) => ({ id, title: `Task ${id}`, points: 10, order_index: id }));
const assessment = { title: 'Subject', passing_score: 20, time_limit_minutes: 60, tasks };
const catalogue: Catalogue = {
  courses: [{ id: 1, name: 'Course' }],
  themes: Array.from({ length: 40 }, (_, id) => ({
    ...{ id, title: `Theme ${id}`, course_id: 1, section_id: Math.floor(id / 4), markdown_file_path: `${id}.md` },
  })),
  exams: [{ ...assessment, id: 1 }],
  laboratories: [{ ...assessment, id: 1, section_id: 0 }],
};

function everything(seed: number, at = now) {
  const random = new Random(seed);
  const classes = generateSchool(random, catalogue, at);
  return classes.map((of) => ({ of, work: generateActivity(random, catalogue, of, at) }));
}

describe('the school of a demonstration', () => {
  it('is the same for the same seed and time, and another one for another seed', () => {
    assert.deepEqual(everything(7), everything(7));
    assert.notDeepEqual(everything(7), everything(8));
  });

  it('has an exam that runs, at any time of a day', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const at = new Date(now.getTime() + hour * 3_600_000 + 60_000);
      const open = everything(1, at).flatMap(({ of }) =>
        of.sessions.filter(({ opens_at, closes_at }) => opens_at < at && closes_at > at),
      );
      assert.equal(open.length, 1, at.toISOString());
    }
  });

  it('has different people, and also a catalogue without exams', () => {
    const names = everything(3).flatMap(({ of }) => of.students.map(({ username }) => username));
    assert.equal(new Set(names).size, 90);
    for (const name of names) assert.match(name, /^[a-z]+\.[a-z]+$/);
    const [first] = generateSchool(new Random(1), { ...catalogue, exams: [] }, now);
    assert.deepEqual(first?.sessions, []);
  });
});
