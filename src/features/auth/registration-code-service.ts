import type { RegistrationCodeStore } from './registration-code-store.ts';

/** Registration codes for those who hand them out. */
export class RegistrationCodeService {
  readonly codes: RegistrationCodeStore;

  constructor(codes: RegistrationCodeStore) {
    this.codes = codes;
  }
}
