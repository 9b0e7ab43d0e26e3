import { BlockList, isIP } from 'node:net';
import { ForbiddenError, InvalidError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';
import type {
  Accommodation,
  AccommodationFields,
  ClassAccommodation,
  ClassAccommodationFields,
  ClassAccommodationStore,
  SessionAccommodationStore,
} from './accommodation-store.ts';
import { calendarFile } from './calendar.ts';
import type { MovedAttempt } from './deadline-store.ts';
import type { Chosen, ExamSessionStore, NewSessionFields, SessionFields } from './store.ts';
import type { SessionView } from './view-store.ts';

export type ExamSessionParts = {
  store: ExamSessionStore;
  accommodations: SessionAccommodationStore;
  classAccommodations: ClassAccommodationStore;
  /** When the laboratories of the caller as a student are due. */
  deadlines: { calendar: (caller: Caller) => Promise<readonly LaboratoryDeadline[]> };
  maxBreakMinutes: number;
  /** Called for each attempt whose deadline or break has moved, to schedule its end at the new time. */
  onMoved: (attempt: MovedAttempt) => void;
  /** Called after a session was planned or deleted: its exam may have its first one, or none any more. */
  onPlanned: () => void;
};

type LaboratoryDeadline = {
  class_id: number;
  class_name: string;
  laboratory_id: number;
  title: string;
  due_at: Date;
};

/** Changes of sessions and of their accommodations. */
export class ExamSessionService {
  readonly #parts: ExamSessionParts;

  constructor(parts: ExamSessionParts) {
    this.#parts = parts;
  }

  /** The sessions of the caller's classes, and the deadlines of the caller's laboratories, as a file. @param host of the service */
  async calendar(caller: Caller, host: string): Promise<string> {
    const sessions = await this.#parts.store.calendar(caller);
    const deadlines = await this.#parts.deadlines.calendar(caller);
    const laboratories = deadlines.map(({ class_id, class_name, laboratory_id, title, due_at }) => ({
      ...{ key: `deadline-${class_id}-${laboratory_id}`, title, description: class_name, opens_at: due_at },
    }));
    return calendarFile([...sessions.map(entryOf), ...laboratories], host, new Date());
  }

  /** One session that the caller sees, also without being a member of it. @throws NotFoundError */
  async entry(caller: Caller, id: number, host: string): Promise<string> {
    return calendarFile([entryOf(await this.#parts.store.get(caller, id))], host, new Date());
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError, InvalidError */
  async create(caller: Caller, fields: NewSessionFields): Promise<SessionView> {
    checkChosen(caller, fields);
    checkNetworks(fields);
    const session = await this.#parts.store.create(caller, fields);
    this.#parts.onPlanned();
    return session;
  }

  /** @throws NotFoundError, ForbiddenError, InvalidError */
  async update(caller: Caller, id: number, fields: Partial<SessionFields>): Promise<SessionView> {
    checkNetworks(fields);
    const { session, moved } = await this.#parts.store.update(caller, id, fields);
    this.#schedule(moved);
    return session;
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError with unfinished attempts */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#parts.store.delete(caller, id);
    this.#parts.onPlanned();
  }

  /** @throws NotFoundError, ForbiddenError, InvalidError */
  async accommodate(caller: Caller, id: number, userId: number, fields: AccommodationFields): Promise<Accommodation> {
    this.#checkBreaks(fields);
    const { accommodation, moved } = await this.#parts.accommodations.set(caller, id, userId, fields);
    this.#schedule(moved);
    return accommodation;
  }

  /** @throws NotFoundError, ForbiddenError */
  async withdrawAccommodation(caller: Caller, id: number, userId: number): Promise<void> {
    this.#schedule(await this.#parts.accommodations.delete(caller, id, userId));
  }

  /** @throws NotFoundError, ForbiddenError, InvalidError */
  async accommodateInClass(
    caller: Caller,
    classId: number,
    userId: number,
    fields: ClassAccommodationFields,
  ): Promise<ClassAccommodation> {
    this.#checkBreaks(fields);
    const { accommodation, moved } = await this.#parts.classAccommodations.set(caller, classId, userId, fields);
    this.#schedule(moved);
    return accommodation;
  }

  /** @throws NotFoundError, ForbiddenError */
  async withdrawClassAccommodation(caller: Caller, classId: number, userId: number): Promise<void> {
    this.#schedule(await this.#parts.classAccommodations.delete(caller, classId, userId));
  }

  /** @throws InvalidError */
  #checkBreaks({ break_minutes }: { break_minutes?: number | null }): void {
    const { maxBreakMinutes: max } = this.#parts;
    if ((break_minutes ?? 0) <= max) return;
    const msg = `Input should be less than or equal to ${max}`;
    throw new InvalidError([{ loc: ['body', 'break_minutes'], msg, type: 'less_than_equal' }]);
  }

  #schedule(moved: readonly MovedAttempt[]): void {
    for (const attempt of moved) this.#parts.onMoved(attempt);
  }
}

const entryOf = ({ id, title, exam_title, class_name, opens_at, closes_at }: SessionView) => ({
  ...{ key: `exam-session-${id}`, title, opens_at, closes_at },
  description: class_name === null ? exam_title : `${exam_title}, ${class_name}`,
});

/** @throws InvalidError unless either a class or students are given, ForbiddenError for students who choose students */
function checkChosen({ role }: Caller, { class_id, user_ids }: Chosen): void {
  if ((class_id === undefined) === (user_ids === undefined)) {
    const isMissing = class_id === undefined;
    const msg = isMissing ? 'Field required' : 'Value error, a session has either class_id or user_ids, not both';
    throw new InvalidError([{ loc: ['body', 'class_id'], msg, type: isMissing ? 'missing' : 'value_error' }]);
  }
  if (user_ids !== undefined && role === 'student')
    throw new ForbiddenError('instructor_required', 'Instructor access required');
}

/** @throws InvalidError */
function checkNetworks({ networks = [] }: Partial<SessionFields>): void {
  const items = networks.flatMap((network, index) =>
    isNetwork(network) ? [] : [refusedField(['body', 'networks', index], 'network_invalid')],
  );
  if (items.length > 0) throw new InvalidError(items);
}

/** Whether a text is a network in CIDR notation, or a single address. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
