import { readBeginning, type HttpResponse } from "@kindling/http";
import { storeError, type StoreConnection } from "../connection.ts";
import type { Credentials } from "../credentials/aws-keys.ts";
import type { ObjectBody } from "../object-bucket.ts";
import { ObjectStoreError, type StoreFault } from "../object-store-error.ts";
import { refusalWords } from "../refusal-words.ts";
import { serverClock } from "../server-clock.ts";
import { type StoreRequest, type StoreRequests, storeRequests } from "../store-requests.ts";
import { textOf } from "../xml.ts";
import type { AzureAuthorization } from "./azure-authorization.ts";
import type { AzureLocation } from "./azure-location.ts";
import { sharedKey } from "./sign-shared-key.ts";

export interface AzureOptions extends AzureLocation {
  readonly credentials: Credentials<AzureAuthorization>;
  readonly connection: StoreConnection;
}

export interface AzureRequest extends StoreRequest {
  /** Empty for the container itself. */
  readonly key: string;
  /** The address of another service of the account; default: its Blob service. */
  readonly service?: URL | undefined;
  readonly body?: ObjectBody | Buffer | undefined;
}

/** Requests of the Blob service's REST API. */
export type AzureRequests = StoreRequests<AzureRequest>;

// The first version in which a listing tells directories of a hierarchical namespace apart is 2020-06-12.
const VERSION = "2021-12-02";
// A page of a listing has five thousand blobs of a kibibyte each.
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
const MOST_REFUSAL_BYTES = 16 * 1024;

export function azureRequests(options: AzureOptions): AzureRequests {
  const { connection } = options;
  const time = serverClock(connection.clock);

  async function attempt(request: AzureRequest): Promise<HttpResponse> {
    const { method, body, signal } = request;
    const url = urlOf(request, options);
    const fields: Record<string, string> = {
      ...request.headers,
      "x-ms-version": VERSION,
      "x-ms-date": new Date(time.now()).toUTCString(),
      ...(method !== "GET" && method !== "HEAD" && { "content-length": String(body?.length ?? 0) }),
    };
    const headers = authorize(await options.credentials(signal), method, url, fields, options);
    const response = await connection.transport.send({ method, url, headers, body, signal });
    time.note(response);
    if (response.status < 300 || request.accept?.includes(response.status) === true) return response;
    throw await refusal(request, response, options);
  }

  return storeRequests({ connection, mostBytes: MOST_ANSWER_BYTES, attempt, serverTime: () => time.now() });
}

function urlOf({ key, query = {}, service }: AzureRequest, { endpoint, container }: AzureLocation): URL {
  const path = [container, ...(key === "" ? [] : key.split("/"))].map(encodeURIComponent).join("/");
  const url = new URL(`${(service ?? endpoint).href.replace(/\/$/, "")}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** @returns the fields with what shows the sender; a signature is added to the URL */
function authorize(
  authorization: AzureAuthorization,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  { account }: AzureLocation,
): Record<string, string> {
  if (authorization.kind === "key") {
    return { ...headers, authorization: sharedKey(account, authorization.key, { method, url, headers }) };
  }
  // Anybody who sees one of these can use it.
  if (url.protocol !== "https:") {
    throw new ObjectStoreError("settings", `${url.host}: a token or a signature is sent by https only`, {
      hint: "write an https endpoint, or use the account's key",
    });
  }
  if (authorization.kind === "token") return { ...headers, authorization: `Bearer ${authorization.token}` };
  for (const [name, value] of new URLSearchParams(authorization.query)) url.searchParams.set(name, value);
  return { ...headers };
}

async function refusal(
  { method, key }: AzureRequest,
  response: HttpResponse,
  { endpoint, container, connection }: AzureOptions,
): Promise<ObjectStoreError> {
  const { clock, transport, redact } = connection;
  const within = { clock, milliseconds: transport.stallTimeoutMs };
  const { text } = await readBeginning(response, { mostBytes: MOST_REFUSAL_BYTES, within }).catch((error: unknown) => {
    throw storeError(error);
  });
  const { status, headers } = response;
  const code = errorCode(headers) ?? textOf(text, "Code");
  // The message's further lines are an id and a time.
  const message = textOf(text, "Message")?.split("\n")[0];
  const asked = key === "" ? `the container ${container}` : key;
  return new ObjectStoreError(
    faultOf(status, code),
    `${endpoint.host} refused ${method} ${asked}: ${refusalWords({ message, code, status }, redact)}`,
    { status, code, retryable: isPassing(status, code), hint: hintOf(status, code, container) },
  );
}

/** The service's own code: answers to HEAD have no body. */
export function errorCode(headers: HttpResponse["headers"]): string | undefined {
  const code = headers["x-ms-error-code"];
  return typeof code === "string" ? code : undefined;
}

function faultOf(status: number, code: string | undefined): StoreFault {
  if (code === "AccountBeingCreated" || status === 503 || status === 429) return "overloaded";
  if (status === 404) return "not-found";
  if (status === 401 || status === 403) return "forbidden";
  return status >= 500 ? "server" : "rejected";
}

/** A conflict of two writers is over soon; one with a lease or a snapshot is not. */
function isPassing(status: number, code: string | undefined): boolean {
  if (status === 409) return !/Lease|Snapshot|NotEmpty|BlobAlreadyExists|ContainerAlreadyExists/.test(code ?? "");
  return status >= 500 || status === 429 || status === 408;
}

function hintOf(status: number, code: string | undefined, container: string): string | undefined {
  if (code === "ContainerNotFound") return `make the container ${container}; this server does not`;
  if (code === "AuthorizationFailure") return "check the account's network rules, and that the clock is right";
  if (code === "KeyBasedAuthenticationNotPermitted") return "the account takes no keys: use a workload identity";
  if (status !== 401 && status !== 403) return undefined;
  return "give the identity the role Storage Blob Data Contributor on the account or the container";
}
