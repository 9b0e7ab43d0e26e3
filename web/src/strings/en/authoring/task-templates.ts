/** Tasks to begin with: assessments/editor/task-templates.ts has their scripts. */
export const taskTemplates = {
  taskTemplates: {
    choose: 'Begin with',
    help: 'Each has a check and a solution. All but that of a file need the image platform-exam-linux-services.',
    empty: 'An empty task',
    file: {
      name: 'File exists',
      title: 'Write a note',
      description: 'Write the word `hello` into the file `note.txt` in your home folder.',
      hint: '`>` sends what a command prints into a file.',
    },
    service: {
      name: 'Service runs',
      title: 'Start the web server',
      description: 'Start nginx, and have it start with the machine.',
      hint: 'See `man systemctl`: start, enable.',
    },
    package: {
      name: 'Package installed',
      title: 'Install a package',
      description: 'Install the package in the file `/srv/greeting.deb`.',
      hint: 'See `man dpkg`: `--install`.',
    },
    user: {
      name: 'User and group',
      title: 'Create a user and a group',
      description: 'Create the group `garden`, and the user `flora` as a member of it.',
      hint: 'See `man groupadd` and `man useradd`.',
    },
    cron: {
      name: 'Cron line',
      title: 'Run a command every quarter of an hour',
      description: 'Have your crontab run `/usr/bin/uptime` every 15 minutes.',
      hint: '`crontab -e` edits your crontab. See `man 5 crontab`.',
    },
  },
};
