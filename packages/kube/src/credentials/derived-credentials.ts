import type { CredentialSource, Credentials } from "./credential-source.ts";

/** A source that adds something to the credentials of another source. The same object in gives the same object out. */
export function derivedCredentials(
  source: CredentialSource,
  derive: (credentials: Credentials) => Credentials,
  description: string = source.description,
): CredentialSource {
  const derived = new WeakMap<Credentials, Credentials>();
  const origins = new WeakMap<Credentials, Credentials>();

  function deriveOnce(credentials: Credentials): Credentials {
    const known = derived.get(credentials);
    if (known !== undefined) return known;
    const result = derive(credentials);
    derived.set(credentials, result);
    origins.set(result, credentials);
    return result;
  }

  return {
    description,
    current(signal) {
      const credentials = source.current(signal);
      return credentials instanceof Promise ? credentials.then(deriveOnce) : deriveOnce(credentials);
    },
    reject: (used) => source.reject(origins.get(used) ?? used),
  };
}
