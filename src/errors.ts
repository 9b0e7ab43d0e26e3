/**
 * Every `Error-Code` of a refusal, by status, with its meaning. Clients depend on these words, so a released one is never renamed.
 * docs/errors.md has the same list.
 */
export const errorCodes = {
  400: {
    bad_request: 'The request is not valid HTTP, or its path or body cannot be read.',
    email_taken: 'Another account has the email address.',
    invalid_token: 'The token of the link is wrong, used, replaced or expired.',
    username_taken: 'Another account has the username.',
    wrong_password: 'The current password is wrong.',
    wrong_code: 'The code of the app is wrong.',
    invalid_passkey: 'The new passkey is not valid, or its challenge is too old.',
  },
  401: {
    unauthorized: 'The token is missing, malformed, expired, revoked or of a user who cannot log in.',
    wrong_credentials: 'The username or the password is wrong.',
    second_factor_required: 'The account has a second factor; log in with its code as well.',
    wrong_passkey: 'The answer of the passkey is not valid, or too late.',
    wrong_second_factor: 'The code of the second factor is wrong, or was used already.',
  },
  403: {
    admin_required: 'Only administrators may do this.',
    closed: 'The exam session is closed for the caller.',
    file_denied: 'The account of the caller on the machine may not read or write the file.',
    forbidden: 'The caller may not do this.',
    instructor_required: 'Only instructors and administrators may do this.',
    local_login_off: 'Passwords of this address are switched off: its users log in through an identity provider.',
    login_not_recent: 'The login is older than 15 minutes; the caller logs in again first.',
    login_locked: 'The caller takes an exam that allows no second login; a supervisor can release it.',
    no_attempts_left: 'The caller has used all attempts of the exam session.',
    no_review: 'The exam session allows no review, or its time is over.',
    not_granted: 'Administrators have not granted the course what the request names.',
    not_open_yet: 'The exam session opens later for the caller, see `Retry-After`.',
    opens_later:
      'The lesson, exam or laboratory is not open yet for the caller; `GET /api/openings` says what is missing.',
    owner_only: 'Only owners of the course may do this.',
    registration_closed: 'Nobody can register; administrators create the accounts.',
    registration_code_missing: 'Registration needs a registration code.',
    registration_domain: 'Registration is limited to email addresses of certain domains.',
    scope: 'The personal token does not permit this.',
    second_factor_missing:
      'The installation requires a second factor of the role of the caller, who has to set it up first.',
    student_view: "The token is for looking at a student's pages: it changes nothing, and does not show this.",
    test_student: 'The token is of a test student, who does nothing that reaches others or changes an account.',
    viewer: 'The caller reads the course and changes nothing in it.',
    wrong_access_code: 'The access code of the exam session is missing or wrong.',
    wrong_invitation: 'The invitation does not exist, has expired, was replaced or was used.',
    wrong_network: 'The exam session does not admit the network of the caller.',
    wrong_registration_code: 'The registration code does not exist, has expired or is used up.',
  },
  404: {
    evidence_gone: 'What the attempt left is not kept any more, or was never kept.',
    file_not_found: 'The file, or the folder it would be in, does not exist on the machine.',
    lesson_file_not_found: 'The lessons repository does not have the file.',
    lesson_file_too_large: 'The file in the lessons repository is too large to be served.',
    no_active_attempt: 'The caller has no active attempt, or none of this exam or laboratory.',
    not_found: 'The path or the resource does not exist, or the caller may not see it.',
    unknown_code: 'The join code is wrong, withdrawn, expired, used up or not for the caller.',
  },
  405: { method_not_allowed: 'The path does not take this method; `Allow` lists those that it takes.' },
  408: { request_timeout: 'The request did not arrive completely in time.' },
  409: {
    identity_provider_exists: 'Another identity provider has the short name.',
    lti_platform_exists: 'Another platform has the issuer and the client ID.',
    lti_key_is_new: 'The last key is less than an hour old: platforms may not have read it yet.',
    last_login: 'It is the only login of the account.',
    already_staff: 'The user is one of the staff of the course already.',
    already_member: 'The user is already in the class or the exam session.',
    attempt_active: 'The caller has an active attempt already.',
    attempt_grading: 'The attempt is being graded already.',
    attempt_lost: 'The container was lost; the attempt does not count.',
    attempt_not_graded: 'The attempt has no results yet, so nobody decides about them.',
    attempt_not_extendable: 'Only an attempt in progress with a time limit can get more time.',
    attempt_not_in_progress: 'The attempt is not in progress any more.',
    attempt_not_regradable: 'Only an attempt in progress whose grading failed can be graded again.',
    attempt_not_reopenable: 'The attempt has not ended, or it cannot be given back.',
    attempt_queued: 'The attempt waits for its container; its clock has not started.',
    catalogue_full: 'The catalogue cannot have more entries of this kind.',
    certificate_withdrawn: 'The certificate was withdrawn.',
    changed_meanwhile: 'Somebody changed the resource at the same time; read it and try again.',
    class_archived: 'The class is archived and cannot get members or join codes.',
    column_name_taken: 'The grade book has a column with the name already.',
    conflict: 'The request contradicts what is stored.',
    container_creating: 'The container is still being created.',
    container_not_running: 'The container is not running.',
    container_of_attempt: 'The container belongs to an attempt and is deleted with it.',
    evidence_gone: 'What the attempt left is not kept any more, so no machine can be made from it.',
    exam_locked_down: 'The caller takes an exam that locks sandboxes, laboratories and uploads.',
    file_exists: 'The machine has a file of this name.',
    file_not_stored: 'The machine could not store the file; its disk may be full.',
    files_full: 'There are too many files, or too many bytes in them.',
    two_graders: 'Two people grade this result: give its points at `/api/instructor/grading/{key}`.',
    graded_meanwhile: 'Somebody else has decided or answered meanwhile; read it and decide again.',
    hand_taken: 'Somebody else sees to the raised hand already.',
    import_not_running: 'The import of users has ended.',
    import_running: 'Another import of users is running.',
    image_exists: 'The reference has been added already, perhaps by the staff of another course.',
    image_in_use: 'An exam, a laboratory, a sandbox template or a container has the image, so it cannot be removed.',
    image_not_usable: 'The container image was removed, or it has not passed its examination.',
    home_too_large: 'The home folder is too large to be kept, so the sandbox cannot be stopped.',
    last_administrator: 'The last active administrator can be neither deleted, demoted nor deactivated.',
    member_in_exam: 'The member takes an exam in a session of the class and cannot leave it now.',
    last_owner: 'The last owner of a course can neither leave, be removed nor get another role.',
    last_class_instructor: 'The last instructor of a class can neither leave, be removed nor get another role.',
    last_session_supervisor: 'The last supervisor of an exam session for chosen students cannot be removed.',
    lesson_file_in_use: 'A lesson has the file, so it cannot be deleted.',
    mail_off: 'The service sends no mail: SMTP_URL is not set.',
    machine_file_too_large: 'The file of the machine is too large to be downloaded.',
    member_has_password: 'The member has a password, so only administrators issue an invitation.',
    no_certificate: 'The exam or course gives the caller no certificate, or has given one already.',
    no_break_left: 'The accommodation of the student allows no break, or its time is used up.',
    not_on_break: 'No break is running in the attempt.',
    no_tasks: 'The exam or laboratory has no tasks yet.',
    not_a_file: 'The path is not that of a regular file.',
    passkey_refused: 'The passkey is registered already, or the account has 20.',
    passkeys_off: 'Passkeys need `PUBLIC_URL`, an address with a name and https.',
    path_conflict: 'Another file has the path, or one would be a folder of the other.',
    publish_required: 'The exam or laboratory is activated by its publication, which tries its checks.',
    sandbox_disk_full: 'The disk of the sandbox was full, so it can only be deleted.',
    regrade_not_ready: 'Not all attempts are graded again, or the regrade was applied or dropped.',
    reopen_requested: 'The student has asked to have the attempt back already.',
    repository_in_use: 'Courses read their lessons from the repository, so it cannot be deleted.',
    restore_conflict: 'Something else has the name or place of what was deleted.',
    restore_parent_deleted: 'What was deleted cannot be restored before what it belongs to.',
    review_requested: 'A review of the attempt was asked for already.',
    second_factor_active: 'The account has a second factor already.',
    second_factor_not_begun: 'No second factor is being set up.',
    section_has_laboratory: 'The section has a laboratory already.',
    session_in_use: 'An exam session has unfinished attempts, so neither it nor its class can be deleted.',
    session_not_paused: 'The exam session is not paused.',
    session_not_running: 'The exam session is not open, or it is paused.',
    session_paused: 'The exam session is paused, so nobody can start, and no break can begin.',
    slug_taken: 'Another resource of this kind has the slug.',
    task_locked: 'The task opens when the one before it has passed.',
    too_long_to_sort: 'The list is too long to be sorted by the field; use a filter or the usual order.',
    too_many_announcements: 'The class or the service cannot have more announcements.',
    too_many_comments: 'The attempt cannot have more comments.',
    too_many_rubric_items: 'The rubric cannot have more items.',
    too_many_exam_sessions: 'The class or the instructor cannot have more exam sessions.',
    too_many_grade_columns: 'The grade book cannot have more columns.',
    too_many_images: 'The course cannot have more container images.',
    too_many_join_codes: 'The class cannot have more join codes.',
    too_many_laboratories: 'The caller must submit or abandon an active laboratory first.',
    too_many_notes: 'The caller cannot have more notes and bookmarks.',
    too_many_sandboxes: 'The caller must delete a sandbox first.',
    too_many_session_supervisors: 'The exam session cannot have more supervisors.',
    too_many_session_users: 'The exam session cannot have more chosen students.',
    too_many_tokens: 'The caller cannot have more personal tokens.',
    too_many_tasks: 'The exam or laboratory cannot have more tasks.',
    template_gone: 'The template of the sandbox does not exist any more, or is not for the caller.',
    terminal_held: 'The clock of the attempt is stopped, so no files can be transferred.',
    trial_failed: 'The trial of the checks failed, so nothing was published.',
    values_above_maximum: 'A value would be above the maximum of its column.',
  },
  413: {
    body_too_large: 'The request body is too large.',
    file_too_large: 'The uploaded file has too many bytes.',
    picture_too_large: 'The uploaded picture has too many pixels.',
  },
  415: {
    not_a_picture: 'The uploaded file is not a PNG, JPEG, WebP or GIF picture.',
    unsupported_media_type: 'The request body has a content type that is not read here.',
  },
  422: { validation: 'The request does not match its schema; `detail` lists what is wrong.' },
  426: { upgrade_required: 'The path takes WebSocket connections only.' },
  429: {
    too_many_logins: 'Too many logins failed, or run concurrently.',
    too_many_registration_codes: 'Too many wrong registration codes were tried.',
    too_many_registrations: 'Too many accounts were registered from this network.',
    too_many_requests: 'The caller sends too many requests.',
    too_many_wrong_access_codes: 'Too many wrong access codes were tried.',
    too_many_wrong_invitations: 'Too many wrong invitations were tried.',
    too_many_wrong_join_codes: 'Too many wrong join codes were tried.',
  },
  431: { headers_too_large: 'The headers of the request are too large.' },
  500: { internal: 'The service failed unexpectedly; its log has the cause.' },
  503: {
    cancelled: 'The attempt or container was cancelled while its container was being created.',
    database_unavailable: 'The database cannot be reached.',
    engine_unavailable: 'The container engine cannot be reached or failed.',
    grading_failed: 'Grading failed part-way; nothing is lost and the attempt can be submitted again.',
    image_missing: 'The container engine does not have the image.',
    lessons_unavailable: 'The lessons repository cannot be reached or read.',
    no_capacity: 'All containers that the service can run are in use.',
    overloaded: 'The service has too much to do right now.',
    queue_full: 'Too many attempts wait for a container.',
    reset_failed: 'The sandbox was deleted to be reset, but the new one could not be created.',
    stopping: 'The service is stopping.',
    setup_failed: 'The set-up failed and no attempt is used up; the log has the cause.',
    storage_unavailable: 'Pictures or recordings cannot be read or written now.',
    trial_interrupted: 'The trial of the checks did not run to its end.',
    unavailable: 'The service cannot do this now.',
  },
} as const;

