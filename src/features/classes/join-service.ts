import { domainToASCII } from 'node:url';
import { InvalidError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { domainOf } from '../auth/registration/service.ts';
import type { JoinCode, JoinCodeStore, NewJoinCode } from './join-code-store.ts';
import type { ClassStore, ClassView } from './store.ts';

type JoinParts = {
  store: ClassStore;
  codes: JoinCodeStore;
  users: { byId: (id: number) => Promise<{ email: string } | undefined> };
  throttle: {
    /** @throws TooManyRequestsError */
    tryJoinCode: <T>(userId: number, network: string, work: () => Promise<T | undefined>) => Promise<T | undefined>;
  };
};

/** Joining classes with codes. */
export class JoinService {
  readonly #parts: JoinParts;

  constructor(parts: JoinParts) {
    this.#parts = parts;
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError, InvalidError for a domain that is none */
  async createCode(caller: Caller, classId: number, { email_domain, ...fields }: NewJoinCode): Promise<JoinCode> {
    const domain = email_domain == null ? {} : { email_domain: readDomain(email_domain) };
    return await this.#parts.codes.create(caller, classId, { ...fields, ...domain });
  }

  /**
   * @param network where the request comes from
   * @throws NotFoundError alike for every code that is not valid for the caller, TooManyRequestsError after repeated wrong codes
   */
  async join(caller: Caller, code: string, network: string): Promise<ClassView> {
    const { store, codes, users, throttle } = this.#parts;
    const user = await users.byId(caller.id);
    const join = () => codes.join(caller, code, domainOf(user?.email ?? ''));
    const classId = await throttle.tryJoinCode(caller.id, network, join);
    if (classId !== undefined) return await store.get(caller, classId);
    throw new NotFoundError('unknown_code', 'The join code is not valid');
  }
}

/** In lower case and ASCII. @throws InvalidError */
function readDomain(given: string): string {
  const domain = domainToASCII(given.trim().replace(/^@/, '')).toLowerCase();
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return domain;
  throw new InvalidError([refusedField(['body', 'email_domain'], 'domain_invalid')]);
}
