import { isHttpError, retrying, type Backoff, type HttpError, type HttpTransport } from "@kindling/http";
import type { Outside } from "@kindling/outside";
import { isObjectStoreError, ObjectStoreError, type StoreFault } from "./object-store-error.ts";
import type { Redact } from "./refusal-words.ts";

/** How a client reaches its store, and how patient it is. */
export interface StoreConnection extends Pick<Outside, "clock" | "random"> {
  readonly transport: HttpTransport;
  /** How often a request is sent, at most; default: 5 times. */
  readonly attempts?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /** Takes secrets out of a store's words before any of them are quoted; default: nothing is one. */
  readonly redact?: Redact | undefined;
}

const ATTEMPTS = 5;
const BACKOFF: Backoff = { baseMs: 200, capMs: 5_000 };

/**
 * Sends a request again while its failure is one that may pass.
 *
 * @param attempt is told how often it was called before
 */
export async function repeatedly<T>(
  { clock, random, attempts = ATTEMPTS, backoff = BACKOFF }: StoreConnection,
  signal: AbortSignal | undefined,
  attempt: (before: number) => Promise<T>,
): Promise<T> {
  let before = 0;
  try {
    return await retrying(
      {
        clock,
        random: () => random.fraction(),
        attempts,
        backoff,
        signal,
        judge: (error) => (isObjectStoreError(error) && error.retryable ? {} : "lasting"),
      },
      async () => {
        try {
          return await attempt(before++);
        } catch (error) {
          throw storeError(error);
        }
      },
    );
  } catch (error) {
    throw storeError(error);
  }
}

const FAULTS: Readonly<Record<HttpError["kind"], StoreFault>> = {
  unreachable: "unreachable",
  tls: "tls",
  timeout: "unreachable",
  proxy: "unreachable",
  address: "redirect",
  protocol: "protocol",
  options: "settings",
  aborted: "cancelled",
};

/** What a failed exchange means; any other error is a fault of this program, and stays as it is. */
export function storeError(error: unknown): unknown {
  if (!isHttpError(error)) return error;
  const { message, hint, retryable } = error;
  return new ObjectStoreError(FAULTS[error.kind], message, { hint, retryable, cause: error });
}

export function cancelled(): ObjectStoreError {
  return new ObjectStoreError("cancelled", "cancelled");
}
