import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** The body, as JSON. */
  readonly body: unknown;
}

/** What happens to a request instead of, or in addition to, the API server's own answer. */
export type Fault =
  /** The API server is not asked. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly reason?: string;
      readonly message?: string;
      readonly details?: unknown;
    }
  /** The API server is not asked, and this is the answer; an answer that is left open does not end. */
  | { readonly kind: "instead"; readonly text: string; readonly status?: number; readonly isLeftOpen?: boolean }
  /** Another API server is asked, with a token that it accepts. */
  | { readonly kind: "elsewhere"; readonly url: string; readonly token: string }
  /** The connection breaks before or after the API server was asked. */
  | { readonly kind: "reset"; readonly carriedOut: boolean }
  /** The API server is asked, and the answer is this text. A text that is cut is shorter than its announced length. */
  | { readonly kind: "answer"; readonly text: string; readonly status?: number; readonly cut?: boolean }
  /** The API server is asked only when this is settled, even if the client is gone by then. */
  | { readonly kind: "wait"; readonly until: Promise<void> }
  /** The whole answer is sent, but it does not end. */
  | { readonly kind: "endless" };

/** A request that is being answered. */
interface OpenAnswer {
  readonly request: SeenRequest;
  readonly end: (lastWords?: string) => void;
}

/**
 * A recorder in front of an API server: keeps the requests of clients, and applies faults to some that an API server does not
 * cause on purpose. All other answers are the API server's own.
 */
export class ApiRecorder {
  readonly requests: SeenRequest[] = [];
  /** Decides which fault each request gets. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  /** Called when the API server has answered a request, or has opened a watch. */
  onAnswer: (request: SeenRequest) => void = () => {};
  readonly #backend: URL;
  readonly #open = new Set<OpenAnswer>();
  readonly #server: Server;
  readonly #scheme: "http" | "https";

  private constructor(backend: string, tls: ServerOptions | undefined) {
    const serve = (request: IncomingMessage, response: ServerResponse): void => void this.#serve(request, response);
    this.#backend = new URL(backend);
    this.#scheme = tls === undefined ? "http" : "https";
    this.#server = tls === undefined ? createServer(serve) : createSecureServer(tls, serve);
  }

  /**
   * Listens on its own port until the test ends.
   *
   * @param backend the address of an API server without TLS
   * @param tls with it, clients use TLS to the recorder
   */
  static async start(backend: string, tls?: ServerOptions): Promise<ApiRecorder> {
    const recorder = new ApiRecorder(backend, tls);
    await new Promise<void>((resolve) => recorder.#server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => recorder.#stop());
    return recorder;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests that would change something. */
  get writes(): SeenRequest[] {
    return this.requests.filter(({ method }) => method !== "GET");
  }

  /** How many watches are open. */
  get openWatches(): number {
    return [...this.#open].filter(({ request }) => isWatch(request)).length;
  }

  /** How many clients read a log. */
  get openLogs(): number {
    return [...this.#open].filter(({ request }) => isLog(request)).length;
  }

  /** Ends all open watches, as a server does every few minutes, or breaks them off with an error event. */
  endWatches(error?: { readonly code: number; readonly reason: string }): void {
    const object = { kind: "Status", apiVersion: "v1", status: "Failure", ...error };
    const lastWords = error === undefined ? undefined : `${JSON.stringify({ type: "ERROR", object })}\n`;
    for (const { request, end } of this.#open) if (isWatch(request)) end(lastWords);
  }

  /** Breaks all connections with clients. */
  breakConnections(): void {
    this.#server.closeAllConnections();
  }

  /** How many connections clients hold open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  async #stop(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await collected(request);
    const { method = "", url = "", headers } = request;
    const { pathname: path, searchParams: query } = new URL(url, "http://recorder");
    const seen: SeenRequest = {
      ...{ method, path, query, headers },
      body: body.length === 0 ? undefined : JSON.parse(body.toString("utf8")),
    };
    this.requests.push(seen);
    const fault = this.fault(seen);
    switch (fault?.kind) {
      case "status":
        return sendStatus(response, fault);
      case "instead":
        return sendInstead(response, fault);
      case "elsewhere":
        request.headers.authorization = `Bearer ${fault.token}`;
        return await this.#passOn(request, seen, body, response, { backend: fault.url });
      case "reset":
        if (fault.carriedOut) await this.#ask(request, body).then(collected, () => undefined);
        return void request.socket.resetAndDestroy();
      case "answer":
        await this.#ask(request, body).then(collected, () => undefined);
        return sendText(response, fault);
      case "wait":
        await fault.until;
        return await this.#passOn(request, seen, body, response);
      case "endless":
        return await this.#passOn(request, seen, body, response, { isEndless: true });
      case undefined:
        return await this.#passOn(request, seen, body, response);
    }
  }

  async #passOn(
    request: IncomingMessage,
    seen: SeenRequest,
    body: Buffer,
    response: ServerResponse,
    { backend, isEndless = false }: { readonly backend?: string; readonly isEndless?: boolean } = {},
  ): Promise<void> {
    let answer: IncomingMessage;
    try {
      answer = await this.#ask(request, body, backend);
    } catch {
      return void request.socket.resetAndDestroy();
    }
    // The client disconnected while the API server was asked.
    if (response.destroyed) {
      answer.destroy();
      return this.onAnswer(seen);
    }
    const open: OpenAnswer = {
      request: seen,
      end: (lastWords) => {
        this.#open.delete(open);
        answer.destroy();
        response.end(lastWords);
      },
    };
    this.#open.add(open);
    response.on("close", () => {
      this.#open.delete(open);
      answer.destroy();
    });
    answer.on("error", () => this.#open.has(open) && request.socket.resetAndDestroy());
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    response.flushHeaders();
    answer.pipe(response, { end: !isEndless });
    this.onAnswer(seen);
  }

  /** Asks the API server on a new connection: a kept one might be closed just before it is used again. */
  #ask(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
    backend: string | URL = this.#backend,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { host: _, connection: __, ...rest } = headers;
      const request = send(new URL(url ?? "", backend), { method, headers: rest, agent: false });
      request.on("response", resolve);
      request.on("error", reject);
      request.end(body);
    });
  }
}

function isWatch({ query }: SeenRequest): boolean {
  return query.get("watch") === "true";
}

function isLog({ path }: SeenRequest): boolean {
  return path.endsWith("/log");
}

async function collected(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sendStatus(response: ServerResponse, { status, ...rest }: Fault & { kind: "status" }): void {
  const body = { ...rest, kind: "Status", apiVersion: "v1", status: "Failure", code: status };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendInstead(
  response: ServerResponse,
  { text, status = 200, isLeftOpen = false }: Fault & { kind: "instead" },
): void {
  response.writeHead(status, { "content-type": "application/json" }).flushHeaders();
  if (!isLeftOpen) response.end(text);
  else if (text !== "") response.write(text);
}

function sendText(response: ServerResponse, { text, status = 200, cut = false }: Fault & { kind: "answer" }): void {
  const length = Buffer.byteLength(text) + (cut ? 100 : 0);
  response.writeHead(status, { "content-type": "application/json", "content-length": length });
  response.write(text, () => (cut ? response.destroy() : response.end()));
}
