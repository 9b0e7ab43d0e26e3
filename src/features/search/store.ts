import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { inScope, studentScope } from '../../database/lists/student-scope.ts';
import { userSearch } from '../../database/lists/user-search.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';

export type TextQuery = {
  /** Words, phrases in quotation marks and `or`. */
  text: string;
  /** In lower case, each once. */
  words: readonly string[];
  /** Words of which one is enough where few texts have all. */
  alternatives: readonly string[];
  /** As it was typed, in lower case, with single spaces. */
  typed: string;
  /** Of the last word: the text before it, and a tsquery of what it can become. */
  beginning?: { before: string; terms: string };
};

/** A row with the part of its text around the first match. */
export type FoundText = { id: number; text: string; is_begun: boolean; is_continued: boolean };
export type FoundNote = FoundText & { theme_id: number; heading: string; excerpt: string };
export type FoundUser = { id: number; username: string; full_name: string | null };

/**
 * Matches of which the best are chosen, for titles and for texts. A word that all lessons contain would rank all of them, which reads all
 * their texts.
 */
const candidates = { titles: 200, texts: 300, exact: 100, some: 300, counted: 1000 };
/** Of the candidates, how many are compared with what was typed character by character. */
const compared = 40;
/** Characters that are shown, and those of them before the first match. */
const window = { length: 220, before: 60 };

/** Searches in one transaction. Each method takes the ids of what the caller sees. */
export class SearchStore {
  readonly #db: Database;
  readonly #timeout: number;

  /** @param timeout milliseconds for one statement */
  constructor(db: Database, timeout: number) {
    this.#db = db;
    this.#timeout = timeout;
  }

  /** @throws Error as for an unavailable database if a statement takes too long */
  async search<Result>(work: (statements: SearchStatements) => Promise<Result>): Promise<Result> {
    return await this.#db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql`select set_config('statement_timeout', ${String(this.#timeout)}, true)`.execute(trx);
        return await work(new SearchStatements(trx));
      });
  }
}

export class SearchStatements {
  readonly #trx: Transaction<Tables>;

  constructor(trx: Transaction<Tables>) {
    this.#trx = trx;
  }

