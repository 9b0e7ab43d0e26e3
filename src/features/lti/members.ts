import type { FastifyBaseLogger } from 'fastify';
import type { CourseProblem } from '../../database/tables.ts';
import { isSubject, type ProviderAccounts } from '../identity-providers/accounts.ts';
import { LoginRefusedError } from '../identity-providers/openid.ts';
import { knowerOf } from './launches.ts';
import type { DueCourse, PlatformMemberStore } from './member-store.ts';
import { claimNames, classRoleOf, textOf } from './messages.ts';
import { type PlatformAccess, PlatformRefusedError } from './platform-access.ts';
import type { PlatformRow, PlatformStore } from './platform-store.ts';
import { membersScope } from './platforms.ts';

export type MemberParts = {
  store: PlatformMemberStore;
  platforms: Pick<PlatformStore, 'active'>;
  access: Pick<PlatformAccess, 'request'>;
  accounts: Pick<ProviderAccounts, 'of'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

type Member = { user_id: string; roles: string[]; [claim: string]: unknown };

const container = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json';
/** Of one course. */
const [maxPages, maxMembers] = [200, 10_000];
/** Members of a page that platforms are asked for. Without it Moodle answers with all, which are more than one answer may have. */
const pageSize = 1000;
/** For the pages of one course, so that one platform does not keep the others waiting for hours. */
const maxReadMs = 2 * 60_000;
/** Courses of one round. */
const maxOfRound = 20;

class UnreadableError extends Error {
  readonly problem: CourseProblem;

  constructor(problem: CourseProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Classes follow the members of the courses of platforms (Names and Role Provisioning Services 2.0). */
export class PlatformMembers {
  readonly #parts: MemberParts;

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  /** One process does it at a time. */
  async round(): Promise<void> {
    const { store, platforms } = this.#parts;
    const due = await store.due(maxOfRound);
    if (due.length === 0) return;
    const active = new Map((await platforms.active()).map((platform) => [platform.id, platform]));
    for (const course of due) {
      const platform = active.get(course.platform_id);
      if (platform) await this.#follow(platform, course);
    }
  }

  async #follow(platform: PlatformRow, course: DueCourse): Promise<void> {
    const { store, log } = this.#parts;
    try {
      const members = await this.#read(platform, course.memberships_url);
      for (const member of members) await this.#bring(platform, course, member);
      await store.leave(
        course,
        members.map(({ user_id }) => user_id),
      );
      await store.followed(course, null);
    } catch (error) {
      const problem =
        error instanceof UnreadableError
          ? error.problem
          : error instanceof PlatformRefusedError && !error.isTemporary
            ? 'refused'
            : 'unreachable';
      log.warn(
        { platform: platform.id, course: course.id, problem, err: error },
        'the members of a course were not read',
      );
      await store.followed(course, problem);
    }
  }

  /** All pages, so that nobody counts as gone who is on a later one. */
  async #read(platform: PlatformRow, address: string): Promise<Member[]> {
    const members: Member[] = [];
    const until = Date.now() + maxReadMs;
    const first = new URL(address);
    first.searchParams.set('limit', `${pageSize}`);
    let next: string | undefined = first.href;
    for (let page = 0; next !== undefined; page += 1) {
      if (page >= maxPages) throw new UnreadableError('too_many');
      if (Date.now() > until) throw new Error('The pages of members take too long');
      const answer = await this.#parts.access.request(platform, [membersScope], next, {
        headers: { accept: container },
      });
      if (!answer.ok) throw new PlatformRefusedError(answer, 'the members');
      const body = (await answer.json().catch(() => undefined)) as { members?: unknown } | undefined;
      if (!Array.isArray(body?.members)) throw new UnreadableError('unreadable');
      members.push(...body.members.filter(isMember));
      if (members.length > maxMembers) throw new UnreadableError('too_many');
      next = nextOf(answer, next);
    }
    return members;
  }

  /** Somebody who gets no account, because the address is that of another one for instance, is left out. */
  async #bring(platform: PlatformRow, course: DueCourse, { user_id: sub, roles, ...claims }: Member): Promise<void> {
    const { accounts, store } = this.#parts;
    const role = classRoleOf(roles);
    if (!role) return;
    const { name, given_name, family_name, email } = claims;
    const texts = Object.entries({ name, given_name, family_name, email }).map(([key, value]) => [
      key,
      textOf(value, 254),
    ]);
    const filled = Object.fromEntries(texts.filter(([, value]) => value !== ''));
    // Its rules are those of a launch.
    const known = { sub, [claimNames.version]: '1.3.0', ...filled };
    try {
      const user = await accounts.of(knowerOf(platform, role === 'instructor'), known);
      await store.join(course, user.id, role, true);
    } catch (error) {
      if (!(error instanceof LoginRefusedError)) throw error;
    }
  }
}

function isMember(member: unknown): member is Member {
  const { user_id, roles, status = 'Active' } = (member ?? {}) as Record<string, unknown>;
  const isRead =
    typeof user_id === 'string' &&
    isSubject(user_id) &&
    Array.isArray(roles) &&
    roles.every((role) => typeof role === 'string');
  return isRead && status === 'Active';
}

/** @returns the next page, which only the same platform may have */
function nextOf({ headers }: Response, page: string): string | undefined {
  const [, address] = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  const url = new URL(address, page);
  if (url.origin !== new URL(page).origin) throw new UnreadableError('unreadable');
  return url.href;
}
