import type { ValidationItem } from '../../errors.ts';
import { lineItem } from './import-problems.ts';

/** A field that a column of a file can be taken for. */
export type Field = {
  key: string;
  /** Names of columns in files, besides the key: in any case, with or without spaces, hyphens, dots and underscores. */
  names: readonly string[];
  /** Whether several columns can be this field. */
  isRepeatable?: boolean;
  /** What a problem with it is called after. Default: the key. */
  title?: string;
};

const names = {
  username: [
    ...['user', 'login', 'login name', 'account', 'user id', 'nickname', 'логин', 'имя пользователя', 'пользователь'],
    ...[
      'учетная запись',
      'аккаунт',
      'ник',
      'benutzer',
      'benutzername',
      'anmeldename',
      'nutzername',
      "nom d'utilisateur",
      'identifiant',
      'usuario',
    ],
  ],
  email: [
    ...[
      'mail',
      'e-mail address',
      'mail address',
      'e-mail-adresse',
      'mailadresse',
      'почта',
      'эл. почта',
      'электронная почта',
      'имейл',
      'мейл',
    ],
    ...['адрес электронной почты', 'адрес почты', 'e-mail-адрес', 'е-mail', 'courriel', 'correo', 'correo electrónico'],
  ],
  full_name: [
    ...['name', 'student', 'student name', 'display name', 'фио', 'имя и фамилия', 'фамилия и имя', 'полное имя'],
    ...['first name / last name', 'first name / surname', 'vorname / nachname', 'имя / фамилия'],
    ...['last name / first name', 'surname / first name', 'nachname / vorname', 'фамилия / имя'],
    ...['фамилия имя', 'фамилия имя отчество', 'студент', 'ученик', 'nom complet', 'vollständiger name'],
  ],
  name_part: [
    ...['first name', 'given name', 'forename', 'middle name', 'patronymic', 'last name', 'family name', 'surname'],
    ...['имя', 'отчество', 'фамилия', 'vorname', 'nachname', 'prénom', 'nom', 'nombre', 'apellido', 'apellidos'],
  ],
  role: ['роль', 'rolle', 'rôle', 'rol', 'user role', 'type', 'тип', 'права'],
  password: ['пароль', 'passwort', 'kennwort', 'mot de passe', 'contraseña', 'pass'],
};

const field = (key: keyof typeof names): Field => ({ key, names: names[key] });
/** Parts of the full name, which are joined in the order of their columns. */
const nameParts: Field = { ...field('name_part'), isRepeatable: true };
/** Of a Canvas export, too: its login is either of them. */
const login: Field = {
  key: 'login',
  names: ['username or email', 'логин или почта', 'sis login id', 'sis anmelde id', 'sis logon id'],
};

export const userFields: readonly Field[] = [
  ...[field('username'), field('email'), login, field('full_name'), nameParts, field('role'), field('password')],
];
/** `login` is a username or an e-mail address. */
export const memberFields: readonly Field[] = [
  ...[field('username'), field('email'), login, field('full_name'), nameParts, field('role')],
];
/** Those that name the student of a grade. The full name is for the people who edit the file. */
export const studentFields: readonly Field[] = [field('username'), field('email'), field('full_name'), nameParts];

/** Far more than names of columns have. The time to normalize a text can grow with the square of its length. */
const maxName = 500;

/** A name of a column without what people write differently. An export of ours escapes a formula with an apostrophe. */
export const plainName = (name: string): string =>
  name
    .slice(0, maxName)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/[\s\p{P}_]/gu, '');

const lastNames = new Set(
  ['last name', 'family name', 'surname', 'nachname', 'nom', 'apellido', 'apellidos'].map(plainName),
);
export const isLastName = (name: string): boolean => lastNames.has(plainName(name));

/** Finds the field that a column is called after. */
export function fieldFinder(fields: readonly Field[]): (name: string) => Field | undefined {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const exactly = new Map<string, Field>();
  const nearly = new Map<string, Field>();
  const add = (map: Map<string, Field>, text: string, field: Field) => map.has(text) || map.set(text, field);
  for (const field of fields) {
    for (const name of field.names) add(exactly, name.toLowerCase(), field);
    for (const name of [field.key, ...field.names]) if (plainName(name) !== '') add(nearly, plainName(name), field);
  }
  return (name) => {
    const text = name.trim().toLowerCase();
    const unescaped = text.startsWith("'") ? exactly.get(text.slice(1)) : undefined;
    return byKey.get(text) ?? exactly.get(text) ?? unescaped ?? nearly.get(plainName(name));
  };
}

/** The problems of columns that are taken for fields. */
export function columnProblems(taken: readonly (string | null)[], fields: readonly Field[], line: number) {
  return fields.flatMap(({ key, title, isRepeatable }): ValidationItem[] =>
    taken.filter((one) => one === key).length > 1 && !isRepeatable
      ? [lineItem(line, undefined, 'column_twice', { column: title ?? key })]
      : [],
  );
}
