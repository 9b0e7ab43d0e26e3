/**
 * The last route of a confined network, which `/.grader/gate` (images/grader/files) waits for. The kernel shows it in
 * `/proc/net/route`, and no process in the container can add a route.
 */
export const confinedSign = '169.254.0.0/16';

/** Seconds that the first process waits for its network to be confined. The container stops after that. */
const startPatience = 60;
/** Seconds that an exec waits for the same. */
const execPatience = 10;

/** The entry point of every container; the image's own command follows it. */
export function beginCommand({ hasInternet, folder }: { hasInternet: boolean; folder: string }): string[] {
  return ['/.grader/begin', hasInternet ? 'has_sign' : 'is_confined', `${startPatience}`, folder];
}

/**
 * The command of a script that runs as root in a container. If there is an interface besides the loopback, it waits until the
 * network is confined. The script has no PATH: it uses full paths of `/.grader`.
 */
export const execCommand = (script: string): string[] => [
  ...['/.grader/bin/bash', '-p', '-c'],
  `. /.grader/gate\nwait_until is_confined ${execPatience}\n${script}`,
];

/**
 * The home folder of root, for each exec. Otherwise runc reads it from the container's list of accounts, and with a NUL there, which root of
 * the container can write, it starts none.
 */
export const homeOfRoot = '/root';

/** In an exec: serves an SSH connection. Only one for checks has the capabilities that protect those. */
export const connectCommand = (isForChecks: boolean): string => `exec /.grader/connect${isForChecks ? ' grader' : ''}`;

/** The open files of a process in a container: what it may open at first, and what it may raise that to. */
export const openFiles = { soft: 1024, hard: 4096 };

/**
 * In an exec, before its program: the first of these limits. runc can start an exec with the second in place of the first: its own runtime
 * raises the limit of the process that becomes the exec, sometimes after runc has set it (seen once in 150 execs, runc 1.1.5).
 */
export const limitOpenFiles = `ulimit -Sn ${openFiles.soft}`;
