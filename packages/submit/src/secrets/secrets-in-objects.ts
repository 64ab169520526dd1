import type { Redactor } from "@kindling/core-spec";
import { learnSecrets } from "./redact-object.ts";
import { mayBeSecret, passwordsIn, secretsBy, secretSettingsIn } from "./redact.ts";

/** Shorter texts are parts of ordinary words. */
const SHORTEST = 6;

/** The secrets in objects, such as the variables, arguments and annotations of a pod: these may not be shown anywhere. */
export function secretsInObjects(objects: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  const hide = (secret: string): void => {
    // A text that is hidden as a whole may be quoted in part.
    for (const text of [secret, ...secretSettingsIn(secret), ...passwordsIn(secret)])
      if (text.length >= SHORTEST && mayBeSecret(text)) found.add(text);
  };
  const secrets: Redactor = { hide, clean: (text) => text };
  learnSecrets(objects, { isSecret: secretsBy({}, true), secrets });
  return [...found];
}
