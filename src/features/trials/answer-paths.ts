/** A file or folder that a student creates to solve a task. */
export type AnswerPath = {
  path: string;
  kind: 'folder' | 'file' | 'program';
  /** A folder or an empty file, whose existence is the answer. */
  isEmpty: boolean;
};

/** The maximum for one task: more would only cost time. */
const most = 100;

/** Run as root before a solution and after it: anything created since belongs to the student, or lies in the student's home. */
export const markScript = ': >/root/.trial-mark; sleep 0.02';
export const listScript = `/usr/bin/find /home/student /tmp /var/tmp /srv /opt -xdev \\( -user 1000 -o -path '/home/student/*' \\) -cnewer /root/.trial-mark \\
  ! -path /home/student ! -path /tmp/solution ! -name .bash_history -printf '%y %m %s %p\\n' 2>/dev/null | head -n ${most}`;

/** Parses the output of `listScript`. */
export function answersMade(listed: string): AnswerPath[] {
  return listed.split('\n').flatMap((line): AnswerPath[] => {
    const [, type, mode = '0', size = '0', path] = /^([dfl]) (\d+) (\d+) (\/.+)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (type === 'd') return [{ path, kind: 'folder', isEmpty: true }];
    const isProgram = type === 'f' && (Number.parseInt(mode, 8) & 0o100) !== 0;
    return [{ path, kind: isProgram ? 'program' : 'file', isEmpty: type === 'f' && size === '0' }];
  });
}

/** A script of an author may have any number of variables in any number of places, each of which is replaced by a path. */
const [maxAssignments, maxPathLength, maxText] = [200, 200, 1_000_000];

/** Paths below the student's home in the scripts of a task, for a task whose solution has created nothing. */
export function answersNamed(...scripts: (string | null)[]): AnswerPath[] {
  let text = scripts.join('\n').replace(/(?<![\w/])~(?=\/)|\$\{?HOME\}?/g, '/home/student');
  // Bounded: each variable is substituted once, in the order of the assignments.
  const assignments = [
    ...text.slice(0, 65_536).matchAll(/\b([A-Za-z_]\w*)=["']?((?:\$\w+|\/home\/student)[\w./-]*)/g),
  ].slice(0, maxAssignments);
  for (const [, name = '', value = ''] of assignments) {
    if (value.length > maxPathLength || text.length > maxText) continue;
    const known = value.replace(
      /^\$(\w+)/,
      (_: string, other: string) => new RegExp(`\\b${other}=(/home/student[\\w./-]*)`).exec(text)?.[1] ?? '',
    );
    text = text.replaceAll(new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, 'g'), known);
  }
  const named = new Set(text.match(/\/home\/student(?:\/[\w-][\w.-]*|\/\.[a-z][\w.-]*)+/g));
  const paths = [...named].sort().slice(0, most);
  return paths.map((path) => {
    const isFolder = paths.some((other) => other.startsWith(`${path}/`));
    const kind = isFolder ? 'folder' : /\/s?bin\/[^/]+$/.test(path) ? 'program' : 'file';
    return { path, kind, isEmpty: false };
  });
}

/**
 * The empty files and folders that an opponent creates. Where the task requires only folders and empty files, that would be the solution.
 * Then the last of them is left out, with everything below it.
 */
export function emptyAnswers(paths: readonly AnswerPath[]): readonly AnswerPath[] {
  const last = paths.at(-1);
  if (!last || paths.some(({ isEmpty }) => !isEmpty)) return paths;
  return paths.filter(({ path }) => path !== last.path && !path.startsWith(`${last.path}/`));
}
