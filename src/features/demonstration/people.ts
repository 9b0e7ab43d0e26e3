import { emailDomain, type Person } from './plan-store.ts';
import type { Random } from './random.ts';

/** Given names and family names that are common in some part of the world. They are combined at random: nobody is meant. */
const names: readonly { given: string; family: string }[] = [
  { given: 'Lucía Mateo Carmen Diego Elena Javier', family: 'García Romero Vega Molina Ortega Navarro' },
  { given: 'Aarav Priya Rohan Ananya Vikram Meera', family: 'Sharma Iyer Patel Nair Reddy Kapoor' },
  { given: 'Haruto Yui Ren Sakura Kenji Aiko', family: 'Tanaka Sato Mori Kobayashi Ito Yamada' },
  { given: 'Omar Layla Yusuf Amina Karim Noor', family: 'Haddad Mansour Khalil Nasser Saleh Farouk' },
  { given: 'Adaeze Tunde Chidi Folake Emeka Ngozi', family: 'Okafor Adeyemi Balogun Eze Nwosu Ogunleye' },
  { given: 'Olena Dmytro Iryna Taras Oksana Andriy', family: 'Kovalenko Shevchuk Bondarenko Melnyk Tkachuk Moroz' },
  { given: 'Lena Jonas Greta Felix Klara Moritz', family: 'Becker Vogel Schröder Hartmann Krüger Lang' },
  { given: 'João Beatriz Rafael Larissa Thiago Camila', family: 'Carvalho Teixeira Moreira Barros Pinto Rocha' },
  { given: 'Linh Minh Huong Tuan Lan Quang', family: 'Nguyen Tran Pham Hoang Bui Dang' },
  { given: 'Aoife Liam Niamh Owen Maeve Callum', family: 'Byrne Doyle Walsh Murray Reid Kerr' },
];

/** People with different names, from all of the lists in turn. @param count at most 360 */
export function peopleOf(random: Random, count: number): Person[] {
  const people = new Map<string, Person>();
  while (people.size < count) {
    const { given, family } = names[people.size % names.length] ?? random.pick(names);
    const full_name = `${random.pick(given.split(' '))} ${random.pick(family.split(' '))}`;
    const username = plain(full_name).replace(' ', '.');
    people.set(username, { username, full_name, email: `${username}@${emailDomain}` });
  }
  return [...people.values()];
}

/** In lower case and without marks. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
