import type { FastifyReply } from 'fastify';

type Range = { type: string; subtype: string; quality: number };

/** How specifically a range matches a type: 0 for no match, then `*`/`*`, `text/*`, the type itself. */
function fit(range: Range, offer: string): number {
  const [type, subtype] = offer.split('/');
  if (range.type === '*') return range.subtype === '*' ? 1 : 0;
  if (range.type !== type) return 0;
  if (range.subtype === '*') return 2;
  return range.subtype === subtype ? 3 : 0;
}

function parse(header: string): Range[] {
  return header.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const [, type, subtype] = /^([^/\s]+)\/([^/\s]+)$/.exec(range) ?? [];
    if (type === undefined || subtype === undefined) return [];
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, ''));
    return [{ type, subtype, quality: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0 }];
  });
}

/**
 * Selects the offer that an `Accept` header prefers (RFC 9110, 12.5.1: the most specific matching range gives the quality). Ties go
 * to the more specific range, then to the earlier offer. If none is acceptable, the first offer is used: another format is more
 * useful than an error, and the RFC allows it.
 */
export function negotiate<const T extends string>(header: string | undefined, offers: readonly [T, ...T[]]): T {
  const ranges = parse(header ?? '');
  let [best] = offers;
  let [bestQuality, bestFit] = [0, 0];
  for (const offer of offers) {
    const fits = ranges.map((range) => ({ quality: range.quality, fit: fit(range, offer) }));
    const closest = fits.reduce((a, b) => (b.fit > a.fit ? b : a), { quality: 0, fit: 0 });
    if (
      closest.quality > bestQuality ||
      (closest.quality === bestQuality && closest.quality > 0 && closest.fit > bestFit)
    ) {
      [best, bestQuality, bestFit] = [offer, closest.quality, closest.fit];
    }
  }
  return best;
}

/**
 * Selects the encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3); ties go to the earlier one.
 * @returns undefined if none is accepted: the content is then sent unencoded
 */
export function negotiateEncoding<const T extends string>(
  header: string | undefined,
  offers: readonly T[],
): T | undefined {
  const qualities = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [, coding, weight] = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/.exec(part) ?? [];
    if (coding !== undefined) qualities.set(coding, weight === undefined ? 1 : Number(weight));
  }
  let best: T | undefined;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualities.get(offer) ?? qualities.get('*') ?? 0;
    if (quality > bestQuality) [best, bestQuality] = [offer, quality];
  }
  return best;
}

/** Whether an `If-None-Match` header names this entity tag (RFC 9110, 13.1.2: weak comparison, a list, or `*`). */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .some((candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === tag);
}

/** Adds a request header on which the answer depends. */
export function addVary(reply: FastifyReply, field: string): void {
  const known = reply.getHeader('Vary');
  reply.header('Vary', known === undefined ? field : `${String(known)}, ${field}`);
}
