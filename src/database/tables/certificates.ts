import type { Generated } from 'kysely';
import type { Optional } from './columns.ts';

/** What a student has made of a passed exam or a finished course, for others to verify. Triggers withdraw it. */
export type CertificatesTable = {
  /** Cannot be guessed: whoever knows it reads the certificate. */
  id: Generated<string>;
  /** Null, as the name, once the account is deleted. */
  user_id: Optional<number>;
  kind: 'exam' | 'course';
  attempt_id: Optional<number>;
  course_id: Optional<number>;
  title: string;
  name: Optional<string>;
  earned_at: Date;
  created_at: Generated<Date>;
  withdrawn_at: Optional<Date>;
};

/** The places of certificates in the public status lists. */
export type CertificateStatusesTable = { status_index: Generated<number>; certificate_id: string };
