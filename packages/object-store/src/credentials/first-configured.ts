import { ObjectStoreError } from "../object-store-error.ts";
import type { Credentials, CredentialsContext, KeySource, LentKeys } from "./aws-keys.ts";
import { refreshing } from "./refreshing.ts";

export interface ChainOptions<Keys> {
  /** The store's name, for messages. */
  readonly store: string;
  /** What to do if there are no credentials: one line without a full stop. */
  readonly hint: string;
  /** The parts of keys that nobody may see. */
  readonly secretsOf: (keys: Keys) => readonly (string | undefined)[];
}

/** The keys of the first source that is configured. Only this source is used again when they are about to expire. */
export function firstConfigured<Keys>(
  sources: readonly KeySource<Keys>[],
  context: CredentialsContext,
  { store, hint, secretsOf }: ChainOptions<Keys>,
): Credentials<Keys> {
  let candidates = sources;
  const lend = async (): Promise<LentKeys<Keys>> => {
    for (const source of candidates) {
      const lent = await source.lend(context);
      if (lent === undefined) continue;
      candidates = [source];
      for (const secret of secretsOf(lent.keys)) if (secret !== undefined) context.hide?.(secret);
      return lent;
    }
    const asked = candidates.map(({ name }) => name).join(", ");
    throw new ObjectStoreError("credentials", `there are no credentials for ${store} (looked in: ${asked})`, { hint });
  };
  return refreshing(lend, context.clock);
}
