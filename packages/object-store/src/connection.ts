import { isHttpError, retrying, type Backoff, type HttpError, type HttpTransport } from "@kindling/http";
import type { Outside } from "@kindling/outside";
import { isObjectStoreError, ObjectStoreError, type StoreFault } from "./object-store-error.ts";
import type { Redact } from "./refusal-words.ts";

/** How a client reaches its store, and how often it retries. */
export interface StoreConnection extends Pick<Outside, "clock" | "random"> {
  readonly transport: HttpTransport;
  /** How often a request is sent, at most; default: 5 times. */
  readonly attempts?: number | undefined;
  readonly backoff?: Backoff | undefined;
  /** Removes secrets from a store's texts before they are quoted; default: nothing is removed. */
  readonly redact?: Redact | undefined;
}

const ATTEMPTS = 5;
const BACKOFF: Backoff = { baseMs: 200, capMs: 5_000 };

/**
 * Sends a request again while its failure may pass.
 *
 * @param attempt called with the number of earlier attempts
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

/** The store's error for a failed exchange; any other error is a fault of this program, and stays as it is. */
export function storeError(error: unknown): unknown {
  if (!isHttpError(error)) return error;
  const { message, hint, retryable } = error;
  return new ObjectStoreError(FAULTS[error.kind], message, { hint, retryable, cause: error });
}

export function cancelled(): ObjectStoreError {
  return new ObjectStoreError("cancelled", "cancelled");
}
