import { pick } from '../../../entities/fields.ts';
import { shownDefaults, shownResultFields } from '../../../entities/task.ts';
import type { OperationExample } from './operation-example.ts';

const studentId = 7;
const labTime = '2026-11-20T09:';

export const student = {
  id: studentId,
  username: 'olga.berg',
  email: 'olga.berg@example.com',
  role: 'student',
  full_name: 'Olga Berg',
  avatar_url: null,
  is_active: true,
  created_at: '2026-09-01T08:00:00.000Z',
  last_login_at: '2026-11-20T08:55:12.480Z',
};

const session = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3IiwiaWF0IjoxNzk1MTY0OTEyLCJleHAiOjE3OTUxOTM3MTJ9.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 28_800,
  user: student,
};

const profile = { ...student, bio: 'Second year. Learns to run servers.', has_password: true };

/** A lesson in an answer for everybody, without the progress of a student. */
export const lesson = {
  id: 12,
  section_id: 4,
  title: 'Permissions with chmod',
  slug: 'permissions-with-chmod',
  markdown_file_path: 'permissions/chmod.md',
  duration_minutes: 20,
  order_index: 2,
  template_id: null,
  is_written: true,
};

export const lessonText =
  '# Permissions with chmod\n\n`chmod 600 notes.txt` lets the owner read and write the file, and nobody else.\n';

export const section = {
  id: 4,
  course_id: 2,
  name: 'Files and permissions',
  slug: 'files-and-permissions',
  order_index: 1,
  is_active: true,
  opens_at: null,
  opens_after: [],
  template_id: null,
};

export const course = {
  id: 2,
  name: 'Linux administration',
  slug: 'linux-administration',
  description: 'From the first command to a server that others rely on.',
  icon: 'terminal',
  order_index: 2,
  is_active: true,
  template_id: 1,
  is_class_only: false,
  has_certificate: false,
};

const courseOfStudent = {
  ...course,
  sections: [{ ...section, themes: [{ ...lesson, is_completed: false }] }],
  progress: { completed_themes: 0, total_themes: 1, percent: 0 },
};

const sandbox = {
  id: 31,
  name: 'user-7-sandbox',
  user_id: studentId,
  kind: 'sandbox',
  image: 'platform-sandbox',
  template_id: 1,
  status: 'running',
  created_at: `${labTime}00:03.120Z`,
  started_at: `${labTime}00:04.010Z`,
  stopped_at: null,
  stop_reason: null,
  expires_at: '2026-11-21T09:00:03.120Z',
  replaced_at: null,
  home_kept_at: null,
  kept_when_stopped: 'all',
};
const stopped = { ...sandbox, status: 'stopped', stopped_at: `${labTime}40:00.000Z` };

/** What students see of an exam and its task. */
export const examTask = {
  ...shownDefaults,
  id: 21,
  title: 'Protect a file',
  description: 'Nobody but you may read `/home/student/notes.txt`.',
  points: 10,
};

export const exam = {
  id: 3,
  slug: 'files-and-permissions',
  title: 'Files and permissions',
  description: 'Owners, groups and modes of files.',
  introduction: 'Work as `student`. Each task is checked when you submit.',
  container_image: 'platform-exam-linux-basics',
  user: 'student',
  passing_score: 5,
  is_active: true,
  opens_at: null,
  opens_after: [],
  created_at: '2026-10-05T12:00:00.000Z',
  task_count: 1,
  max_score: 10,
  revision: 1,
  needs_machine: true,
  time_limit_minutes: 60,
  course_id: course.id,
  order_index: 1,
  is_session_only: false,
  has_certificate: false,
  tasks: [examTask],
};

export const laboratoryTask = {
  ...examTask,
  id: 44,
  title: 'Make a script executable',
  description: 'Make `/home/student/backup.sh` executable for its owner.',
  hint: 'Read about `u+x` in `man chmod`.',
};

