import type { ColumnType, Generated } from 'kysely';

/** A nullable column that may be omitted on insert. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A nullable jsonb column: read as a value, written as JSON text. */
export type Json<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** The columns of an entity's rows: those with a default may be omitted on insert. */
export type WithDefaults<Row, Defaults> = {
  [Name in keyof Row]: Name extends keyof Defaults ? Generated<Row[Name]> : Row[Name];
};
