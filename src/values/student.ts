/** A student of a class, as the lines of a file can name one. */
export type Student = { user_id: number; username: string; email: string };
