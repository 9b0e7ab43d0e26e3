/** Sizes of a large installation and of a small one, which is the reference. Both have the same catalogue. */
export type Size = { users: number; attempts: number; activity: number };
export const large: Size = { users: 100_000, attempts: 2_400_000, activity: 2_000_000 };
export const small: Size = { users: 1_000, attempts: 24_000, activity: 20_000 };

const firstNames = ['Anna', 'Boris', 'Clara', 'Dmitri', 'Elena', 'Farid', 'Greta', 'Hugo', 'Irina', 'Jonas'];
const lastNames = ['Arnold', 'Becker', 'Chekhov', 'Dvorak', 'Eriksen', 'Fischer', 'Garcia', 'Haas', 'Ivanov', 'Jansen'];
const oneOf = (words: readonly string[], index: string) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + (${index}) % ${words.length}]`;

/** Spreads consecutive numbers: the same for every run, and without a pattern that an index could follow. */
const mixed = (number: string, salt: number) => `(hashint4extended(${number}, ${salt}) & 2147483647)::int`;

/**
 * The statements that fill a migrated, empty database. Every tenth attempt is of exam 1, which has results of its tasks. One attempt in 20
 * expired, one in 10 was abandoned, 40 are in progress.
 */
export const seed = ({ users, attempts, activity }: Size): string[] => [
  `insert into courses (name, slug) select 'Course ' || n, 'course-' || n from generate_series(1, 50) n`,
  `insert into sections (course_id, name, slug) select id, 'Section ' || n, 'section-' || n from courses, generate_series(1, 4) n`,
  `insert into themes (section_id, title, slug, markdown_file_path, duration_minutes)
    select id, 'Theme ' || n, 'theme-' || n, 'theme.md', 15 from sections, generate_series(1, 5) n`,
  `insert into assessments (kind, id, title, slug, container_image, time_limit_minutes, passing_score, course_id) overriding system value
    select 'exam', n, 'Exam ' || n, 'exam-' || n, 'image', 60, 50, 1 + n % 50 from generate_series(1, 200) n`,
  `insert into assessments (kind, id, title, slug, container_image, passing_score, section_id) overriding system value
    select 'laboratory', n, 'Laboratory ' || n, 'laboratory-' || n, 'image', 50, n from generate_series(1, 200) n`,
  `insert into assessment_tasks (assessment_kind, assessment_id, title, slug, points, verification_script)
    select 'exam', 1, 'Task ' || n, 'task-' || n, 25, 'echo PASS' from generate_series(1, 4) n`,
  `insert into users (username, email, password_hash, full_name)
    select 'student-' || n, 'student-' || n || '@school-' || n % 40 || '.example.com', 'x',
      ${oneOf(firstNames, mixed('n', 1))} || ' ' || ${oneOf(lastNames, mixed('n', 2))} || ' ' || to_hex(${mixed('n', 3)})
    from generate_series(1, ${users}) n`,
  `insert into attempts (kind, assessment_id, user_id, title, container_name, status, created_at, started_at, expires_at,
      submitted_at, score, max_score, passing_score, passed)
    select kind, assessment, user_id,
      case kind when 'exam' then 'Exam ' else 'Laboratory ' end || assessment, 'attempt-' || n, status, began, began,
      began + interval '1 hour', case when is_graded or status = 'grading' then began + interval '30 minutes' end,
      case when is_graded then score end, 100, 50, case when is_graded then score >= 50 end
    from (
      select *, status in ('finished', 'expired') as is_graded from (
        select n, case when n % 10 = 0 or n % 2 = 1 then 'exam' else 'laboratory' end as kind,
          case when n % 10 = 0 then 1 else 1 + ${mixed('n', 4)} % 200 end as assessment,
          1 + ${mixed('n', 5)} % ${users} as user_id,
          25 * (${mixed('n', 6)} % 5) as score,
          now() - (${attempts} - n) * (interval '730 days' / ${attempts}) - interval '2 hours' as began,
          case when n > ${attempts} - 40 and n % 10 = 0 then 'in_progress' when n % 10 = 3 then 'abandoned'
            when n % 20 = 7 then 'expired' else 'finished' end as status
        from generate_series(1, ${attempts}) n
      ) as chosen
    ) as made`,
  `insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output)
    select attempts.id, task.id, task.title, 0, 25, case when score >= 25 * task.id then 25 else 0 end, score >= 25 * task.id, 'PASS'
    from attempts join assessment_tasks as task on assessment_kind = attempts.kind and task.assessment_id = attempts.assessment_id
    where attempts.kind = 'exam' and attempts.assessment_id = 1 and attempts.passed is not null`,
  `insert into activity_log (user_id, actor_id, type, title, entity_type, entity_id, created_at)
    select user_id, case when n % 1000 = 0 then 1 else user_id end,
      case when n % 1000 = 0 then 'admin_user_update' when n % 3 = 0 then 'lesson_complete' when n % 3 = 1 then 'exam_start' else 'exam_submit' end,
      'Entry ' || n, case when n % 1000 = 0 then 'user' when n % 3 = 0 then 'theme' else 'exam' end,
      1 + ${mixed('n', 7)} % 200, now() - (${activity} - n) * (interval '730 days' / ${activity})
    from (select n, 1 + ${mixed('n', 8)} % ${users} as user_id from generate_series(1, ${activity}) n) as made`,
];

/** Classes of 60 students each, for all users. Their ids begin with 1. */
export const schoolClasses = ({ users }: Size): string[] => [
  `insert into classes (name) select 'Class ' || n from generate_series(1, ${Math.ceil(users / 60)}) n`,
  `insert into class_members (class_id, user_id, role) select 1 + n / 60, n + 1, 'student' from generate_series(0, ${users - 1}) n`,
];
