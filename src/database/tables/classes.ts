import type { Generated, GeneratedAlways } from 'kysely';
import type { Optional } from './columns.ts';

export type ClassRole = 'student' | 'assistant' | 'instructor';

export type ClassesTable = {
  id: GeneratedAlways<number>;
  name: string;
  description: Generated<string>;
  is_archived: Generated<boolean>;
  created_at: Generated<Date>;
};

/** The role in the class is independent of the user's own. */
export type ClassMembersTable = { class_id: number; user_id: number; role: ClassRole; joined_at: Generated<Date> };

/** A code with which users join a class. */
export type ClassJoinCodesTable = {
  id: GeneratedAlways<number>;
  class_id: number;
  code: string;
  expires_at: Optional<Date>;
  max_uses: Optional<number>;
  uses: Generated<number>;
  /** In ASCII and lower case. Null: any. */
  email_domain: Optional<string>;
  created_at: Generated<Date>;
};

/** Until when a class is to pass a laboratory. */
export type LaboratoryDeadlinesTable = {
  class_id: number;
  laboratory_id: number;
  laboratory_kind: Generated<'laboratory'>;
  due_at: Date;
};
