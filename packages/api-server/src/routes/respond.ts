import type { Json } from "../../json.ts";
import type { Status } from "../status/status.ts";
import type { Exchange } from "./exchange.ts";

const JSON_TYPE = "application/json";
const ONE_WRITE = 256 * 1024;

/** Answers with JSON text. */
export function respondText(exchange: Exchange, code: number, json: string | Buffer): void {
  const body = exchange.pretty ? JSON.stringify(JSON.parse(json.toString()), null, 2) : json;
  respondBody(exchange, code, JSON_TYPE, body);
}

/** Answers with JSON text in the encoding that the client takes. */
export async function respondEncoded(
  exchange: Exchange,
  code: number,
  json: string | Buffer,
  encoding: "json" | "yaml",
): Promise<void> {
  if (encoding === "json") {
    respondText(exchange, code, json);
    return;
  }
  // Loaded only now: few clients ask for it, and all would wait for it at the start.
  const { stringify } = await import("yaml");
  // As Go's library writes it: keys in order, lists not indented, texts quoted that YAML 1.1 would read as something else.
  const yaml = stringify(JSON.parse(json.toString()), {
    version: "1.1",
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
  });
  respondBody(exchange, code, "application/yaml", yaml);
}

function respondBody(exchange: Exchange, code: number, type: string, body: string | Buffer): void {
  const { response, method } = exchange;
  // The server ends each JSON text with a line end.
  const end = type === JSON_TYPE ? "\n" : "";
  setCommonHeaders(exchange);
  response.writeHead(code, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) + end.length });
  if (method === "HEAD") {
    response.end();
    return;
  }
  // One write where that is cheap: each costs the server as much as making the answer.
  if (typeof body === "string") response.end(body + end);
  else response.end(body.length < ONE_WRITE ? Buffer.concat([body, Buffer.from(end)]) : body.toString() + end);
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
