/** Tasks to begin with: assessments/editor/task-templates.ts has their scripts. */
export const taskTemplates = {
  taskTemplates: {
    choose: 'Beginnen mit',
    help: 'Jede hat eine Prüfung und eine Lösung. Alle außer der Datei brauchen das Image platform-exam-linux-services.',
    empty: 'Leere Aufgabe',
    file: {
      name: 'Datei vorhanden',
      title: 'Eine Notiz schreiben',
      description: 'Schreiben Sie das Wort `hello` in die Datei `note.txt` in Ihrem Heimatverzeichnis.',
      hint: '`>` leitet die Ausgabe eines Befehls in eine Datei.',
    },
    service: {
      name: 'Dienst läuft',
      title: 'Den Webserver starten',
      description: 'Starten Sie nginx, und lassen Sie es mit der Maschine starten.',
      hint: 'Siehe `man systemctl`: start, enable.',
    },
    package: {
      name: 'Paket installiert',
      title: 'Ein Paket installieren',
      description: 'Installieren Sie das Paket in der Datei `/srv/greeting.deb`.',
      hint: 'Siehe `man dpkg`: `--install`.',
    },
    user: {
      name: 'Benutzer und Gruppe',
      title: 'Einen Benutzer und eine Gruppe anlegen',
      description: 'Legen Sie die Gruppe `garden` an und den Benutzer `flora` als ihr Mitglied.',
      hint: 'Siehe `man groupadd` und `man useradd`.',
    },
    cron: {
      name: 'Cron-Zeile',
      title: 'Einen Befehl jede Viertelstunde ausführen',
      description: 'Lassen Sie Ihre Crontab alle 15 Minuten `/usr/bin/uptime` ausführen.',
      hint: '`crontab -e` bearbeitet Ihre Crontab. Siehe `man 5 crontab`.',
    },
  },
};