type Codes = typeof errorCodes;

/** The codes of a status. */
export type CodeOf<Status extends keyof Codes> = keyof Codes[Status] & string;

/** Each status has its own codes. */
export type ErrorCode = { [Status in keyof Codes]: CodeOf<Status> }[keyof Codes];

/** All codes in alphabetical order. One can stand for two statuses. */
export const allErrorCodes = [
  ...new Set(Object.values(errorCodes).flatMap((codes) => Object.keys(codes) as ErrorCode[])),
].sort();

type ErrorOptions = { retryAfter?: number; retryAt?: Date; cause?: unknown; reason?: string };

/** An error to report to the caller: a status, a stable code and one sentence without internals. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  /** Seconds after which the same request may succeed; sent as `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The time from which it may; sent as `Retry-After`, too, in its other form. */
  readonly retryAt: Date | undefined;
  /** A stable word for the cause of the error; sent as `Error-Reason`. */
  readonly reason: string | undefined;

  constructor(status: number, code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.retryAt = options.retryAt;
    this.reason = options.reason;
  }
}

export class BadRequestError extends ServiceError {
  constructor(code: CodeOf<400>, detail: string) {
    super(400, code, detail);
  }
}

export class UnauthorizedError extends ServiceError {
  constructor(code: CodeOf<401>, detail: string, options: Pick<ErrorOptions, 'reason'> = {}) {
    super(401, code, detail, options);
  }
}

