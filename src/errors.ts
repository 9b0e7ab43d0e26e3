/** What a service throws when a caller is to be told something: a status and one sentence, never internals. */
export class ServiceError extends Error {
  readonly status: number;
  /** Seconds after which the same request may succeed; sent as `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(status: number, detail: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(detail, { cause: options.cause });
    this.name = new.target.name;
    this.status = status;
    this.retryAfter = options.retryAfter;
  }
}

export class BadRequest extends ServiceError {
  constructor(detail: string) {
    super(400, detail);
  }
}

export class Unauthorized extends ServiceError {
  constructor(detail = 'Not authenticated') {
    super(401, detail);
  }
}

export class Forbidden extends ServiceError {
  constructor(detail: string) {
    super(403, detail);
  }
}

export class NotFound extends ServiceError {
  constructor(detail = 'Not Found') {
    super(404, detail);
  }
}

export class Conflict extends ServiceError {
  constructor(detail: string) {
    super(409, detail);
  }
}

export class TooManyRequests extends ServiceError {
  constructor(detail: string, retryAfter: number) {
    super(429, detail, { retryAfter });
  }
}

/** A dependency (engine, Git server, database) cannot serve now; the caller may try again. */
export class Unavailable extends ServiceError {
  constructor(detail: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(503, detail, { retryAfter: options.retryAfter ?? 10, cause: options.cause });
  }
}

export type ValidationItem = { loc: (string | number)[]; msg: string; type: string };

/** A request that does not fit its schema, or a rule no schema can say; 422. Items never carry the input. */
export class Invalid extends Error {
  readonly items: ValidationItem[];

  constructor(items: ValidationItem[]) {
    super('Validation failed');
    this.name = 'Invalid';
    this.items = items;
  }
}

/** What a store found. @param what with a capital, such as `Sandbox template` @throws NotFound where it found nothing */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotFound(`${what} not found`);
  return value;
}
