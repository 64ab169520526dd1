import type { Connection } from "./api-connection.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, if it is a JSON object; an empty one otherwise. */
  readonly body: JsonObject;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

const PATCH_TYPES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export type PatchKind = keyof typeof PATCH_TYPES;

const TIMEOUT = 50_000;

/** A client that sends requests unchanged and shows the whole answer. */
export class ApiClient {
  readonly connection: Connection;
  readonly #agent: http.Agent | https.Agent;

  constructor(connection: Connection) {
    this.connection = connection;
    const { authority: ca, certificate: cert, key } = connection;
    const options = { keepAlive: true, maxSockets: 16 };
    this.#agent =
      connection.url.protocol === "https:" ? new https.Agent({ ...options, ca, cert, key }) : new http.Agent(options);
  }

  /** A client of the same server with only this token, or without credentials. */
  as(token: string | undefined): ApiClient {
    const { url, authority } = this.connection;
    return new ApiClient({ url, authority, token });
  }

  close(): void {
    this.#agent.destroy();
  }

  async get(path: string, options?: RequestOptions): Promise<Answer> {
    return await this.request("GET", path, undefined, options);
  }

  async post(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return await this.request("POST", path, body, options);
  }

  async put(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return await this.request("PUT", path, body, options);
  }

  async patch(path: string, kind: PatchKind, body: unknown): Promise<Answer> {
    return await this.request("PATCH", path, body, { headers: { "Content-Type": PATCH_TYPES[kind] } });
  }

  async delete(path: string, body?: unknown): Promise<Answer> {
    return await this.request("DELETE", path, body);
  }

  /** Sends a request; a body that is no string is sent as JSON. */
  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const response = await this.open(method, path, body, options);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value ?? "")]),
    );
    return { status: response.statusCode ?? 0, headers, text, body: parsed(text) };
  }

  /** Sends a request and returns the response before its body is read. */
  async open(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<IncomingMessage> {
    const { url, token } = this.connection;
    const data = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const headers: Record<string, string> = { "User-Agent": "conformance/1" };
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    if (data !== undefined) {
      headers["Content-Type"] = "application/json";
      // Node does not set it for DELETE.
      headers["Content-Length"] = String(Buffer.byteLength(data));
    }
    Object.assign(headers, options.headers);
    const make = url.protocol === "https:" ? https.request : http.request;
    const send = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const request = make(new URL(path, url), { method, headers, agent: this.#agent, timeout: TIMEOUT }, resolve);
        request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer in ${TIMEOUT} ms`)));
        request.on("error", (error: NodeJS.ErrnoException) => {
          // The server closed a connection that was kept, just when it was used again.
          if (request.reusedSocket && error.code === "ECONNRESET") resolve(send());
          else reject(error);
        });
        request.end(data);
      });
    return await send();
  }
}

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    // Some answers are plain text.
    return {};
  }
}
