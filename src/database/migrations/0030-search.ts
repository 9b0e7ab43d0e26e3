import { type Kysely, sql } from 'kysely';

/**
 * The texts of lessons, for the search, and the indexes of what else is searched. Titles are known at once, by a trigger. The service reads
 * the texts from the repositories in the background.
 *
 * Each word is reduced to its stem by its alphabet: Latin words as English, Cyrillic ones as Russian. So one text can contain both, and the
 * language of a query need not be known. No word is left out as frequent: `who`, `for` and `while` are what students look for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** The parser would take `/etc/passwd`, `chmod-r` and `<b>` for one word or for none. */
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const words = (column: string): string =>
  `to_tsvector('public.search'::regconfig, translate(${column}, E'${punctuation.replace(/['\\]/g, '\\$&')}', '${' '.repeat(punctuation.length)}'))`;

const statements = [
  'create text search dictionary search_english (template = snowball, language = english)',
  'create text search dictionary search_russian (template = snowball, language = russian)',
  'create text search configuration search (copy = russian)',
  'alter text search configuration search alter mapping replace english_stem with search_english',
  'alter text search configuration search alter mapping replace russian_stem with search_russian',
  `create function search_words(title text, body text) returns tsvector language sql immutable parallel safe as $$
    select setweight(${words("coalesce(title, '')")}, 'A') || ${words("coalesce(body, '')")}
  $$`,
  `create table lesson_texts (
    theme_id integer primary key references themes on delete cascade,
    section_id integer not null,
    title text not null,
    source text not null default '',
    body text not null default '',
    words tsvector not null generated always as (search_words(title, body)) stored
  )`,
  `create index lesson_texts_words on lesson_texts using gin (words)`,
  `create index lesson_texts_title on lesson_texts using gin (search_words(title, ''))`,
  'insert into lesson_texts (theme_id, section_id, title) select id, section_id, title from themes',
  `create function keep_lesson_text() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into lesson_texts (theme_id, section_id, title) values (new.id, new.section_id, new.title);
    else
      update lesson_texts set section_id = new.section_id, title = new.title where theme_id = new.id;
    end if;
    return null;
  end $$`,
  'create trigger lesson_text_made after insert on themes for each row execute function keep_lesson_text()',
  `create trigger lesson_text_changed after update on themes for each row
    when (old.title <> new.title or old.section_id <> new.section_id) execute function keep_lesson_text()`,
  ...['exams', 'laboratories'].map(
    (table) => `create index ${table}_words on ${table} using gin (search_words(title, description))`,
  ),
  'alter table lesson_notes add column words tsvector not null generated always as (search_words(excerpt, text)) stored',
  'create index lesson_notes_words on lesson_notes using gin (words)',
];
