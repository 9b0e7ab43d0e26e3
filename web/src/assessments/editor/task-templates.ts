import type { TaskDraft } from './draft.ts';

export type TaskTemplate = 'file' | 'service' | 'package' | 'user' | 'cron';
type Scripts = Partial<Pick<TaskDraft, 'verification_script' | 'solution_script' | 'setup_script'>>;

/**
 * Tasks to begin with, each with its check and its solution. Their texts are in the strings, under the same names. All of them run on
 * `platform-exam-linux-services`; that of a file runs on every image.
 */
export const taskTemplates: Readonly<Record<TaskTemplate, Scripts>> = {
  file: {
    verification_script: `note=/home/student/note.txt
if ! is_file "$note"; then
  problem "$note is not a file"
  verdict
fi
[ "$(student_file "$note")" = hello ] || problem "$note does not contain the word"
verdict
`,
    solution_script: 'echo hello >~/note.txt\n',
  },
  service: {
    verification_script: `[ "$(system systemctl is-active nginx)" = active ] || problem 'nginx does not run'
[ "$(system systemctl is-enabled nginx)" = enabled ] || problem 'nginx does not start with the machine'
verdict
`,
    solution_script: 'sudo systemctl enable nginx\nsudo systemctl start nginx\n',
  },
  package: {
    setup_script: `# A package of its own: the machine needs no internet.
folder=$(mktemp -d)
mkdir -p "$folder/DEBIAN" "$folder/usr/share/greeting"
printf 'Package: greeting\\nVersion: 1.0\\nArchitecture: all\\nMaintainer: school\\nDescription: a greeting\\n' \
  >"$folder/DEBIAN/control"
echo hello >"$folder/usr/share/greeting/text"
chmod -R u=rwX,go=rX "$folder"
dpkg-deb --build --root-owner-group "$folder" /srv/greeting.deb
rm -rf "$folder"
`,
    verification_script: `state=$(system dpkg-query --show --showformat '\${db:Status-Status}' greeting 2>/dev/null)
[ "$state" = installed ] || problem 'the package greeting is not installed'
verdict
`,
    solution_script: 'sudo dpkg --install /srv/greeting.deb\n',
  },
  user: {
    verification_script: `system getent group garden >/dev/null || problem 'there is no group garden'
if ! system getent passwd flora >/dev/null; then
  problem 'there is no user flora'
  verdict
fi
case " $(system id -nG flora) " in
  *' garden '*) ;;
  *) problem 'flora is not a member of garden' ;;
esac
verdict
`,
    solution_script: 'sudo groupadd garden\nsudo useradd --create-home --groups garden flora\n',
  },
  cron: {
    verification_script: `line=$(system crontab -u student -l 2>/dev/null | grep -v '^[[:space:]]*#' | grep -F /usr/bin/uptime)
read -r minute hour rest <<<"$line"
case $minute in
  '*/15' | 0,15,30,45) ;;
  *) problem 'no line runs /usr/bin/uptime every quarter of an hour' ;;
esac
[ "$hour" = '*' ] || problem 'the line does not run in every hour'
verdict
`,
    solution_script: "echo '*/15 * * * * /usr/bin/uptime >>/home/student/uptime.txt' | crontab -\n",
  },
};
