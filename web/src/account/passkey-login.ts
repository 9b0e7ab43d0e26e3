import { startAuthentication } from '@simplewebauthn/browser';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';

const begin = () => ok(api.POST('/api/auth/passkeys/login/options'));

/** @throws Problem */
async function logInWith(credential: unknown): Promise<void> {
  const body = { credential: credential as never, has_cookie: true };
  session.begin(await ok(api.POST('/api/auth/passkeys/login', { body })));
}

/** Logs in with a passkey of the device. @returns false where none was used: whoever closes the browser's dialog gets no reason @throws Problem */
export async function logInByPasskey(): Promise<boolean> {
  const options = await begin();
  const credential = await startAuthentication({ optionsJSON: options as never }).catch(() => undefined);
  if (!credential) return false;
  await logInWith(credential);
  return true;
}

/** Milliseconds until a challenge is replaced, before it ends after five minutes. */
const renewal = 240_000;

/**
 * Lets the browser offer passkeys where it completes the username, until the signal, and logs in with the one that is chosen.
 * Where the browser cannot, or ends it, nothing happens: the button is there.
 * @throws Problem where the chosen one is refused
 */
export async function offerPasskeys(signal: AbortSignal): Promise<void> {
  const credential = await chosen(signal).catch(() => undefined);
  if (credential && !signal.aborted) await logInWith(credential);
}

async function chosen(signal: AbortSignal): Promise<unknown> {
  // Browsers from before 2025 may lack one of the functions, which the caller takes as a refusal.
  const passkeys = window.PublicKeyCredential;
  if (!(await passkeys.isConditionalMediationAvailable())) return undefined;
  const publicKey = passkeys.parseRequestOptionsFromJSON((await begin()) as never);
  const old = AbortSignal.timeout(renewal);
  try {
    const request = { mediation: 'conditional', publicKey, signal: AbortSignal.any([signal, old]) } as const;
    const credential = await navigator.credentials.get(request);
    return (credential as PublicKeyCredential | null)?.toJSON();
  } catch (end) {
    if (!old.aborted || signal.aborted) throw end;
    return await chosen(signal);
  }
}
