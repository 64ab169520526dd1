import type { IncomingMessage, ServerResponse } from "node:http";
import type { Impostor } from "../support/api-server-stub.ts";

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function always(status: number, body: unknown): Impostor {
  return (_request, response) => send(response, status, body);
}

function notFound(details: object | undefined): object {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "NotFound", code: 404 };
  return { ...status, message: "not found", ...(details !== undefined && { details }) };
}

/** The last name of a path, and the collection before it: `pods` and `drv`. */
function addressed({ url = "" }: IncomingMessage): { kind: string | undefined; name: string | undefined } {
  const [name, kind] = new URL(url, "http://x").pathname.split("/").toReversed();
  return { kind, name };
}

const isCollection = ({ url = "" }: IncomingMessage): boolean => /\/pods(\?|$)/.test(url);
const isWatch = ({ url = "" }: IncomingMessage): boolean => url.includes("watch=true");

const EMPTY = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "9999999" }, items: [] };

/** Lists and watches as an API server without pods, and leaves the rest to another one. */
function withoutPods(rest: Impostor): Impostor {
  return (request, response) => {
    if (!isCollection(request)) rest(request, response);
    else if (!isWatch(request)) send(response, 200, EMPTY);
    else if (request.url?.includes(`resourceVersion=${EMPTY.metadata.resourceVersion}`) === true) {
      response.writeHead(200).flushHeaders();
    } else send(response, 410, { ...notFound(undefined), code: 410, reason: "Expired" });
  };
}

/** In place of each list or event, this text; the rest is honest. */
function malformed(text: string, honest: Impostor, what: "lists" | "watches"): Impostor {
  return (request, response) => {
    if (!isCollection(request) || isWatch(request) !== (what === "watches")) honest(request, response);
    else response.writeHead(200).write(`${text}\n`, () => what === "lists" && response.end());
  };
}

const page: Impostor = (_request, response) => response.writeHead(404).end("default backend - 404");
const anyName: Impostor = (request, response) => send(response, 404, notFound(addressed(request)));

/** What may answer at an API server's address and is none. */
export const STRANGERS: readonly (readonly [name: string, impostor: Impostor])[] = [
  ["the default backend of an ingress", page],
  ["a page that says 200", (_request, response) => response.writeHead(200).end("<html>Welcome to nginx!</html>")],
  ["404 with a Status without details", always(404, notFound(undefined))],
  ["404 with a Status about the namespace", always(404, notFound({ kind: "namespaces", name: "default" }))],
  ["404 with a Status about the driver pod", always(404, notFound({ kind: "pods", name: "drv" }))],
  ["404 with a Status about whatever is asked for", anyName],
  ["200 with {}", always(200, {})],
  ["200 with null", always(200, null)],
  ["200 with a list for everything", always(200, EMPTY)],
  ["403", always(403, { ...notFound(undefined), code: 403, reason: "Forbidden" })],
  ["401", always(401, { ...notFound(undefined), code: 401, reason: "Unauthorized" })],
  ["500", always(500, { ...notFound(undefined), code: 500, reason: "InternalError" })],
];

/** What speaks as an API server does and does not tell the truth, or not about this cluster. */
export const LIARS: readonly (readonly [
  name: string,
  impostorOf: (honest: Impostor, otherCluster: Impostor) => Impostor,
])[] = [
  ["empty lists, and 404 for the rest", () => withoutPods(anyName)],
  ["empty lists, and {} for the rest", () => withoutPods(always(200, {}))],
  ["lists that are {}", (honest) => malformed("{}", honest, "lists")],
  ["lists without items", (honest) => malformed(JSON.stringify({ ...EMPTY, items: undefined }), honest, "lists")],
  ["lists of another kind", (honest) => malformed(JSON.stringify({ ...EMPTY, kind: "NodeList" }), honest, "lists")],
  ["events that are null", (honest) => malformed("null", honest, "watches")],
  ["events whose object is null", (honest) => malformed('{"type":"DELETED","object":null}', honest, "watches")],
  ["lists that leave the driver pod out", (honest) => withoutPods(honest)],
  ["what is in another cluster", (_honest, otherCluster) => otherCluster],
  ["what is in two clusters in turn", inTurn],
];

function inTurn(...answers: readonly Impostor[]): Impostor {
  let turn = 0;
  return (request, response) => answers[turn++ % answers.length]?.(request, response);
}
