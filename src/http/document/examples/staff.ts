import type { OperationExample } from './operation-example.ts';
import {
  course,
  exam,
  examTask,
  laboratory,
  laboratoryTask,
  lesson,
  lessonText,
  section,
  student,
} from './students.ts';

const scripts = {
  setup_script: 'touch /home/student/notes.txt && chown student: /home/student/notes.txt',
  verification_script: '[ "$(stat -c %a /home/student/notes.txt)" = 600 ] && echo PASS || echo FAIL',
  solution_script: 'chmod 600 /home/student/notes.txt',
};
const scriptsOfLaboratory = {
  setup_script: 'touch /home/student/backup.sh && chown student: /home/student/backup.sh',
  verification_script: '[ -x /home/student/backup.sh ] && echo PASS || echo FAIL',
  solution_script: 'chmod u+x /home/student/backup.sh',
};

const administeredCourse = { ...course, repository_id: null };
const newLesson = {
  section_id: section.id,
  title: lesson.title,
  markdown_file_path: lesson.markdown_file_path,
  is_written: true,
  duration_minutes: lesson.duration_minutes,
};

const conclusion = 'Read `man 7 path_resolution` for more.';
const authored = { conclusion, setup_script: null };
const examOfAuthor = { ...exam, ...authored, tasks: [{ ...examTask, verdict: 'pass', ...scripts }] };
const laboratoryOfAuthor = {
  ...laboratory,
  ...authored,
  tasks: [{ ...laboratoryTask, verdict: 'pass', ...scriptsOfLaboratory }],
};
const unpublished = { is_active: false, task_count: 0, max_score: 0, needs_machine: true, tasks: [] };

const output = { remark: null, remark_codes: null };
const trialOf = (task: { id: number; title: string }) => ({
  is_ok: true,
  problem: null,
  problem_code: null,
  setup: null,
  tasks: [
    {
      task_id: task.id,
      title: task.title,
      values: null,
      first: { passed: false, output: 'FAIL\n', ...output },
      partial: null,
      solution: { exit_status: 0, output: '' },
      after: { passed: true, output: 'PASS\n', ...output },
      opponents: [{ opponent: 'kills', passed: false, output: '', ...output }],
      problem: null,
      problem_code: null,
    },
  ],
});

const schoolClass = {
  id: 5,
  name: 'Year 2, group A',
  description: 'Mondays at 9:00, room 204.',
  is_archived: false,
  has_assistant_graders: false,
  course_ids: [course.id],
  member_count: 1,
  is_grade_book_visible: false,
  my_role: 'instructor',
  created_at: '2026-09-01T07:30:00.000Z',
};

const plan = {
  exam_id: exam.id,
  class_id: schoolClass.id,
  title: 'Autumn exam',
  opens_at: '2026-11-20T09:00:00.000Z',
  closes_at: '2026-11-20T10:30:00.000Z',
  max_attempts: 1,
  networks: ['192.0.2.0/24'],
  results_visible: 'when_released',
  is_locked_down: true,
};
const examSession = {
  ...plan,
  id: 14,
  exam_title: exam.title,
  class_name: schoolClass.name,
  chosen_students: null,
  time_limit_minutes: null,
  counted_attempt: 'best',
  has_access_code: true,
  is_output_visible: false,
  has_hands: false,
  review_days: 14,
  has_hidden_names: false,
  grader_tolerance_percent: null,
  has_assistant_graders: false,
  has_signals: false,
  is_paused: false,
  is_released: false,
  created_at: '2026-11-13T15:20:00.000Z',
  state: 'upcoming',
  attempts_left: null,
  my_role: 'instructor',
};

