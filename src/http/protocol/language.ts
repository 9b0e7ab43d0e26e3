import type { FastifyRequest } from 'fastify';

const languages = ['en', 'de', 'ru'] as const;
type Language = (typeof languages)[number];

/** The first language of the pages that a client accepts. Its order is that of preference in all browsers. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined {
  const accepted = (headers['accept-language'] ?? '').slice(0, 200).toLowerCase().split(',');
  const words = accepted.map((entry) => /^\s*([a-z]{2})(?=-|;|\s*$)/.exec(entry)?.[1]);
  return languages.find((language) => language === words.find((word) => languages.some((one) => one === word)));
}