export class ForbiddenError extends ServiceError {
  constructor(code: CodeOf<403>, detail: string, options: Pick<ErrorOptions, 'retryAt'> = {}) {
    super(403, code, detail, options);
  }
}

export class NotFoundError extends ServiceError {
  constructor(code: CodeOf<404>, detail: string) {
    super(404, code, detail);
  }
}

export class ConflictError extends ServiceError {
  constructor(code: CodeOf<409>, detail: string) {
    super(409, code, detail);
  }
}

export class TooManyRequestsError extends ServiceError {
  constructor(code: CodeOf<429>, detail: string, retryAfter: number) {
    super(429, code, detail, { retryAfter });
  }
}

/** A dependency (engine, Git server, database) is temporarily unavailable; the caller may retry. */
export class UnavailableError extends ServiceError {
  constructor(code: CodeOf<503>, detail: string, options: ErrorOptions = {}) {
    super(503, code, detail, { ...options, retryAfter: options.retryAfter ?? 10 });
  }
}

/** Seconds until a caller whom a limiter has refused may try again. */
const afterRefusal = 5;

/** What a limiter of the whole service refuses with. @param detail in one sentence */
export const overloaded = (detail: string) => (): UnavailableError =>
  new UnavailableError('overloaded', detail, { retryAfter: afterRefusal });

