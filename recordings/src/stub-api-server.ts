import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isObject, type JsonObject, type RecordedRequest } from "./normalize.ts";

/** An answer of the server to writes of a kind, as a real one gave it. */
export interface Rejection {
  readonly kind: string;
  readonly status: number;
  readonly reason?: string;
  readonly message?: string;
}

export interface StubOptions {
  /** Objects that exist from the beginning, by their paths. */
  readonly objects?: Readonly<Record<string, JsonObject>>;
  /** The status of each created pod. */
  readonly podStatus?: (pod: JsonObject) => JsonObject;
}

/** A stand-in for an API server that accepts any object, gives it a uid, and records the requests. */
export class StubApiServer {
  readonly requests: RecordedRequest[] = [];
  readonly #objects = new Map<string, JsonObject>();
  readonly #rejections: readonly Rejection[];
  readonly #podStatus: StubOptions["podStatus"];
  readonly #server: Server;

  constructor(rejections: readonly Rejection[] = [], { objects = {}, podStatus }: StubOptions = {}) {
    this.#rejections = rejections;
    for (const [path, object] of Object.entries(objects)) this.#objects.set(path, object);
    this.#podStatus = podStatus;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** `host:port`. */
  get address(): string {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  }

  async stop(): Promise<void> {
    // A client may be about to connect again.
    this.#server.on("connection", (socket) => socket.destroy());
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const { method = "", url = "" } = request;
    const { pathname: path, searchParams } = new URL(url, "http://stub");
    const { status, answer } = this.#answer(method, path, searchParams, body);
    this.requests.push({ method, path, status, body });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  #answer(method: string, path: string, query: URLSearchParams, body: unknown): { status: number; answer: unknown } {
    if (isObject(body) && ["POST", "PUT", "PATCH"].includes(method)) return this.#write(method, path, body);
    if (method === "DELETE" && this.#objects.delete(path)) {
      return { status: 200, answer: { kind: "Status", apiVersion: "v1", status: "Success" } };
    }
    const found = this.#objects.get(path);
    if (found !== undefined) return { status: 200, answer: found };
    if (query.get("watch") === "true") return { status: 200, answer: {} };
    if (/\/[a-z]+s$/.test(path)) {
      const items = [...this.#objects].filter(([key]) => key.startsWith(`${path}/`)).map(([, object]) => object);
      return { status: 200, answer: { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1" }, items } };
    }
    const [plural, name] = path.split("/").slice(-2);
    return failure(404, "NotFound", `${plural} "${name}" not found`, { name, kind: plural });
  }

  #write(method: string, path: string, body: JsonObject): { status: number; answer: unknown } {
    const rejection = this.#rejections.find(({ kind }) => kind === body["kind"]);
    if (rejection !== undefined)
      return failure(rejection.status, rejection.reason ?? "Invalid", rejection.message ?? "refused");
    const metadata = isObject(body["metadata"]) ? body["metadata"] : {};
    const key = method === "POST" ? `${path}/${String(metadata["name"])}` : path;
    const before = this.#objects.get(key);
    if (method === "POST" && before !== undefined) return failure(409, "AlreadyExists", `${key} already exists`);
    const old = isObject(before?.["metadata"]) ? before["metadata"] : {};
    const object: JsonObject = {
      ...before,
      ...body,
      ...(body["kind"] === "Pod" && this.#podStatus && { status: this.#podStatus(body) }),
      metadata: {
        uid: randomUUID(),
        creationTimestamp: "2026-01-01T00:00:00Z",
        ...old,
        ...metadata,
        resourceVersion: String(this.requests.length + 1),
      },
    };
    this.#objects.set(key, object);
    return { status: before === undefined ? 201 : 200, answer: object };
  }
}

function failure(
  status: number,
  reason: string,
  message: string,
  details?: object,
): { status: number; answer: unknown } {
  const answer = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, message, code: status };
  return { status, answer: { ...answer, ...(details !== undefined && { details }) } };
}