/** The work of authors, teachers and administrators, by the `operationId`. */
export const examplesOfStaff: Record<string, OperationExample> = {
  createAdminCourse: {
    request: { name: course.name, description: course.description, icon: course.icon, template_id: 1 },
    answer: administeredCourse,
  },
  createAdminSection: { request: { name: section.name, course_id: course.id }, answer: section },
  createAdminWrittenLesson: {
    request: { path: lesson.markdown_file_path, text: lessonText, message: 'First version' },
    answer: {
      id: 1,
      path: lesson.markdown_file_path,
      revision: 1,
      bytes: Buffer.byteLength(lessonText),
      changed_at: '2026-10-02T14:10:00.000Z',
      is_deleted: false,
      is_text: true,
      lessons: [],
      text: lessonText,
    },
  },
  createAdminTheme: { request: newLesson, answer: lesson },
  createAdminExam: {
    request: {
      title: exam.title,
      description: exam.description,
      introduction: exam.introduction,
      conclusion,
      container_image: exam.container_image,
      passing_score: exam.passing_score,
      time_limit_minutes: exam.time_limit_minutes,
      course_id: course.id,
      is_active: false,
    },
    answer: { ...examOfAuthor, ...unpublished },
  },
  createAdminExamTask: {
    request: { title: examTask.title, description: examTask.description, points: 10, ...scripts },
    answer: { ...examTask, verdict: 'pass', ...scripts },
  },
  getAdminExam: { answer: examOfAuthor },
  tryAdminExam: { request: {}, answer: trialOf(examTask) },
  publishAdminExam: { request: {}, answer: trialOf(examTask) },
  createAdminLaboratory: {
    request: {
      title: laboratory.title,
      description: laboratory.description,
      introduction: laboratory.introduction,
      conclusion,
      container_image: laboratory.container_image,
      passing_score: laboratory.passing_score,
      section_id: section.id,
      is_active: false,
    },
    answer: { ...laboratoryOfAuthor, ...unpublished },
  },
  createAdminLaboratoryTask: {
    request: {
      title: laboratoryTask.title,
      description: laboratoryTask.description,
      hint: laboratoryTask.hint,
      points: 10,
      ...scriptsOfLaboratory,
    },
    answer: { ...laboratoryTask, verdict: 'pass', ...scriptsOfLaboratory },
  },
  getAdminLaboratory: { answer: laboratoryOfAuthor },
  tryAdminLaboratory: { request: {}, answer: trialOf(laboratoryTask) },
  publishAdminLaboratory: { request: {}, answer: trialOf(laboratoryTask) },
  createClass: {
    request: { name: schoolClass.name, description: schoolClass.description, course_ids: [course.id] },
    answer: schoolClass,
  },
  createClassJoinCode: {
    request: { expires_at: '2026-09-30T22:00:00.000Z', max_uses: 30 },
    answer: {
      id: 2,
      code: 'J4VRQMTRDQTM',
      expires_at: '2026-09-30T22:00:00.000Z',
      max_uses: 30,
      uses: 0,
      email_domain: null,
      created_at: '2026-09-01T07:31:00.000Z',
    },
  },
  joinClass: { request: { code: 'J4VRQMTRDQTM' }, answer: { ...schoolClass, member_count: 2, my_role: 'student' } },
  createExamSession: { request: { ...plan, access_code: 'tux-2026' }, answer: examSession },
  getExamSession: { answer: { ...examSession, state: 'open' } },
  releaseExamSession: { answer: { ...examSession, state: 'closed', is_released: true } },
  createClassMember: {
    request: { username: student.username, role: 'student' },
    answer: {
      ...{ user_id: student.id, username: student.username, full_name: student.full_name, email: student.email },
      ...{ role: 'student', joined_at: '2026-09-01T07:35:00.000Z' },
    },
  },
  createToken: {
    request: { name: 'Grades for the report', scopes: ['read', 'grades'], expires_at: '2026-12-31T23:00:00.000Z' },
    answer: {
      ...{ id: 4, name: 'Grades for the report', scopes: ['read', 'grades'], created_at: '2026-09-01T07:40:00.000Z' },
      ...{ expires_at: '2026-12-31T23:00:00.000Z', last_used_at: null },
      token: 'lps_p-fUCskbDYFh0c-eeXaXanirfFf4COVOCezTkDBjfcg',
    },
  },
  createAdminWebhook: {
    request: { url: 'https://records.school.example.com/platform', events: ['attempt.graded', 'member.added'] },
    answer: {
      ...{ id: 2, url: 'https://records.school.example.com/platform', events: ['attempt.graded', 'member.added'] },
      ...{ pause_reason: null, failing_since: null, old_secret_until: null, created_at: '2026-09-01T07:45:00.000Z' },
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    },
  },
  listAdminUsers: { answer: [student] },
  createAdminUser: {
    request: {
      username: student.username,
      email: student.email,
      password: 'correct horse battery staple',
      full_name: student.full_name,
      role: 'student',
    },
    answer: { ...student, last_login_at: null },
  },
  updateAdminUser: { request: { is_active: false }, answer: { ...student, is_active: false } },
  updateAdminUserRole: { request: { role: 'instructor' }, answer: { ...student, role: 'instructor' } },
};
