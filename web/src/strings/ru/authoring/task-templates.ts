/** Tasks to begin with: assessments/editor/task-templates.ts has their scripts. */
export const taskTemplates = {
  taskTemplates: {
    choose: 'Начать с',
    help: 'У каждого есть проверка и решение. Всем, кроме файла, нужен образ platform-exam-linux-services.',
    empty: 'Пустое задание',
    file: {
      name: 'Файл существует',
      title: 'Напишите заметку',
      description: 'Запишите слово `hello` в файл `note.txt` в домашнем каталоге.',
      hint: '`>` направляет вывод команды в файл.',
    },
    service: {
      name: 'Служба работает',
      title: 'Запустите веб-сервер',
      description: 'Запустите nginx и включите его запуск вместе с машиной.',
      hint: 'См. `man systemctl`: start, enable.',
    },
    package: {
      name: 'Пакет установлен',
      title: 'Установите пакет',
      description: 'Установите пакет из файла `/srv/greeting.deb`.',
      hint: 'См. `man dpkg`: `--install`.',
    },
    user: {
      name: 'Пользователь и группа',
      title: 'Создайте пользователя и группу',
      description: 'Создайте группу `garden` и пользователя `flora` в ней.',
      hint: 'См. `man groupadd` и `man useradd`.',
    },
    cron: {
      name: 'Строка cron',
      title: 'Выполняйте команду каждые четверть часа',
      description: 'Пусть crontab выполняет `/usr/bin/uptime` каждые 15 минут.',
      hint: '`crontab -e` правит ваш crontab. См. `man 5 crontab`.',
    },
  },
};
