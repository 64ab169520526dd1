import { createRedactor, REDACTED } from "@kindling/core-spec";
import { cleanValue, isSecretKey, replaceSecretSettings } from "@kindling/submit";

/** A shorter text occurs by chance. */
const SHORTEST = 6;
/** A longer one is a file with secrets in it, which are known by themselves. */
const LONGEST = 8 * 1024;

/**
 * What may not be kept of one run: the secrets that its configuration and its pods name, in every usual form, and whatever
 * looks like a secret by itself. They are in memory only.
 */
export class RunSecrets {
  readonly #redactor = createRedactor(REDACTED);
  readonly #known = new Set<string>();

  /** Texts that may not occur from now on. */
  learn(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < SHORTEST || secret.length > LONGEST || this.#known.has(secret)) continue;
      this.#known.add(secret);
      this.#redactor.hide(secret);
    }
  }

  /** Replaces the secrets that are known, and what is secret in URIs. */
  withoutKnown(text: string): string {
    return this.#redactor.clean(text);
  }

  /** Replaces all that is secret in a text that is not long. */
  clean(text: string): string {
    return replaceSecretSettings(this.withoutKnown(text), () => REDACTED);
  }

  /** The same in all texts of a value. */
  cleanAll<T>(value: T): T {
    return cleanValue(value, { hide: () => undefined, clean: (text) => this.clean(text) });
  }

  /** Values under keys, such as labels. */
  cleanEntries(entries: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(entries).map(([key, value]) => [key, isSecretKey(key) ? REDACTED : this.clean(value)]),
    );
  }
}
