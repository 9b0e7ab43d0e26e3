import type { ClassRole, Role } from '../../database/tables.ts';
import type { ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { newPassword, type Passwords } from '../auth/passwords.ts';
import { checkOf, type ImportCheck, namesFrom } from '../tables/import-check.ts';
import { throwProblems } from '../tables/import-problems.ts';
import type { UsernameSource } from '../tables/proposed-usernames.ts';
import { readSheet, type Sheet, type SheetChoice, sourceOf } from '../tables/sheet.ts';
import { memberFields } from '../tables/table-columns.ts';
import { maxImportedUsers } from '../tables/user-csv.ts';
import { type ClassImportStore, type Imported, importMembers, type KnownUser } from './import-store.ts';
import { type MemberChecks, type PlannedMember, planMembers } from './member-plan.ts';

type NewUser = { username: string; email: string; full_name: string | null; role: Role; password_hash: string };

export type ImportedMember = {
  line: number;
  outcome: Imported['outcome'];
  user_id: number;
  username: string;
  full_name: string | null;
  email: string | null;
  role: ClassRole;
  /** Of a new account; it is returned only this once. */
  password: string | null;
  /** The code of a new account without a password; it is returned only this once. */
  invitation?: string;
};

/** How a file is read, and what new accounts get. */
export type MemberChoice = SheetChoice & { passwords: 'generated' | 'invitations' };

type NewUsers = {
  /** @param more is done with the new users in the same transaction @throws BadRequestError when a username or an e-mail address is taken */
  createWith: <T>(
    actorId: number,
    users: readonly NewUser[],
    type: string,
    more: (trx: Parameters<typeof importMembers>[0], rows: KnownUser[]) => Promise<T>,
  ) => Promise<T>;
};

type MemberImportParts = {
  store: ClassImportStore;
  users: NewUsers;
  passwords: Pick<Passwords, 'hash' | 'ofNobody'>;
  invitations: {
    /** Issues the codes of new users in the transaction that creates them. */
    issue: (
      trx: Parameters<typeof importMembers>[0],
      users: readonly KnownUser[],
    ) => Promise<{ id: number; code: string }[]>;
  };
  /** Lines of one file. Fewer where passwords are generated. */
  maxLines: number;
};
type Plan = { sheet: Sheet; source: UsernameSource; members: PlannedMember[]; problems: ValidationItem[] };

/** Imports members of a class from a file. Users who do not exist are created as students. */
export class MemberImport {
  readonly #parts: MemberImportParts;

  constructor(parts: MemberImportParts) {
    this.#parts = parts;
  }

  /** What an import would do. Writes nothing. @throws InvalidError for a choice that does not fit the file; NotFoundError, ForbiddenError, ConflictError */
  async check(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: MemberChoice,
    checks: MemberChecks,
  ): Promise<ImportCheck> {
    const { sheet, source, members, problems } = await this.#plan(caller, classId, bytes, choice, checks, 'proposal');
    const fresh = members.flatMap((member) => member.fresh ?? []);
    const outcomes = { created: fresh.length, known: members.length - fresh.length };
    return checkOf(sheet, memberFields, problems, outcomes, namesFrom(source, fresh));
  }

  /**
   * All lines are imported, or none. A user is known by the username or by the e-mail address.
   * @param checks return what is wrong with the role of a line, and with the fields of a new user
   * @throws InvalidError, each problem with its line; NotFoundError, ForbiddenError, ConflictError
   */
  async run(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: MemberChoice,
    checks: MemberChecks,
  ): Promise<ImportedMember[]> {
    const { users, passwords, invitations } = this.#parts;
    const { members, problems } = await this.#plan(caller, classId, bytes, choice, checks, 'names');
    throwProblems(problems);
    const fresh = members.flatMap(({ fresh: student }) => student ?? []);
    const isInviting = choice.passwords === 'invitations';
    const generated = new Map<string, string>();
    const created: NewUser[] = [];
    for (const student of fresh) {
      const password = isInviting ? undefined : newPassword();
      if (password !== undefined) generated.set(student.username, password);
      const password_hash = password === undefined ? passwords.ofNobody() : await passwords.hash(password);
      created.push({ ...student, role: 'student', password_hash });
    }
    return await users.createWith(caller.id, created, 'class_user_create', async (trx, rows) => {
      const byName = new Map(rows.map((row) => [row.username, row]));
      const all = members.map((member) => ({ ...member, user: userOf(member, byName) }));
      const added = all.map((one) => ({ id: one.user.id, role: one.role, isNew: one.fresh !== undefined }));
      const imported = await importMembers(trx, caller, classId, added);
      const issued = isInviting && rows.length > 0 ? await invitations.issue(trx, rows) : [];
      const codes = new Map(issued.map(({ id, code }) => [id, code]));
      return all.map(({ line, known, user: { id, username, full_name, email } }) => {
        const { outcome, role } = imported.get(id) as Imported;
        const invitation = codes.get(id);
        return {
          ...{ line, outcome, user_id: id, username, full_name, role, email: known ? known.seen_email : email },
          password: generated.get(username) ?? null,
          ...(invitation === undefined ? {} : { invitation }),
        };
      });
    });
  }

  async #plan(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: MemberChoice,
    checks: MemberChecks,
    reading: 'names' | 'proposal',
  ): Promise<Plan> {
    const { store, maxLines: most } = this.#parts;
    await store.check(caller, classId);
    const maxLines = choice.passwords === 'generated' ? Math.min(maxImportedUsers, most) : most;
    const sheet = await readSheet(
      bytes,
      { fields: memberFields, maxLines, reading, listField: 'login', isRoster: true },
      choice,
    );
    const known = (usernames: string[], emails: string[]) => store.known(caller, usernames, emails);
    const source = sourceOf(sheet, choice);
    return {
      sheet,
      source,
      ...(await planMembers(sheet, checks, { known, source, trustsAddresses: caller.role === 'admin' })),
    };
  }
}

const userOf = ({ known, fresh }: PlannedMember, created: ReadonlyMap<string, KnownUser>): KnownUser =>
  (known ?? created.get(fresh?.username ?? '')) as KnownUser;