export const laboratory = {
  id: 9,
  slug: 'executable-scripts',
  title: 'Executable scripts',
  description: 'Modes of scripts, in practice.',
  introduction: 'Check as often as you like.',
  container_image: 'platform-exam-linux-basics',
  user: 'student',
  passing_score: 10,
  is_active: true,
  opens_at: null,
  opens_after: [],
  created_at: '2026-10-06T12:00:00.000Z',
  task_count: 1,
  max_score: 10,
  revision: 1,
  needs_machine: true,
  time_limit_minutes: null,
  section_id: section.id,
  is_sequential: false,
  tasks: [laboratoryTask],
};

const startedExam = {
  exam_id: exam.id,
  session_id: null,
  attempt_id: 58,
  container_id: 32,
  container_name: 'exam-3-user-7-1795165200',
  status: 'in_progress',
  started_at: `${labTime}00:00.000Z`,
  expires_at: '2026-11-20T10:00:00.000Z',
};

const startedLaboratory = {
  laboratory_id: laboratory.id,
  attempt_id: 59,
  container_id: 33,
  container_name: 'laboratory-9-user-7-1795168800',
  status: 'in_progress',
  started_at: '2026-11-20T10:00:00.000Z',
  expires_at: null,
};

const running = {
  user_id: studentId,
  status: 'in_progress',
  submitted_at: null,
  score: null,
  passed: null,
  is_awaiting_grading: false,
  needs_machine: true,
  revision: 1,
  max_score: 10,
  grading_error: null,
  grading_error_code: null,
};
const runningExam = {
  ...running,
  id: startedExam.attempt_id,
  exam_id: exam.id,
  session_id: null,
  title: exam.title,
  container_id: startedExam.container_id,
  container_name: startedExam.container_name,
  started_at: startedExam.started_at,
  expires_at: startedExam.expires_at,
  passing_score: exam.passing_score,
  paused_at: null,
  break_ends_at: null,
  is_ended_by_staff: false,
};
const runningLaboratory = {
  ...running,
  id: startedLaboratory.attempt_id,
  laboratory_id: laboratory.id,
  title: laboratory.title,
  container_id: startedLaboratory.container_id,
  container_name: startedLaboratory.container_name,
  started_at: startedLaboratory.started_at,
  expires_at: null,
  passing_score: laboratory.passing_score,
};
const detailsOfExam = { ended_by: null, break_seconds_left: null, messages: [] };

const finished = { status: 'finished', container_id: null, score: 10, passed: true };
const finishedExam = { ...runningExam, ...finished, submitted_at: `${labTime}31:40.250Z` };
const finishedLaboratory = { ...runningLaboratory, ...finished, submitted_at: '2026-11-20T10:12:05.700Z' };

const passedTask = {
  passed: true,
  points_earned: 10,
  is_awaiting_grading: false,
  output: 'PASS\n',
  remark: null,
  remark_codes: null,
};
const examResults = {
  ...finishedExam,
  ...detailsOfExam,
  is_work_removed: false,
  graded_count: 1,
  conclusion: 'Read `man 7 path_resolution` for more.',
  results: [
    { ...passedTask, task_id: examTask.id, ...pick(examTask, shownResultFields), graded_at: `${labTime}31:41.900Z` },
  ],
};
const resultOfLaboratory = {
  ...passedTask,
  task_id: laboratoryTask.id,
  ...pick(laboratoryTask, shownResultFields),
  graded_at: '2026-11-20T10:08:30.100Z',
};
const laboratoryResults = {
  ...finishedLaboratory,
  is_work_removed: false,
  graded_count: 1,
  conclusion: 'Scripts of administrators are executable by their owner only.',
  results: [resultOfLaboratory],
};

const queued = { attempt_id: 58, status: 'queued', position: 4, estimated_seconds: 12 };