/** What a limiter of each caller refuses with. @param detail in one sentence */
export const tooManyAtOnce = (detail: string) => (): TooManyRequestsError =>
  new TooManyRequestsError('too_many_requests', detail, afterRefusal);

export type ValidationItem = {
  loc: (string | number)[];
  msg: string;
  type: string;
  /** Of a problem with a code of its own (`coded-problem.ts`): a stable word, and the values in its text. Sent in `Error-Items`. */
  code?: string;
  params?: Readonly<Record<string, string | number>>;
};

/** A request that violates its schema, or a rule that no schema can express; 422, `validation`. Items never contain the input. */
export class InvalidError extends Error {
  readonly items: ValidationItem[];
  /** How many problems there are, where the items are only the first of them. */
  readonly total: number | undefined;

  constructor(items: ValidationItem[], total?: number) {
    super('Validation failed');
    this.name = 'InvalidError';
    this.items = items;
    this.total = total;
  }
}

/** @param problem of the field that a list shall be sorted by, where only the data shows that it does not exist */
export const invalidSort = (problem: string): InvalidError =>
  new InvalidError([{ loc: ['query', 'sort'], msg: `Value error, ${problem}`, type: 'value_error' }]);

/** A name at the beginning of a sentence. */
export const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The result of a store. @param what such as `sandbox template` @throws NotFoundError if there is no result */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotFoundError('not_found', `${capitalised(what)} not found`);
  return value;
}

export const fileTooLarge = (maxBytes: number): ServiceError =>
  new ServiceError(413, 'file_too_large', `The file has more than ${maxBytes} bytes`);

/** An error item in the form of a body validation error. */
export const invalidFile = (msg: string): InvalidError =>
  new InvalidError([{ loc: ['body', 'file'], msg: `Value error, ${msg}`, type: 'value_error' }]);
