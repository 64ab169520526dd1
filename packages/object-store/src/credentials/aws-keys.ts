import type { HttpTransport } from "@kindling/http";
import type { Outside } from "@kindling/outside";
import type { Redact } from "../refusal-words.ts";

/** Keys to sign with: long-lived keys, or temporary keys with a session token. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Gives the current keys or token for requests. Rejects with an `ObjectStoreError`. */
export type Credentials<Keys = AwsKeys> = (signal?: AbortSignal) => Promise<Keys>;

export interface LentKeys<Keys = AwsKeys> {
  readonly keys: Keys;
  /** How long they are valid from now on; `undefined`: for ever. */
  readonly seconds: number | undefined;
}

/** One place where keys can come from. */
export interface KeySource<Keys = AwsKeys> {
  /** For messages, such as `the environment`. */
  readonly name: string;
  /** `undefined` if the place is not configured. Rejects with an `ObjectStoreError` if it is configured but gives no keys. */
  lend(context: CredentialsContext): Promise<LentKeys<Keys> | undefined>;
}

/** The parts of the outside world that sources of keys need. */
export interface CredentialsContext extends Pick<Outside, "clock" | "env"> {
  readonly transport: HttpTransport;
  /** Reads a small text file; `undefined` if there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Called with every secret before it is used, so that the caller can keep it out of messages. */
  readonly hide?: ((secret: string) => void) | undefined;
  /** Removes secrets from a server's texts before they are quoted; default: nothing is removed. */
  readonly redact?: Redact | undefined;
}
