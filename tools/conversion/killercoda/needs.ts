import { imageNameOf } from './images.ts';

/** Programs that scripts of authors call and that a small machine may lack, by the Debian packages that have them. */
const programs: Readonly<Record<string, string>> = {
  ...{
    ansible: 'ansible',
    'ansible-playbook': 'ansible',
    apache2: 'apache2',
    apachectl: 'apache2',
    at: 'at',
    atq: 'at',
  },
  ...{ busybox: 'busybox-static', cargo: 'cargo', crontab: 'cron', dig: 'bind9-dnsutils', nslookup: 'bind9-dnsutils' },
  ...{ emacs: 'emacs', envsubst: 'gettext-base', expect: 'expect', fish: 'fish', ftp: 'ftp', gcc: 'gcc', gdb: 'gdb' },
  ...{ go: 'golang', gpg: 'gpg', htop: 'htop', iostat: 'sysstat', java: 'default-jre', javac: 'default-jdk', jq: 'jq' },
  ...{ logrotate: 'logrotate', ltrace: 'ltrace', make: 'make', mpstat: 'sysstat', mysql: 'default-mysql-client' },
  ...{
    nginx: 'nginx',
    nmap: 'nmap',
    node: 'nodejs',
    npm: 'npm',
    openssl: 'openssl',
    php: 'php-cli',
    pidstat: 'sysstat',
  },
  ...{ pip: 'python3-pip', pip3: 'python3-pip', psql: 'postgresql-client', 'redis-cli': 'redis-tools', rsync: 'rsync' },
  ...{ rsyslogd: 'rsyslog', ruby: 'ruby', sar: 'sysstat', screen: 'screen', socat: 'socat', sqlite3: 'sqlite3' },
  ...{ sshpass: 'sshpass', strace: 'strace', stress: 'stress', sudo: 'sudo', tcpdump: 'tcpdump', telnet: 'telnet' },
  ...{
    terraform: 'terraform',
    tmux: 'tmux',
    tree: 'tree',
    tshark: 'tshark',
    vim: 'vim-tiny',
    whois: 'whois',
    xxd: 'xxd',
  },
  ...{ zip: 'zip', unzip: 'unzip', zsh: 'zsh' },
};

const everywhere = [
  ...['bind9-dnsutils', 'gettext-base', 'htop', 'jq', 'openssl', 'rsync', 'strace', 'sysstat', 'tmux', 'tree', 'unzip'],
  ...['vim-tiny', 'xxd', 'zip'],
];
/** The packages of those programs that the images of this project have. Nothing is known of other images. */
export const packagesOfImages: ReadonlyMap<string, readonly string[]> = new Map([
  ['platform-exam-linux-basics', everywhere],
  ['platform-exam-linux-services', [...everywhere, 'at', 'cron', 'logrotate', 'nginx', 'nmap', 'rsyslog', 'sudo']],
  ['platform-sandbox', [...everywhere, 'nmap', 'sudo']],
]);
export const knownPackages: ReadonlySet<string> = new Set(Object.values(programs));

/** A word where a command begins. */
const commands =
  /(?:^|[;&|(`{])\s*(?:(?:!|sudo|then|do|else|if|while|until|exec|time|xargs|which|command -v)\s+)*([a-z][a-z0-9-]*)(?=[\s;&|)`]|$)/gm;

/** The programs that a script calls and that the image lacks, in words for its author. */
export function missingPrograms(script: string, image: string): string[] {
  const present = packagesOfImages.get(imageNameOf(image));
  if (present === undefined) return [];
  const code = script.replace(/^[ \t]*#.*$/gm, '');
  // A word such as `sudo` is a command and precedes one.
  const called = new Set(
    [...code.matchAll(commands)].flatMap(([whole, name = '']) => [name, /\bsudo\b/.exec(whole)?.[0] ?? '']),
  );
  const missing = [...called].filter(
    (name) => Object.hasOwn(programs, name) && !present.includes(programs[name] ?? ''),
  );
  return missing.map(
    (name) => `calls \`${name}\`, which the image lacks: one with the package ${programs[name]} has it`,
  );
}

const downloads = /^(?![^\n]*(?:localhost|127\.0\.0\.1))[^\n#]*\b(curl|wget|git clone)\s/m;
const packageInstallations = /\b((?:apt|apt-get|yum|dnf|apk|snap|pip3?|npm)(?:\s+-\S+)*\s+(?:install|update|add|i))\b/;
const deviceCommands =
  /(?:^|[\s;&|(])(mount|umount|swapon|swapoff|mkswap|losetup|(?:pv|vg|lv)(?:create|extend|display|s)|mdadm|cryptsetup|fdisk|sgdisk|parted|modprobe|iptables|nft|ufw|ip link|kubectl|docker|podman)\s/m;

/** What a script does that a laboratory's container does not allow, in words for its author. */
export function missingPowers(script: string): string[] {
  const code = script.replace(/^[ \t]*#.*$/gm, '');
  const [, download] = packageInstallations.exec(code) ?? downloads.exec(code) ?? [];
  const [, command] = deviceCommands.exec(code) ?? [];
  return [
    ...(download
      ? [`runs \`${download}\`, which fails: laboratories have no internet. An image can have the packages`]
      : []),
    ...(command ? [`runs \`${command}\`, which containers of laboratories do not have or do not allow`] : []),
  ];
}
