import type { FastifyBaseLogger } from 'fastify';
import type { DueGrade, PlatformGradeStore } from './grade-store.ts';
import { NoTokenError, type PlatformAccess, PlatformRefusedError } from './platform-access.ts';
import type { PlatformRow, PlatformStore } from './platform-store.ts';

export type GradeParts = {
  store: PlatformGradeStore;
  platforms: Pick<PlatformStore, 'active'>;
  access: Pick<PlatformAccess, 'request'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

const scope = (name: string) => `https://purl.imsglobal.org/spec/lti-ags/scope/${name}`;
const scoreScopes = [scope('score')];
const columnScopes = [scope('lineitem')];
const columns = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const column = 'application/vnd.ims.lis.v2.lineitem+json';
/** Grades that one round sends, and at once. */
const [maxOfRound, atOnce] = [1000, 8];

/**
 * Sends grades to the books of platforms (Assignment and Grade Services 2.0). Of each student's result in a link only the newest is kept and
 * sent, by one process at a time, with a time that grows.
 */
export class PlatformGrades {
  readonly #parts: GradeParts;
  readonly #columns = new Map<number, Promise<string | undefined>>();

  constructor(parts: GradeParts) {
    this.#parts = parts;
  }

  /** One process does it at a time. */
  async round(): Promise<void> {
    const { store, platforms } = this.#parts;
    await store.note();
    const active = new Map((await platforms.active()).map((platform) => [platform.id, platform]));
    const due = (await store.due(maxOfRound)).values();
    // Grades of a platform that it has not answered in a row. The others wait for the next round, where it does not answer at all.
    const unanswered = new Map<number, number>();
    this.#columns.clear();
    const worker = async (): Promise<void> => {
      for (const grade of due) {
        const platform = active.get(grade.platform_id);
        if (!platform || (unanswered.get(platform.id) ?? 0) >= atOnce) continue;
        const outcome = await this.#send(platform, grade);
        const count =
          outcome === 'answered' ? 0 : outcome === 'silent' ? (unanswered.get(platform.id) ?? 0) + 1 : atOnce;
        unanswered.set(platform.id, count);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  /** @returns `closed` if the platform takes nothing now */
  async #send(platform: PlatformRow, grade: DueGrade): Promise<'answered' | 'silent' | 'closed'> {
    const { store, access, log } = this.#parts;
    try {
      const url = await this.#columnOf(platform, grade);
      if (url === undefined) {
        await store.failed(grade, 'no_column', true);
        return 'answered';
      }
      const answer = await access.request(platform, scoreScopes, scoresOf(url), {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.ims.lis.v1.score+json' },
        body: JSON.stringify(scoreOf(grade)),
      });
      if (answer.ok) await store.sent(grade);
      else if (answer.status === 409) await store.newer(grade);
      else throw new PlatformRefusedError(answer, 'a grade');
      return 'answered';
    } catch (error) {
      const refused = error instanceof PlatformRefusedError ? error : undefined;
      // Neither the user nor the grade: they are personal.
      log.warn({ platform: platform.id, status: refused?.status }, 'a grade was not taken by the platform');
      const isFinal = refused?.isTemporary === false;
      if (isFinal && !(refused instanceof NoTokenError)) {
        await store.failed(grade, refused.status === 404 ? 'no_column' : 'refused', true);
        return 'answered';
      }
      await store.failed(grade, isFinal ? 'refused' : 'unreachable', false);
      if (refused && refused.retryAfter > 0) await store.pause(platform.id, refused.retryAfter);
      return refused instanceof NoTokenError || (refused?.retryAfter ?? 0) > 0 ? 'closed' : 'silent';
    }
  }

  /** The column of a link. A link without one gets it, once in a round. */
  async #columnOf(platform: PlatformRow, grade: DueGrade): Promise<string | undefined> {
    if (grade.lineitem_url !== null) return grade.lineitem_url;
    const making = this.#columns.get(grade.link_id) ?? this.#makeColumn(platform, grade);
    this.#columns.set(grade.link_id, making);
    return await making;
  }

  async #makeColumn(platform: PlatformRow, grade: DueGrade): Promise<string | undefined> {
    const { store, access } = this.#parts;
    if (grade.lineitems_url === null) return undefined;
    const of = new URL(grade.lineitems_url);
    of.searchParams.set('resource_link_id', grade.resource_link_id);
    const found = await access.request(platform, columnScopes, of.href, { headers: { accept: columns } });
    if (!found.ok) throw new PlatformRefusedError(found, 'the columns');
    const [known] = ((await found.json().catch(() => [])) as { id?: unknown }[]) ?? [];
    let id = known?.id;
    if (typeof id !== 'string') {
      const { resource_link_id: resourceLinkId, max_score: scoreMaximum, title: label } = grade;
      const made = await access.request(platform, columnScopes, grade.lineitems_url, {
        method: 'POST',
        headers: { 'content-type': column, accept: column },
        body: JSON.stringify({ scoreMaximum, label, resourceLinkId }),
      });
      // Canvas has no column for a link outside an assignment.
      if (made.status === 412) return undefined;
      if (!made.ok) throw new PlatformRefusedError(made, 'a column');
      id = ((await made.json().catch(() => ({}))) as { id?: unknown }).id;
    }
    // Only the platform's own address gets its token.
    if (typeof id !== 'string' || !URL.canParse(id) || new URL(id).origin !== of.origin) return undefined;
    await store.setColumn(grade.link_id, id);
    return id;
  }
}

/** The address of a column may have a query. */
const scoresOf = (lineitem: string): string => {
  const url = new URL(lineitem);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/scores`;
  return url.href;
};

const scoreOf = ({ subject, score, max_score, changed_at, is_sent }: DueGrade): object => ({
  // Otherwise Canvas counts each grade as an attempt of the student, and refuses those beyond its limit.
  ...((is_sent || score === null) && { 'https://canvas.instructure.com/lti/submission': { new_submission: false } }),
  ...{ userId: subject, timestamp: changed_at.toISOString(), scoreMaximum: max_score },
  ...(score === null
    ? { activityProgress: 'Initialized', gradingProgress: 'NotReady' }
    : { scoreGiven: score, activityProgress: 'Completed', gradingProgress: 'FullyGraded' }),
});