/** The work of students, by the `operationId`. */
export const examplesOfStudents: Record<string, OperationExample> = {
  register: {
    request: {
      username: student.username,
      email: student.email,
      password: 'correct horse battery staple',
      full_name: student.full_name,
    },
    answer: { ...student, last_login_at: null },
  },
  login: { request: { username: student.username, password: 'correct horse battery staple' }, answer: session },
  forgotPassword: {
    request: { email: student.email },
    answer: { detail: 'If an account has this address, a mail is on its way' },
  },
  resetPassword: {
    request: { token: 'q3VdC1xw8mC0Yt5r2LkzH9uPj7nEoB4sXaG6fIiTQyM', password: 'correct horse battery staple' },
    answer: { detail: 'Password changed' },
  },
  refresh: { answer: session },
  getMe: { answer: student },
  logout: { answer: { detail: 'Logged out' } },
  listCourses: { answer: [courseOfStudent] },
  getCourse: { answer: courseOfStudent },
  getTheme: {
    answer: {
      ...lesson,
      is_completed: false,
      course_id: course.id,
      completed_at: null,
      previous_theme_id: 11,
      next_theme_id: 13,
      nearest_template_id: course.template_id,
    },
  },
  getThemeContent: { answer: lessonText },
  completeTheme: {
    answer: { user_id: studentId, theme_id: lesson.id, completed: true, completed_at: '2026-11-20T08:58:41.006Z' },
  },
  createContainer: { request: { template_id: 1 }, answer: sandbox },
  listSandboxes: { answer: [sandbox] },
  getContainer: { answer: sandbox },
  stopContainer: { answer: stopped },
  startContainer: { answer: sandbox },
  resetContainer: { answer: sandbox },
  deleteContainer: { answer: { detail: 'Container deleted' } },
  listExams: { answer: [exam] },
  getExam: { answer: exam },
  startExam: { request: {}, answer: startedExam, queued },
  getActiveExamAttempt: {
    answer: { ...runningExam, ...detailsOfExam, is_work_removed: false, graded_count: 0, results: [] },
  },
  submitExam: { answer: examResults },
  abandonExamAttempt: { answer: { ...runningExam, status: 'abandoned', container_id: null } },
  listExamAttempts: { answer: [finishedExam] },
  getExamAttemptResults: { answer: examResults },
  getLaboratory: { answer: laboratory },
  getSectionLaboratory: { answer: laboratory },
  startLaboratory: { answer: startedLaboratory, queued: { ...queued, attempt_id: startedLaboratory.attempt_id } },
  checkLaboratory: {
    answer: { ...runningLaboratory, is_work_removed: false, graded_count: 1, results: [resultOfLaboratory] },
  },
  submitLaboratory: { answer: laboratoryResults },
  listLaboratoryAttempts: { answer: [finishedLaboratory] },
  getLaboratoryAttemptResults: { answer: laboratoryResults },
  getDashboardStats: {
    answer: {
      completed_themes: 9,
      total_themes: 36,
      percent: 25,
      exams_passed: 1,
      exams_attempted: 1,
      average_score_percent: 100,
      laboratories_passed: 1,
      minutes_learned: 190,
      current_streak_days: 3,
      longest_streak_days: 8,
      active_containers: 1,
    },
  },
  listDashboardActivity: {
    answer: [
      {
        id: 310,
        type: 'exam_submit',
        title: exam.title,
        entity_type: 'exam',
        entity_id: exam.id,
        created_at: finishedExam.submitted_at,
      },
    ],
  },
  getDashboardAnalytics: {
    answer: {
      days: [{ date: '2026-11-20', themes_completed: 1, attempts_submitted: 2 }],
      courses: [{ course_id: course.id, name: course.name, completed_themes: 9, total_themes: 36, percent: 25 }],
      scores: [
        {
          attempt_id: finishedExam.id,
          kind: 'exam',
          exam_id: exam.id,
          laboratory_id: null,
          title: exam.title,
          score: 10,
          max_score: 10,
          percent: 100,
          passed: true,
          submitted_at: finishedExam.submitted_at,
        },
      ],
    },
  },
  getProfile: { answer: profile },
  updateProfile: { request: { full_name: profile.full_name, bio: profile.bio }, answer: profile },
};
