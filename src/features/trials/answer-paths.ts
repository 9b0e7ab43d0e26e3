/** Something that a student creates to solve a task. */
export type AnswerPath = {
  path: string;
  kind: 'folder' | 'file' | 'program';
  /** A folder, or a file with nothing in it: then nothing is the answer. */
  isEmpty: boolean;
};

/** Of one task: more would only take time. */
const most = 100;

/** Run as root before a solution, and after it: what has come since belongs to the student. */
export const markScript = ': >/root/.trial-mark; sleep 0.02';
export const listScript = `/usr/bin/find /home/student /tmp /var/tmp /srv /opt -xdev -user 1000 -cnewer /root/.trial-mark \\
  ! -path /home/student ! -path /tmp/solution ! -name .bash_history -printf '%y %m %s %p\\n' 2>/dev/null | head -n ${most}`;

/** What `listScript` has printed. */
export function answersMade(listed: string): AnswerPath[] {
  return listed.split('\n').flatMap((line): AnswerPath[] => {
    const [, type, mode = '0', size = '0', path] = /^([dfl]) (\d+) (\d+) (\/.+)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (type === 'd') return [{ path, kind: 'folder', isEmpty: true }];
    const isProgram = type === 'f' && (Number.parseInt(mode, 8) & 0o100) !== 0;
    return [{ path, kind: isProgram ? 'program' : 'file', isEmpty: type === 'f' && size === '0' }];
  });
}

/** What the scripts of a task name below the student's home, for one whose solution has created nothing. */
export function answersNamed(...scripts: (string | null)[]): AnswerPath[] {
  let text = scripts.join('\n').replace(/(?<![\w/])~(?=\/)|\$\{?HOME\}?/g, '/home/student');
  // Bound: each variable is put in place once, in the order in which they are set.
  for (const [, name = '', value = ''] of text
    .slice(0, 65_536)
    .matchAll(/\b([A-Za-z_]\w*)=["']?((?:\$\w+|\/home\/student)[\w./-]*)/g)) {
    const known = value.replace(
      /^\$(\w+)/,
      (_, other: string) => new RegExp(`\\b${other}=(/home/student[\\w./-]*)`).exec(text)?.[1] ?? '',
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
 * What an opponent creates with nothing in it. Where the task asks for nothing but folders and empty files, that would be the
 * solution: the last of them is left out, with what is below it.
 */
export function emptyAnswers(paths: readonly AnswerPath[]): readonly AnswerPath[] {
  const last = paths.at(-1);
  if (!last || paths.some(({ isEmpty }) => !isEmpty)) return paths;
  return paths.filter(({ path }) => path !== last.path && !path.startsWith(`${last.path}/`));
}
