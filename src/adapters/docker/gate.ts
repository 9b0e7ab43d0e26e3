/** The last route of a confined network. In `/proc/net/route` it is `0000FEA9`; the kernel writes that file, and no one in the container can add a route. */
export const confinedSign = '169.254.0.0/16';

/** Seconds that the first process waits for its network to be confined. The container stops after that. */
const startPatience = 60;
/** Seconds that an exec waits for it. */
const execPatience = 10;

const functions = `has_sign() {
  local interface network rest
  while read -r interface network rest; do [[ $interface == '*' && $network == 0000FEA9 ]] && return; done </proc/net/route
  return 1
}
has_only_loopback() {
  local name rest flags
  while IFS=': ' read -r name rest; do
    case $name in lo | Inter-* | face*) continue ;; esac
    flags=1
    { read -r flags <"/sys/class/net/$name/flags"; } 2>/dev/null
    ((flags & 1)) && return 1
  done </proc/net/dev
  return 0
}
wait_until() {
  local tries=$(($2 * 50))
  until "$1"; do
    ((tries-- > 0)) || exit 75
    /.grader/bin/busybox sleep 0.02
  done
}
is_confined() { has_sign || has_only_loopback; }
`;

/**
 * The entry point of every container; the image's own command follows it. It is a program of the read-only volume, linked statically: nothing
 * of the container's own files runs before the network is confined. It begins in `/` and enters the image's folder by itself. If the engine
 * entered it, a link in its place could lead out of the container (CVE-2024-21626).
 */
export function beginCommand({ hasInternet, folder }: { hasInternet: boolean; folder: string }): string[] {
  const script = `${functions}wait_until ${hasInternet ? 'has_sign' : 'is_confined'} ${startPatience}
cd -- "$1" 2>/dev/null || cd /
shift
unset OLDPWD SHLVL
exec -- "$@"`;
  return ['/.grader/bin/bash', '-p', '-c', script, 'begin', folder];
}

/**
 * The engine's options for a script that root runs in a container. It begins in `/`, which a student cannot replace. It waits until the
 * network is confined, wherever there is an interface besides the loopback. The script has no path: it names programs of `/.grader` in full.
 */
export const execOptions = (script: string) => ({
  Cmd: ['/.grader/bin/bash', '-p', '-c', `${functions}wait_until is_confined ${execPatience}\n${script}`],
  User: '0:0',
  WorkingDir: '/',
});
