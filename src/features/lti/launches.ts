import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { ForbiddenError, found, NotFoundError, ServiceError, UnauthorizedError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { AuthService, Session } from '../auth/service.ts';
import type { ProviderAccounts } from '../identity-providers/accounts.ts';
import type { IdentityStore } from '../identity-providers/identity-store.ts';
import { LoginRefusedError } from '../identity-providers/openid.ts';
import { ProviderTurns } from '../identity-providers/turns.ts';
import {
  type Course,
  type CourseStore,
  columnsOf,
  type Item,
  type Link,
  type Shown,
  shownKinds,
} from './course-store.ts';
import type { KeyParts, Keys } from './keys.ts';
import type { PlatformMemberStore } from './member-store.ts';
import { addressOf, claimNames, classRoleOf, type Message, type Messages, textOf } from './messages.ts';
import type { PlatformRow, PlatformStore } from './platform-store.ts';
import type { LoginHints } from './schema.ts';

export type LaunchParts = {
  platforms: Pick<PlatformStore, 'active'>;
  courses: CourseStore;
  members: Pick<PlatformMemberStore, 'join'>;
  messages: Messages;
  keys: Pick<Keys, 'sign'>;
  identities: IdentityStore;
  accounts: ProviderAccounts;
  auth: Pick<AuthService, 'enter'>;
  createClass: (caller: Caller, fields: { name: string }) => Promise<{ id: number }>;
  seal: KeyParts['seal'];
  /** With the service's secret key. */
  hash: (text: string) => string;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

/** A launch that a browser has begun. The platform keeps it, sealed, so that beginnings fill no table. */
type State = { platform: number; nonce: string; cookie: string; expiresAt: number };
/** What a page knows of its launch, sealed. */
type Launched = {
  user: number;
  platform: number;
  course: number;
  link: number | undefined;
  settings: Message['settings'];
  isTeacher: boolean;
  isTop: boolean;
  code: string;
  at: number;
};
export type Cookie = { name: string; value: string };
/** Where the page begins, and what it exchanges for its session. With a `name`, its user has to confirm it first. */
export type Arrival = { launch: string; path: string; name: string | undefined };
export type Refused = { refused: LoginRefusedError['refusal'] };
type Client = NonNullable<Parameters<AuthService['enter']>[2]>;
export type Choices = { course: Course; classes: { id: number; name: string }[]; items: Item[] };

/** Seconds for a launch, with the login at the platform; for the scripts of its page; and for the choices of a teacher. */
export const launchSeconds = 900;
const exchangeSeconds = 300;
const chooseSeconds = 6 * 3600;
const statePlace = 'the begin of an LTI launch';
const launchPlace = 'an LTI launch';
/** The page of what a launch still needs. */
const choicePage = '/lti';

/** Launches from the courses of platforms. */
export class LaunchService {
  readonly #parts: LaunchParts;
  readonly #turns = new ProviderTurns('Too many launches wait for the platform');

  constructor(parts: LaunchParts) {
    this.#parts = parts;
  }

  /** The origins whose pages may show a launch. */
  async origins(): Promise<string[]> {
    return [...new Set((await this.#parts.platforms.active()).flatMap(({ origins }) => origins))];
  }

  /** @param launchUrl to which the platform sends the browser @throws NotFoundError */
  async begin(hints: LoginHints, launchUrl: string): Promise<{ url: string; cookie: Cookie }> {
    const [platform, ...others] = (await this.#parts.platforms.active()).filter(
      ({ issuer, client_id }) => issuer === hints.iss && (hints.client_id ?? client_id) === client_id,
    );
    if (!platform || others.length > 0) throw new NotFoundError('not_found', 'Platform not found');
    const state: State = {
      ...{ platform: platform.id, nonce: random(), cookie: random() },
      expiresAt: Date.now() + launchSeconds * 1000,
    };
    const url = new URL(platform.authorization_url);
    const query = {
      ...{ scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none' },
      ...{ client_id: platform.client_id, redirect_uri: launchUrl, login_hint: hints.login_hint, nonce: state.nonce },
      ...{ state: this.#sealed(state, statePlace), lti_message_hint: hints.lti_message_hint },
    };
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return { url: url.href, cookie: cookieOf(state) };
  }

  /** The cookie of the browser that has begun a launch. */
  cookieName(state: string): string | undefined {
    const opened = this.#opened<State>(state, statePlace);
    return opened && cookieOf(opened).name;
  }

  /**
   * @param form what the platform has sent through the browser
   * @param browser its values of the cookie, and whether the launch has the window to itself
   */
  async launch(
    form: { id_token?: string | undefined; state?: string | undefined; error?: string | undefined },
    browser: { cookies: readonly string[]; isTop: boolean },
    launchUrl: string,
  ): Promise<Arrival | Refused> {
    try {
      const state = this.#opened<State>(form.state ?? '', statePlace);
      if (!state || state.expiresAt <= Date.now()) throw new LoginRefusedError('expired', 'state');
      const [cookie] = browser.cookies;
      // In a frame a browser may keep no cookie. Then the user confirms the launch.
      const isBound = cookie !== undefined;
      if (isBound ? cookie !== state.cookie || browser.cookies.length > 1 : browser.isTop)
        throw new LoginRefusedError('expired', 'another browser');
      const platform = (await this.#parts.platforms.active()).find(({ id }) => id === state.platform);
      if (!platform) throw new LoginRefusedError('expired', 'no platform');
      if (form.id_token === undefined) throw new LoginRefusedError('denied', 'no message');
      return await this.#arrive(platform, state, form.id_token, { isBound, isTop: browser.isTop, launchUrl });
    } catch (error) {
      const isBusy = error instanceof ServiceError && error.status === 503;
      const refusal = isBusy ? new LoginRefusedError('unavailable') : error;
      if (!(refusal instanceof LoginRefusedError)) throw error;
      this.#parts.log.warn({ reason: refusal.message }, 'a launch of a platform was refused');
      return { refused: refusal.refusal };
    }
  }

  async #arrive(
    platform: PlatformRow,
    { nonce, expiresAt }: State,
    token: string,
    { isBound, isTop, launchUrl }: { isBound: boolean; isTop: boolean; launchUrl: string },
  ): Promise<Arrival> {
    const { courses, members, messages, identities, accounts, hash } = this.#parts;
    const message = await this.#turns.run(platform, () => messages.verify(platform, token, new URL(launchUrl).origin));
    if (message.nonce !== nonce) throw new LoginRefusedError('invalid', 'nonce');
    if (!(await identities.spendState(hash(`LTI nonce ${nonce}`), new Date(expiresAt))))
      throw new LoginRefusedError('expired', 'used before');
    const role = classRoleOf(message[claimNames.roles]);
    const course = await courses.course(courseOf(platform, message));
    if (course.class_id === null && role !== 'instructor') throw new LoginRefusedError('no_class');
    const user = await accounts.of(knowerOf(platform, role === 'instructor'), message);
    const { class_id } = course;
    if (class_id !== null && role) await members.join({ id: course.id, class_id }, user.id, role);
    const lineitem = addressOf(message[claimNames.grades], 'lineitem');
    const link =
      message.link === undefined
        ? undefined
        : await courses.link(course, message.link, lineitem, shownOf(message[claimNames.custom]));
    const launched: Launched = {
      ...{ user: user.id, platform: platform.id, course: course.id, link: link?.id, settings: message.settings },
      ...{ isTeacher: role === 'instructor', isTop, code: random(), at: Date.now() },
    };
    const isToChoose = role === 'instructor' && (course.class_id === null || !link || !isChosen(link));
    return {
      launch: this.#sealed(launched, launchPlace),
      path:
        !link || isToChoose ? choicePage : await this.#pathOf(course, link, role !== undefined && role !== 'student'),
      name: isBound ? undefined : (user.full_name ?? user.username),
    };
  }

  /** Exchanges a launch for a session, once. @throws UnauthorizedError; ForbiddenError where an exam allows no second login */
  async enter(launch: string, network: string, client: Client): Promise<{ session: Session; isTop: boolean }> {
    const { identities, auth, hash } = this.#parts;
    const launched = this.#opened<Launched>(launch, launchPlace);
    const until = (launched?.at ?? 0) + exchangeSeconds * 1000;
    const isFresh = launched && until > Date.now();
    if (!isFresh || !(await identities.spendState(hash(`LTI launch ${launched.code}`), new Date(until)))) throw over();
    const user = await identities.userById(launched.user);
    if (!user?.is_active) throw over();
    return { session: await auth.enter(user, network, client), isTop: launched.isTop };
  }

  /** What a teacher chooses from. @throws ForbiddenError */
  async choices(caller: Caller, launch: string): Promise<Choices> {
    const { course } = await this.#ofTeacher(caller, launch);
    const { courses } = this.#parts;
    const items = course.class_id === null ? [] : await courses.items(course.class_id);
    return { course, classes: caller.role === 'student' ? [] : await courses.classes(caller), items };
  }

  /** Lets a class follow the course of a launch. @param classId null: a new one @throws ForbiddenError, NotFoundError, ConflictError */
  async choose(caller: Caller, launch: string, classId: number | null): Promise<Choices> {
    const { course } = await this.#ofTeacher(caller, launch);
    if (caller.role === 'student') throw new ForbiddenError('forbidden', 'Only instructors may choose the class');
    const { courses, createClass } = this.#parts;
    const name = course.title === '' ? `Course ${course.id}` : course.title;
    await courses.choose(caller, course.id, classId ?? (await createClass(caller, { name })).id);
    return await this.choices(caller, launch);
  }

  /**
   * Lets the link of a launch show something, or answers the platform that asks for a link.
   * @returns the page, or the message that a form carries to the platform
   * @throws ForbiddenError, NotFoundError
   */
  async show(
    caller: Caller,
    launch: string,
    shown: Shown,
    launchUrl: string,
  ): Promise<{ path: string; return_url: string | null; message: string | null }> {
    const { course, launched } = await this.#ofTeacher(caller, launch);
    const { courses } = this.#parts;
    const [item] = course.class_id === null ? [] : await courses.items(course.class_id, shown);
    const { title } = found(item, 'Item');
    if (launched.link !== undefined) {
      await courses.show(launched.link, shown);
      return { path: await this.#pathOf(course, columnsOf(shown), true), return_url: null, message: null };
    }
    const platform = (await this.#parts.platforms.active()).find(({ id }) => id === launched.platform);
    if (!platform || !launched.settings) throw over();
    const { url, data } = launched.settings;
    const message = await this.#parts.keys.sign({
      ...{ iss: platform.client_id, aud: platform.issuer, nonce: random() },
      [claimNames.type]: 'LtiDeepLinkingResponse',
      [claimNames.version]: '1.3.0',
      [claimNames.deployment]: course.deployment_id,
      ...(data !== undefined && { [claimNames.data]: data }),
      [claimNames.items]: [
        {
          ...{ type: 'ltiResourceLink', title, url: launchUrl, custom: { shows: `${shown.kind}:${shown.id}` } },
          ...(shown.kind !== 'lesson' && { lineItem: { label: title, scoreMaximum: 100 } }),
        },
      ],
    });
    return { path: choicePage, return_url: url, message };
  }

  async #ofTeacher(caller: Caller, launch: string): Promise<{ launched: Launched; course: Course }> {
    const launched = this.#opened<Launched>(launch, launchPlace);
    const isOwn = launched?.user === caller.id && launched.at > Date.now() - chooseSeconds * 1000;
    const course = isOwn && launched.isTeacher && (await this.#parts.courses.byId(launched.course));
    if (!course) throw new ForbiddenError('forbidden', 'Only instructors of the course may do this, after a launch');
    return { launched, course };
  }

  async #pathOf(course: Course, link: Pick<Link, keyof typeof paths>, isStaff: boolean): Promise<string> {
    const { theme_id, laboratory_id, exam_session_id } = link;
    if (theme_id) return paths.theme_id(theme_id);
    if (laboratory_id) return paths.laboratory_id(laboratory_id);
    const session = exam_session_id ? await this.#parts.courses.session(exam_session_id) : undefined;
    if (!session || !exam_session_id) return course.class_id === null ? '/' : `/classes/${course.class_id}`;
    const isRoom = isStaff && session.class_id !== null;
    return isRoom ? `/classes/${session.class_id}/sessions/${exam_session_id}` : paths.exam_session_id(session.exam_id);
  }

  #sealed(content: object, place: string): string {
    return this.#parts.seal.seal(JSON.stringify(content), place).toString('base64url');
  }

  #opened<T>(text: string, place: string): T | undefined {
    const content = this.#parts.seal.open(Buffer.from(text, 'base64url'), place);
    return content === undefined ? undefined : (JSON.parse(content) as T);
  }
}

const paths = {
  theme_id: (id: number) => `/lessons/${id}`,
  laboratory_id: (id: number) => `/laboratories/${id}`,
  exam_session_id: (examId: number) => `/exams/${examId}`,
};
const isChosen = ({ theme_id, laboratory_id, exam_session_id }: Link): boolean =>
  theme_id !== null || laboratory_id !== null || exam_session_id !== null;
const random = (): string => randomBytes(32).toString('base64url');
const over = (): UnauthorizedError => new UnauthorizedError('unauthorized', 'The launch is over');
const cookieOf = ({ nonce, cookie }: State): Cookie => ({ name: `lti-${nonce.slice(0, 12)}`, value: cookie });

function courseOf({ id }: PlatformRow, message: Message) {
  const { id: context_id, title, label } = message[claimNames.context];
  return {
    ...{ platform_id: id, deployment_id: message[claimNames.deployment], context_id },
    title: textOf(title, 200) || textOf(label, 200),
    memberships_url: addressOf(message[claimNames.members], 'context_memberships_url'),
    lineitems_url: addressOf(message[claimNames.grades], 'lineitems'),
  };
}

/** What a link says that it shows: this service has written it into the link, and its teacher may have changed it to anything. */
function shownOf(custom: unknown): Shown | undefined {
  const text = typeof custom === 'object' && custom !== null && 'shows' in custom ? custom.shows : undefined;
  const [, kind, id = ''] = /^([a-z_]+):([1-9]\d{0,8})$/.exec(typeof text === 'string' ? text : '') ?? [];
  const known = shownKinds.find((one) => one === kind);
  return known && { kind: known, id: Number(id) };
}

/** Roles in a course make instructors where an administrator wants it, and nobody an administrator. */
export const knowerOf = ({ id, is_linking_by_email, makes_instructors }: PlatformRow, isInstructor: boolean) => ({
  ...{ of: 'platform_id' as const, id, is_linking_by_email, isUnverifiedEnough: true },
  has_verified_emails: is_linking_by_email,
  rules:
    isInstructor && makes_instructors
      ? [{ claim: claimNames.version, value: '1.3.0', role: 'instructor' as const, class_id: null }]
      : [],
});