  /** The words of a query, and their stems. */
  async stems({ text, words }: TextQuery): Promise<string[]> {
    const { rows } = await sql<{ stems: string[] }>`
      select tsvector_to_array(to_tsvector('public.search', ${text})) as stems`.execute(this.#trx);
    return [...new Set([...words, ...(rows[0]?.stems ?? [])])];
  }

  /**
   * A rare word counts more than a frequent one, a title more than a text, and what was typed, character by character, more than its words.
   * Where few texts have all words, those with some follow. The frequencies of the words are materialized: otherwise they are counted for each
   * text that is ranked.
   */
  async lessons(query: TextQuery, stems: readonly string[], sections: readonly number[], limit: number) {
    const matches = tsquery(query);
    const seen = isAmong('section_id', sections);
    // `'a' | 'b'` of no word finds nothing.
    const some = sql`to_tsquery('public.search', ${query.alternatives.map((word) => `'${word}'`).join(' | ')})`;
    const exact = sql`phraseto_tsquery('public.search', ${query.typed.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')})`;
    const titleWords = sql`search_words(title, '')`;
    const found = (condition: RawBuilder<unknown>, max: number) =>
      sql`(select theme_id from lesson_texts where ${condition} and ${seen} limit ${max})`;
    const occurrences = sql`(length(lowered) - length(replace(lowered, ' ' || ${query.typed}::text, ''))) / length(' ' || ${query.typed}::text)`;
    const { rows } = await sql<FoundText>`with complete as (
        ${found(sql`${titleWords} @@ ${matches}`, candidates.titles)} union ${found(sql`words @@ ${matches}`, candidates.texts)}
        union ${found(sql`words @@ ${exact}`, candidates.exact)}),
      found as (select theme_id from complete union
        (select theme_id from lesson_texts where words @@ ${some} and ${seen} and (select count(*) from complete) < ${limit}
          limit ${candidates.some})),
      terms as materialized (
        select term, ln(1 + total::float / greatest(1, frequency)) as weight
        from unnest(${query.words}::text[]) as word
          cross join lateral (select plainto_tsquery('public.search', word) as term offset 0) as term
          cross join lateral (select count(*) as frequency from
            (select from lesson_texts where words @@ term limit ${candidates.counted}) as counted) as counted
          cross join (select count(*) as total from (select from lesson_texts limit ${candidates.counted}) as counted) as total),
      ranked as (
        select theme_id, (select sum(weight * ts_rank(words, term)) from terms) + ts_rank_cd(words, ${matches}, 1)
          + 2 * (words @@ ${exact})::int + 2 * (${titleWords} @@ ${exact})::int + (${titleWords} @@ ${matches})::int as rank
        from lesson_texts where theme_id in (select theme_id from found) order by rank desc, theme_id limit ${compared}),
      best as (
        select theme_id, rank + case when occurrences > 0 then 1 + ln(occurrences) else 0 end as rank from ranked join lesson_texts using (theme_id)
          cross join lateral (select ' ' || lower(body) as lowered offset 0) as lowered
          cross join lateral (select ${occurrences} as occurrences offset 0) as counted
        order by rank desc, theme_id limit ${limit})
      select theme_id as id, ${shown(sql.ref('body'))} from best join lesson_texts using (theme_id) ${place(sql.ref('body'), stems, query.typed)}
      order by rank desc, theme_id`.execute(this.#trx);
    return rows;
  }

  async assessments(
    kind: AttemptKind,
    query: TextQuery,
    stems: readonly string[],
    ids: readonly number[],
    limit: number,
  ): Promise<FoundText[]> {
    const words = sql`search_words(title, description)`;
    const matches = tsquery(query);
    const { rows } = await sql<FoundText>`with best as (
        select id, description, ts_rank(${words}, ${matches}, 1) as rank from
          (select id, title, description from assessments where kind = ${kind} and ${words} @@ ${matches} and ${isAmong('id', ids)}
            limit ${candidates.titles}) as found
        order by rank desc, id limit ${limit})
      select id, ${shown(sql.ref('description'))} from best ${place(sql.ref('description'), stems, query.typed)} order by rank desc, id`.execute(
      this.#trx,
    );
    return rows;
  }

  async notes(query: TextQuery, stems: readonly string[], userId: number, limit: number): Promise<FoundNote[]> {
    const matches = tsquery(query);
    const { rows } = await sql<FoundNote>`with best as (
        select id, theme_id, heading, excerpt, lesson_notes.text as note, ts_rank(words, ${matches}, 1) as rank
        from lesson_notes where user_id = ${userId} and words @@ ${matches} order by rank desc, id desc limit ${limit})
      select id, theme_id, heading, excerpt, ${shown(sql.ref('note'))} from best ${place(sql.ref('note'), stems, query.typed)}
      order by rank desc, id desc`.execute(this.#trx);
    return rows;
  }

  /** Users whom an administrator searches, or students whom an instructor sees. */
  async users(caller: Caller, text: string, limit: number): Promise<FoundUser[]> {
    const isAdmin = caller.role === 'admin';
    return await this.#trx
      .selectFrom('users')
      .select(['id', 'username', 'full_name'])
      .where(userSearch(text))
      .where(inScope(studentScope(caller), sql.ref('users.id')))
      .$if(!isAdmin, (query) => query.where('role', '=', 'student'))
      .orderBy('id')
      .limit(limit)
      .execute();
  }
}

/** A hash table of the ids, which costs the planner nothing. It estimates an array element by element, in each search: 2 to 5 ms for 1,000. */
const isAmong = (column: string, ids: readonly number[]): RawBuilder<unknown> =>
  sql`(${sql.ref(column)} in (select unnest(${ids}::int[]))) is true`;

function tsquery({ text, beginning }: TextQuery): RawBuilder<unknown> {
  const whole = sql`websearch_to_tsquery('public.search', ${text})`;
  if (!beginning) return whole;
  const { before, terms } = beginning;
  return sql`(${whole} || (websearch_to_tsquery('public.search', ${before}) && to_tsquery('simple', ${terms})))`;
}

/**
 * The position of the first match in a text, as `place.at`; null without one. What was typed is better than its words, a long word better than
 * the beginning of a short one, and the beginning of a word better than its middle.
 */
const place = (text: RawBuilder<unknown>, stems: readonly string[], typed: string): RawBuilder<unknown> =>
  sql`cross join lateral (select lower(${text}) as lowered offset 0) as lowered
    cross join lateral (select coalesce(
        nullif(strpos(' ' || lowered, ' ' || ${typed}::text), 0),
        min(nullif(strpos(' ' || lowered, ' ' || stem), 0)) filter (where length(stem) >= 3),
        min(nullif(strpos(' ' || lowered || ' ', ' ' || stem || ' '), 0)),
        min(nullif(strpos(lowered, stem), 0))) as at
      from unnest(${stems}::text[]) as stem) as place`;

const shown = (text: RawBuilder<unknown>): RawBuilder<unknown> => {
  const begin = sql`greatest(1, coalesce(place.at, 1) - ${window.before}::int)`;
  return sql`substr(${text}, ${begin}, ${window.length}::int) as text, ${begin} > 1 as is_begun,
    length(${text}) >= ${begin} + ${window.length}::int as is_continued`;
};
