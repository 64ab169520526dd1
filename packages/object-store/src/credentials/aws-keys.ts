import type { HttpTransport } from "@kindling/http";
import type { Outside } from "@kindling/outside";
import type { Redact } from "../refusal-words.ts";

/** Keys to sign with: long-lived ones, or with a session's token temporary ones. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Gives the keys to sign with at present. Rejects with an `ObjectStoreError`. */
export type Credentials = (signal?: AbortSignal) => Promise<AwsKeys>;

export interface LentKeys {
  readonly keys: AwsKeys;
  /** How long they hold from now on; `undefined`: for ever. */
  readonly seconds: number | undefined;
}

/** One place where keys can come from. */
export interface KeySource {
  /** For messages, such as `the environment`. */
  readonly name: string;
  /** `undefined` where the place is not set up. Rejects with an `ObjectStoreError` where it is, and gives no keys. */
  lend(context: CredentialsContext): Promise<LentKeys | undefined>;
}

/** What sources of keys ask of the world around them. */
export interface CredentialsContext extends Pick<Outside, "clock" | "env"> {
  readonly transport: HttpTransport;
  /** Reads a small text file; `undefined` where there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Told of every secret before it is used, for whoever keeps secrets out of messages. */
  readonly hide?: ((secret: string) => void) | undefined;
  /** Takes secrets out of a server's words before any of them are quoted; default: nothing is one. */
  readonly redact?: Redact | undefined;
}
