import { CoalescingRunner } from '../../../../packages/limits/coalescing-runner.ts';
import { BadRequestError, ConflictError, found } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import { checkOf, type ImportCheck, namesFrom } from '../../tables/import-check.ts';
import { type FieldCheck, lineItem, maxListed, throwProblems } from '../../tables/import-problems.ts';
import { readSheet, type SheetChoice, sourceOf } from '../../tables/sheet.ts';
import { userFields } from '../../tables/table-columns.ts';
import type { Claim } from '../limits/throttle.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Invitation, InvitationStore } from '../registration/invitation-store.ts';
import { planUsers, takenProblems } from './import-plan.ts';
import type { UserImport, UserImportLine, UserImportStore } from './import-store.ts';
import type { UserAdminStore } from './store.ts';

type UserImportParts = {
  store: UserImportStore;
  users: Pick<UserAdminStore, 'taken' | 'createWith'>;
  invitations: Pick<InvitationStore, 'expect' | 'issueForImport'>;
  passwords: Pick<Passwords, 'hash' | 'ofNobody'>;
  seal: { seal: (text: string, place: string) => Buffer; open: (sealed: Buffer, place: string) => string | undefined };
  /** Runs work in one of the processes that share the database. @returns false where another one does */
  alone: (work: () => Promise<void>) => Promise<boolean>;
  onError: (error: unknown) => void;
  /** Users in one import. */
  maxUsers: number;
};

/** Hashes of imports take turns with those of logins, as one network of strangers. */
const claim: Claim = { network: 'user imports', isKnown: false };
/** Lines with passwords that are read at once. */
const batch = 50;

const placeOf = (importId: number, line: number): string => `user_import_lines ${importId} ${line} sealed_password`;

/**
 * Imports of users in the background. The lines of a file are stored, then their passwords are hashed one after the other, and then all
 * users are created in one transaction. After a restart an import continues where it was. Users without a password get an invitation.
 */
export class UserImports implements AsyncDisposable {
  readonly #parts: UserImportParts;
  readonly #rounds = new CoalescingRunner(() => this.#completeAll());
  #isStopping = false;

  constructor(parts: UserImportParts) {
    this.#parts = parts;
  }

  /** What an import would do. Writes nothing. @throws InvalidError for a choice that does not fit the file, UnavailableError */
  async check(bytes: Uint8Array, choice: SheetChoice, check: FieldCheck): Promise<ImportCheck> {
    const { sheet, source, users, problems } = await this.#plan(bytes, choice, check, 'proposal');
    const invited = users.filter(({ password }) => password === undefined).length;
    const outcomes = { created: users.length - invited, invited };
    const people = users.map(({ password, ...user }) => ({
      ...user,
      outcome: password === undefined ? ('invited' as const) : ('created' as const),
    }));
    return checkOf(sheet, userFields, problems, outcomes, { usernames: namesFrom(source, users), people });
  }

  /** @throws InvalidError with the problems of all lines, ConflictError while another import is running, UnavailableError */
  async start(caller: Caller, bytes: Uint8Array, choice: SheetChoice, check: FieldCheck): Promise<UserImport> {
    const { users, problems } = await this.#plan(bytes, choice, check, 'names');
    throwProblems(problems);
    const { store, seal } = this.#parts;
    const id = await store.create(caller.id, users.length, (importId) =>
      users.map(({ password, ...user }) => ({
        ...user,
        sealed_password: password === undefined ? null : seal.seal(password, placeOf(importId, user.line)),
      })),
    );
    this.run().catch(this.#parts.onError);
    return await this.get(id);
  }

  async list(): Promise<UserImport[]> {
    return await this.#parts.store.list();
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<UserImport> {
    return found(await this.#parts.store.get(id), 'Import');
  }

  /** No user is created. @throws NotFoundError, ConflictError where it has ended already */
  async cancel(id: number): Promise<UserImport> {
    await this.get(id);
    if (!(await this.#parts.store.cancel(id))) throw new ConflictError('import_not_running', 'The import has ended');
    return await this.get(id);
  }

  /** New codes for all users of an import who have not set a password yet. Earlier codes are not valid any more. @throws NotFoundError */
  async invitations(id: number): Promise<Invitation[]> {
    await this.get(id);
    return await this.#parts.invitations.issueForImport(id);
  }

  /** Completes the running import, also one that another process has left. */
  async run(): Promise<void> {
    await this.#rounds.run();
  }

  /** The import continues after the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    await this.#rounds.idle();
  }

  async #plan(bytes: Uint8Array, choice: SheetChoice, check: FieldCheck, reading: 'names' | 'proposal') {
    const { users, maxUsers } = this.#parts;
    const sheet = await readSheet(bytes, { fields: userFields, maxLines: maxUsers, reading, isRoster: true }, choice);
    const taken = users.taken.bind(users);
    const source = sourceOf(sheet, choice);
    return { sheet, source, ...(await planUsers(sheet, { check, taken, isStrict: false, source })) };
  }

  async #completeAll(): Promise<void> {
    const { store, alone } = this.#parts;
    // Most rounds find nothing, and need no connection of their own. One looks once more after its turn: what another process has
    // stored since its last look was left to it.
    while (!this.#isStopping && (await store.running())) {
      const hadTurn = await alone(async () => {
        for (let next = await store.running(); next && !this.#isStopping; next = await store.running())
          if (!(await this.#complete(next))) return;
      });
      if (!hadTurn) return;
    }
  }

  /** @returns false where the service stops */
  async #complete(of: UserImport): Promise<boolean> {
    const { store } = this.#parts;
    for (let lines = await store.toHash(of.id, batch); lines.length > 0; lines = await store.toHash(of.id, batch)) {
      for (const line of lines) {
        if (this.#isStopping) return false;
        if (!(await this.#hash(line))) return true;
      }
    }
    await this.#create(of);
    return true;
  }

  /** @returns false where the import has ended */
  async #hash(line: UserImportLine): Promise<boolean> {
    const { store, passwords, seal } = this.#parts;
    const password = seal.open(line.sealed_password as Buffer, placeOf(line.import_id, line.line));
    if (password === undefined) {
      await store.fail(line.import_id, [lineItem(line.line, 'password', 'value_invalid')]);
      return false;
    }
    return await store.setHash(line, await passwords.hash(password, claim));
  }

  async #create(of: UserImport): Promise<void> {
    const { store, users, invitations, passwords } = this.#parts;
    const lines = await store.lines(of.id);
    const ofNobody = passwords.ofNobody();
    const created = lines.map(({ username, email, full_name, role, password_hash }) => ({
      ...{ username, email, full_name, role, password_hash: password_hash ?? ofNobody },
    }));
    try {
      await users.createWith(of.actor_id, created, 'admin_user_import', async (trx, rows) => {
        const invited = rows.filter((_, index) => lines[index]?.password_hash === null);
        await invitations.expect(
          trx,
          invited.map(({ id }) => id),
          of.id,
        );
        if (!(await store.finish(trx, of.id))) throw new ConflictError('import_not_running', 'The import has ended');
      });
    } catch (error) {
      // Cancelled, or some of the users were created otherwise in the meantime.
      if (error instanceof ConflictError) return;
      if (!(error instanceof BadRequestError)) throw error;
      await store.fail(of.id, (await takenProblems(lines, users.taken.bind(users))).slice(0, maxListed));
    }
  }
}
