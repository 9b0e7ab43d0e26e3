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
