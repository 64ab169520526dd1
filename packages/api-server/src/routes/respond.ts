import type { Json, Status } from "@kindling/kube-objects";
import type { Exchange } from "./exchange.ts";

const ONE_WRITE = 256 * 1024;

/** Answers with JSON text. */
export function respondText(exchange: Exchange, code: number, json: string | Buffer): void {
  const { response, method, pretty } = exchange;
  const body = pretty ? JSON.stringify(JSON.parse(json.toString()), null, 2) : json;
  setCommonHeaders(exchange);
  // The real server ends each JSON text with a line feed.
  response.writeHead(code, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) + 1 });
  if (method === "HEAD") {
    response.end();
    return;
  }
  // One write if that is cheap: each write costs the server as much as building the answer.
  if (typeof body === "string") response.end(`${body}\n`);
  else response.end(body.length < ONE_WRITE ? Buffer.concat([body, Buffer.from("\n")]) : `${body.toString()}\n`);
}

/** Answers with a value as JSON. */
export function respondJson(exchange: Exchange, code: number, value: Json | object): void {
  respondText(exchange, code, JSON.stringify(value));
}

/** Answers with a Status. */
export function respondStatus(exchange: Exchange, status: Status): void {
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined && (status.code === 429 || status.code >= 500)) {
    exchange.response.setHeader("Retry-After", String(retryAfter));
  }
  respondJson(exchange, status.code, status);
}

/** Answers with plain text. */
export function respondPlain(exchange: Exchange, code: number, text: string): void {
  setCommonHeaders(exchange);
  exchange.response.writeHead(code, {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "Content-Length": Buffer.byteLength(text),
  });
  exchange.response.end(exchange.method === "HEAD" ? undefined : text);
}

/** Sets the headers that all answers have. */
export function setCommonHeaders({ response, warnings }: Exchange): void {
  response.setHeader("Cache-Control", "no-cache, private");
  if (warnings.length > 0)
    response.setHeader(
      "Warning",
      warnings.map((text) => `299 - ${JSON.stringify(text)}`),
    );
}
