/**
 * A separate process for the users of the service: its sockets end with it. `node crowd.ts JSON`; when its standard input ends, all users finish what
 * they are about, and it prints what happened, as JSON.
 */
import { once } from 'node:events';
import sharp from 'sharp';
import { live, tour } from './journeys.ts';
import { Person, type Tally } from './person.ts';

export type CrowdOptions = {
  base: string;
  students: number;
  /** Containers that they may have at once. */
  room: number;
  thinkSeconds: number;
  /** First one of each role does everything once, so that the service has opened what it keeps open. */
  isTour: boolean;
  admin: { username: string; email: string; password: string };
};

const options = JSON.parse(process.argv[2] ?? '') as CrowdOptions;
const tally: Tally = { requests: 0, statuses: {}, counts: {}, failures: [] };
const stop = new AbortController();
const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
const picture = new Uint8Array(
  await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red', noise } })
    .png()
    .toBuffer(),
);
const shared = { ...options, room: { free: options.room }, tally, picture };
const person = (username: string): Person =>
  new Person({
    ...shared,
    account: { username, email: `${username}@example.com`, password: `password of ${username}` },
  });

process.stdin.resume();
void once(process.stdin, 'end').then(() => stop.abort());

const admin = new Person({ ...shared, account: options.admin });
await admin.logIn();
const tag = Date.now().toString(36);
const instructor = person(`teacher-${tag}`);
await instructor.register();
const { id } = await instructor.get<{ id: number }>('/api/auth/me');
await admin.put(`/api/admin/users/${id}/role`, { role: 'instructor' });
await instructor.logIn();

if (options.isTour) {
  const student = person(`guide-${tag}`);
  await student.register();
  await Promise.all([tour(student, 'student'), tour(instructor, 'instructor'), tour(admin, 'admin')]);
}

const students = Array.from({ length: options.students }, async (_, index) => {
  const student = person(`student-${tag}-${index}`);
  await student.think();
  try {
    await student.register();
    await live(student, 'student', stop.signal);
  } catch (error) {
    student.fail(error);
  }
});
await Promise.all([...students, live(instructor, 'instructor', stop.signal), live(admin, 'admin', stop.signal)]);
process.stdout.write(JSON.stringify(tally));
process.exit();
