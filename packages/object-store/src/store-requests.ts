import { readText, type HttpRequest, type HttpResponse } from "@kindling/http";
import { repeatedly, type StoreConnection } from "./connection.ts";

/** What the requests of every cloud's API have. */
export interface StoreRequest extends Pick<HttpRequest, "method" | "signal"> {
  /** The object that it is about. */
  readonly key: string;
  /** Whether a failure is not worth another attempt. */
  readonly once?: boolean;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that the caller handles, besides successes. */
  readonly accept?: readonly number[];
}

export interface StoreAnswer {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly text: string;
  readonly attempts: number;
}

/** Rejects with an `ObjectStoreError`. */
export interface StoreRequests<R extends StoreRequest> {
  /** Repeats a request while its failure may pass, and reads the answer. */
  send(request: R): Promise<StoreAnswer>;
  /** The same, but the caller reads the body. */
  open(request: R): Promise<HttpResponse>;
  serverTime(): number;
}

export interface StoreRequestsOptions<R extends StoreRequest> extends Pick<StoreRequests<R>, "serverTime"> {
  readonly connection: StoreConnection;
  /** The longest answer that is read. */
  readonly mostBytes: number;
  /** Sends a request once. */
  readonly attempt: (request: R) => Promise<HttpResponse>;
}

/** Requests of a store's API, repeated while their failures may pass. */
export function storeRequests<R extends StoreRequest>({
  connection,
  mostBytes,
  attempt,
  serverTime,
}: StoreRequestsOptions<R>): StoreRequests<R> {
  return {
    serverTime,
    send: (request) =>
      repeatedly({ ...connection, ...(request.once && { attempts: 1 }) }, request.signal, async (before) => {
        const response = await attempt(request);
        const text = await readText(response, { mostBytes });
        return { status: response.status, headers: response.headers, text, attempts: before + 1 };
      }),
    open: (request) => repeatedly(connection, request.signal, () => attempt(request)),
  };
}
