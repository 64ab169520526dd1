import type { HttpRequest } from "@kindling/http";
import type { Repeatable } from "./repetition.ts";

export interface TransportRequest {
  readonly method: HttpRequest["method"];
  /** Path and query, without the server's own prefix. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** The longest success answer that is read; default: the limit for an object. */
  readonly maxBytes?: number | undefined;
  /** Asks for another protocol, with these headers. */
  readonly upgrade?: Readonly<Record<string, string>> | undefined;
  readonly repeatable: Repeatable;
}
