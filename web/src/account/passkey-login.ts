import { startAuthentication } from '@simplewebauthn/browser';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';

/** Logs in with a passkey of the device. @returns false where none was used: whoever closes the browser's dialog gets no reason @throws Problem */
export async function logInByPasskey(): Promise<boolean> {
  const options = await ok(api.POST('/api/auth/passkeys/login/options'));
  const credential = await startAuthentication({ optionsJSON: options as never }).catch(() => undefined);
  if (!credential) return false;
  const body = { credential: credential as never, has_cookie: true };
  session.begin(await ok(api.POST('/api/auth/passkeys/login', { body })));
  return true;
}
