import { readBeginning, type HttpRequest, type HttpResponse } from "@kindling/http";
import { storeError, type StoreConnection } from "../connection.ts";
import type { Credentials } from "../credentials/aws-keys.ts";
import { membersOf, recordOf, type BearerToken } from "../credentials/bearer-token.ts";
import { ObjectStoreError, type StoreFault } from "../object-store-error.ts";
import { refusalWords } from "../refusal-words.ts";
import { serverClock } from "../server-clock.ts";
import { type StoreRequest, type StoreRequests, storeRequests } from "../store-requests.ts";

export interface GcsLocation {
  readonly bucket: string;
  /** Google's own, or another one that speaks the JSON API. */
  readonly endpoint: URL;
}

export interface GcsOptions extends GcsLocation {
  /** `undefined`: requests have no token, as an emulator takes them. */
  readonly credentials: Credentials<BearerToken> | undefined;
  readonly connection: StoreConnection;
}

export interface GcsRequest extends StoreRequest, Pick<HttpRequest, "body"> {
  /** Below the endpoint, already encoded. */
  readonly path: string;
}

/** Requests of the JSON API of Google Cloud Storage. */
export type GcsRequests = StoreRequests<GcsRequest>;

// A page of a listing has a thousand objects of a kibibyte each; documents are smaller.
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
const MOST_REFUSAL_BYTES = 16 * 1024;

export function gcsRequests(options: GcsOptions): GcsRequests {
  const { endpoint, credentials, connection } = options;
  const { transport } = connection;
  const time = serverClock(connection.clock);

  async function attempt({ path, query = {}, headers = {}, ...request }: GcsRequest): Promise<HttpResponse> {
    const url = new URL(`${endpoint.href.replace(/\/$/, "")}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const token = (await credentials?.(request.signal))?.token;
    const response = await transport.send({
      method: request.method,
      url,
      body: request.body,
      signal: request.signal,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    });
    time.note(response);
    if (response.status < 300 || request.accept?.includes(response.status) === true) return response;
    throw await refusal(request, response, options);
  }

  return storeRequests({ connection, mostBytes: MOST_ANSWER_BYTES, attempt, serverTime: () => time.now() });
}

async function refusal(
  { method, key }: Pick<GcsRequest, "method" | "key">,
  response: HttpResponse,
  { endpoint, bucket, connection }: GcsOptions,
): Promise<ObjectStoreError> {
  const { clock, transport, redact } = connection;
  const within = { clock, milliseconds: transport.stallTimeoutMs };
  const { text } = await readBeginning(response, { mostBytes: MOST_REFUSAL_BYTES, within }).catch((error: unknown) => {
    throw storeError(error);
  });
  const { status } = response;
  const error = recordOf(membersOf(text)["error"]);
  const [first] = Array.isArray(error["errors"]) ? error["errors"] : [];
  const reason = recordOf(first)["reason"];
  const code = typeof reason === "string" ? reason : undefined;
  const message = typeof error["message"] === "string" ? error["message"] : undefined;
  const asked = key === "" ? `the bucket ${bucket}` : key;
  const words = refusalWords({ message, code, status }, redact);
  return new ObjectStoreError(faultOf(status), `${endpoint.host} refused ${method} ${asked}: ${words}`, {
    status,
    code,
    // "Retry strategy": 408, 429 and 5xx. One object takes one write a second, and answers 429 to more.
    retryable: status >= 500 || status === 429 || status === 408,
    hint: hintOf(status, bucket),
  });
}

function faultOf(status: number): StoreFault {
  if (status === 404) return "not-found";
  if (status === 401 || status === 403) return "forbidden";
  if (status === 429 || status === 503) return "overloaded";
  return status >= 500 ? "server" : "rejected";
}

function hintOf(status: number, bucket: string): string | undefined {
  if (status !== 401 && status !== 403) return undefined;
  return `give the identity the role roles/storage.objectUser on the bucket ${bucket}`;
}
