import type { ColumnType } from 'kysely';

/** A nullable column that may be omitted on insert. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A nullable jsonb column: read as a value, written as JSON text. */
export type Json<T> = ColumnType<T | null, string | null | undefined, string | null>;
