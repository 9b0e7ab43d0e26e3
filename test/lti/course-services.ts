import { decodeJwt } from 'jose';
import {
  type ForgingPlatform,
  instructor,
  learner,
  lti,
  type ServiceAnswer,
  type ServiceRequest,
} from './forging-platform.ts';

type Member = { user_id: string; status?: string; name?: string; email?: string; roles: string[] };
type Score = { userId: string; scoreGiven?: number; scoreMaximum: number; timestamp: string };

/** What a platform offers for a course: its members by pages, and a book of grades that refuses what is not newer. */
export class CourseServices {
  readonly #platform: ForgingPlatform;
  members: Member[] = [];
  pageSize = 10;
  /** The scores that the book has, by the ids of its columns and users. */
  readonly book = new Map<string, Map<string, Score>>();
  /** All that it was sent, in order. */
  readonly sent: (Score & { column: string })[] = [];
  readonly columns: { id: string; label: string; scoreMaximum: number; resourceLinkId: string }[] = [];
  /** Its answers instead of what it would do, one for each request of a service. */
  readonly refusals: ServiceAnswer[] = [];
  tokens = 0;
  isDown = false;

  constructor(platform: ForgingPlatform) {
    this.#platform = platform;
    platform.services = (request) => this.#answer(request);
  }

  /** The claims of a launch in the course. */
  get claims(): object {
    const { origin } = this.#platform;
    return {
      [lti('context')]: { id: 'course-1', title: 'Linux' },
      'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
        context_memberships_url: `${origin}/course/members?first=1`,
      },
      'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': { lineitems: `${origin}/course/columns` },
    };
  }

  static student(user_id: string): Member {
    return { user_id, roles: [learner], name: `Student ${user_id}`, email: `${user_id}@school.example.com` };
  }

  static teacher(user_id: string): Member {
    return { ...CourseServices.student(user_id), roles: [instructor] };
  }

  #answer({ method, url, body, authorization }: ServiceRequest): ServiceAnswer | undefined {
    const isToken = url.pathname === '/token';
    if (!isToken && !/^\/course\/(?:members|columns)/.test(url.pathname)) return undefined;
    if (this.isDown) return { status: 503 };
    if (isToken) {
      const { iss, aud } = decodeJwt(new URLSearchParams(body).get('client_assertion') ?? '');
      if (iss !== this.#platform.clientId || aud !== url.href) return { status: 401 };
      this.tokens += 1;
      return { body: { access_token: `token ${this.tokens}`, token_type: 'Bearer', expires_in: 3600 } };
    }
    const refusal = this.refusals.shift();
    if (refusal) return refusal;
    if (authorization !== `Bearer token ${this.tokens}`) return { status: 401 };
    if (url.pathname === '/course/members') return this.#page(url);
    const [, column] = /^\/course\/columns\/(\d+)\/scores$/.exec(url.pathname) ?? [];
    if (column !== undefined) return this.#score(column, JSON.parse(body));
    if (method === 'GET')
      return { body: this.columns.filter((one) => one.resourceLinkId === url.searchParams.get('resource_link_id')) };
    const made = {
      ...JSON.parse(body),
      id: `${this.#platform.origin}/course/columns/${this.columns.length + 1}?type=tool`,
    };
    this.columns.push(made);
    return { status: 201, body: made };
  }

  #page(url: URL): ServiceAnswer {
    const from = Number(url.searchParams.get('from') ?? 0);
    const next = new URL(url);
    next.searchParams.set('from', `${from + this.pageSize}`);
    const headers: Record<string, string> =
      from + this.pageSize < this.members.length
        ? { link: `<${url.href}>; rel="self", <${next.href}>; rel="next"` }
        : {};
    return {
      headers,
      body: { id: url.href, context: { id: 'course-1' }, members: this.members.slice(from, from + this.pageSize) },
    };
  }

  #score(column: string, score: Score): ServiceAnswer {
    if (!this.columns.some(({ id }) => id.includes(`/columns/${column}?`))) return { status: 404 };
    const scores = this.book.get(column) ?? new Map<string, Score>();
    const before = scores.get(score.userId);
    if (before && before.timestamp >= score.timestamp) return { status: 409 };
    this.book.set(column, scores.set(score.userId, score));
    this.sent.push({ ...score, column });
    return { status: 200 };
  }
}
