import { useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useStrings } from '../strings/use-strings.tsx';
import { pictureOf } from '../teaching-model/course-icon.tsx';
import { TextField } from '../ui/forms/field.tsx';

/** The icons of courses that can be chosen, with further words by which they are found, in all languages. */
const iconWords = {
  book: 'book книга lesson text reading урок чтение текст buch lektion lesen',
  terminal: 'terminal терминал shell console command line bash оболочка консоль командная строка konsole befehlszeile',
  server: 'server сервер machine host service машина узел служба maschine dienst',
  network: 'network сеть lan router switch маршрутизатор коммутатор netz netzwerk',
  shield: 'security безопасность shield protection firewall щит защита sicherheit schutz schild',
  database: 'database база данных sql data postgresql данные datenbank daten',
  storage: 'storage хранилище disk drive files диск файлы speicher festplatte dateien',
  cloud: 'cloud облако hosting kubernetes хостинг wolke',
  code: 'code код programming script программирование скрипт programmieren skript',
  git: 'git git branch version control ветка версии zweig versionsverwaltung',
  container: 'container контейнер docker podman image образ докер',
  globe: 'web веб globe internet site http интернет сайт netz website',
  tools: 'tools инструменты wrench settings maintenance ключ настройка обслуживание werkzeuge wartung einstellungen',
};

type IconName = keyof typeof iconWords;

const names = Object.keys(iconWords) as IconName[];
/** A book is also what a course without an icon shows. */
const valueFor = (name: IconName): string => (name === 'book' ? '' : name);

/**
 * Chooses the icon of a course from pictures, which are found by their names in all languages. Another value, of an older release or
 * another client, is one more choice.
 * @param given the value at first
 */
export function IconPicker({ field, given }: { field: UseFormRegisterReturn; given: string }) {
  const t = useStrings();
  const words = t.authoring.courses;
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const isFound = (name: IconName): boolean => iconWords[name].includes(wanted);
  const isOther = !names.some((name) => valueFor(name) === given);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{words.icon}</legend>
      <TextField
        label={words.findIcon}
        isLabelHidden
        placeholder={words.findIcon}
        type="search"
        autoComplete="off"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        // The form is not sent.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="grid max-h-56 grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-1 overflow-y-auto p-0.5">
        {isOther && <Choice field={field} value={given} label={words.otherIcon(given)} isHidden={wanted !== ''} />}
        {names.map((name) => (
          <Choice key={name} field={field} value={valueFor(name)} label={words.icons[name]} isHidden={!isFound(name)} />
        ))}
      </div>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {!names.some(isFound) && words.noIcon}
      </p>
    </fieldset>
  );
}

/** A hidden one keeps its value. */
function Choice({
  field,
  value,
  label,
  isHidden,
}: {
  field: UseFormRegisterReturn;
  value: string;
  label: string;
  isHidden: boolean;
}) {
  const Icon = pictureOf(value);
  return (
    <label
      hidden={isHidden}
      className="relative cursor-pointer rounded-md border p-2 text-center text-xs hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
    >
      <input type="radio" value={value} {...field} className="absolute inset-0 cursor-pointer opacity-0" />
      <Icon size={22} aria-hidden="true" className="mx-auto mb-1" />
      <span className="wrap-anywhere">{label}</span>
    </label>
  );
}
