import type { images as texts } from '../../en/authoring/images.ts';

export const images: typeof texts = {
  images: {
    title: 'Images',
    lead: 'Aus diesen Images entstehen die Maschinen. Ein Image einer Registry wird untersucht, bevor es benutzt werden kann.',
    add: 'Image hinzufügen',
    editTitle: (name) => `Image ${name}`,
    name: 'Name',
    reference: 'Referenz',
    referenceHelp: 'Mit der Registry, etwa registry.example.com/school/net:2',
    noRegistries:
      'Die Administration hat dem Kurs keine Registry freigegeben, deshalb können Sie keine eigenen Images hinzufügen.',
    username: 'Benutzer der Registry',
    usernameHelp: 'Bleibt leer, wenn die Registry keine Anmeldung verlangt.',
    password: 'Passwort oder Token',
    passwordHelp:
      'Es wird verschlüsselt gespeichert und nie angezeigt. Bleibt das Feld leer, gilt das gespeicherte weiter.',
    states: { pulling: 'Wird geladen', ready: 'Bereit', failed: 'Abgelehnt' },
    progress: (name) => `Laden von ${name}`,
    problems: {
      registry_unreachable: 'Die Registry ist nicht erreichbar.',
      registry_denied: 'Die Registry hat die Anmeldung abgelehnt, oder das Image braucht eine.',
      reference_unknown: 'Dieses Image gibt es nicht.',
      image_too_large: 'Das Image ist größer als 10 GiB.',
      pull_timeout: 'Das Laden hat länger als eine halbe Stunde gedauert.',
      pull_failed: 'Die Container-Engine konnte das Image nicht laden.',
      password_unreadable: 'Das gespeicherte Passwort ist nicht lesbar. Geben Sie es erneut ein.',
      parts_missing: 'Dem Image fehlt, was eine Maschine braucht:',
    },
    lacks: {
      sshd: 'ein lauffähiges Programm /usr/sbin/sshd (Paket openssh-server)',
      bash: 'ein lauffähiges Programm /bin/bash',
      student: 'das Konto student mit der Nummer 1000, einer Shell und einem Home-Verzeichnis',
      grader: 'das Konto grader mit der Nummer 0, der Shell /.grader/bin/bash und einem Home-Verzeichnis',
      command: 'ein Entrypoint oder ein Befehl, der weiterläuft',
    },
    stillUsed: 'Das zuvor untersuchte Image bleibt in Gebrauch.',
    shipped: 'Mitgeliefert',
    onlyFor: (course) => `Nur ${course}`,
    examined: (time) => `Untersucht ${time}`,
    pull: (name) => `${name} erneut laden`,
    pulling: (name) => `${name} wird geladen.`,
    remove: 'Entfernen',
    removeTitle: (name) => `Image ${name} entfernen?`,
    removeHelp:
      'Die Zugangsdaten und das Image selbst werden gelöscht. Prüfungen, Laborübungen, Vorlagen und Maschinen dürfen es nicht mehr benutzen.',
    removed: (name) => `Das Image ${name} ist entfernt.`,
    image: 'Container-Image',
    imageHelp: 'Aus diesem Image entsteht die Maschine jeder Person.',
    another: 'Ein anderes Image der Container-Engine',
    anotherName: 'Sein Name in der Engine',
    granted: 'Registrys',
    grantedHelp:
      'Hosts, deren Images die Lehrenden hinzufügen dürfen, etwa registry.example.com. Einer in jeder Zeile.',
  },
};
