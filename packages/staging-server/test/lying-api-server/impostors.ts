import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { DRIVER_NAMESPACE } from "../support/driver-scene.ts";
import { otherCluster, type Impostor } from "../support/impostor.ts";

function says(status: number, body: unknown): Fault {
  return { kind: "instead", status, text: JSON.stringify(body) };
}

function always(status: number, body: unknown): Impostor {
  return () => says(status, body);
}

function notFound(details: object | undefined): object {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "NotFound", code: 404 };
  return { ...status, message: "not found", ...(details !== undefined && { details }) };
}

/** The last name of a path, and the collection before it: `pods` and `drv`. */
function addressed({ path }: SeenRequest): { kind: string | undefined; name: string | undefined } {
  const [name, kind] = path.split("/").toReversed();
  return { kind, name };
}

const isCollection = ({ path }: SeenRequest): boolean => path.endsWith("/pods");
const isWatch = ({ query }: SeenRequest): boolean => query.get("watch") === "true";

const EMPTY = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "9999999" }, items: [] };

const honest: Impostor = () => undefined;

/** Answers lists and watches as an API server without pods, and passes other requests on. */
function withoutPods(rest: Impostor): Impostor {
  return (request) => {
    if (!isCollection(request)) return rest(request);
    if (!isWatch(request)) return says(200, EMPTY);
    return request.query.get("resourceVersion") === EMPTY.metadata.resourceVersion
      ? { kind: "instead", text: "", isLeftOpen: true }
      : says(410, { ...notFound(undefined), code: 410, reason: "Expired" });
  };
}

/** Sends this text instead of each list or event; other answers are honest. */
function malformed(text: string, what: "lists" | "watches"): Impostor {
  return (request) =>
    isCollection(request) && isWatch(request) === (what === "watches")
      ? { kind: "instead", text: `${text}\n`, isLeftOpen: what === "watches" }
      : undefined;
}

const page: Impostor = () => ({ kind: "instead", status: 404, text: "default backend - 404" });
const anyName: Impostor = (request) => says(404, notFound(addressed(request)));

/** Servers that may answer at an API server's address but are no API servers. */
export const STRANGERS: readonly (readonly [name: string, impostor: Impostor])[] = [
  ["the default backend of an ingress", page],
  ["a page that says 200", () => ({ kind: "instead", text: "<html>Welcome to nginx!</html>" })],
  ["404 with a Status without details", always(404, notFound(undefined))],
  ["404 with a Status about the namespace", always(404, notFound({ kind: "namespaces", name: DRIVER_NAMESPACE }))],
  ["404 with a Status about the driver pod", always(404, notFound({ kind: "pods", name: "drv" }))],
  ["404 with a Status about whatever is asked for", anyName],
  ["200 with {}", always(200, {})],
  ["200 with null", always(200, null)],
  ["200 with a list for everything", always(200, EMPTY)],
  ["403", always(403, { ...notFound(undefined), code: 403, reason: "Forbidden" })],
  ["401", always(401, { ...notFound(undefined), code: 401, reason: "Unauthorized" })],
  ["500", always(500, { ...notFound(undefined), code: 500, reason: "InternalError" })],
];

/** Lists without a running driver, from a server that is otherwise honest. */
export const FORGETFUL: Impostor = withoutPods(honest);
export const NULL_EVENTS: Impostor = malformed("null", "watches");

/** Servers that speak the API server's protocol but give wrong answers, or answers about another cluster. */
export const LIARS: readonly (readonly [name: string, impostor: () => Impostor | Promise<Impostor>])[] = [
  ["empty lists, and 404 for the rest", () => withoutPods(anyName)],
  ["empty lists, and {} for the rest", () => withoutPods(always(200, {}))],
  ["lists that are {}", () => malformed("{}", "lists")],
  ["lists without items", () => malformed(JSON.stringify({ ...EMPTY, items: undefined }), "lists")],
  ["lists of another kind", () => malformed(JSON.stringify({ ...EMPTY, kind: "NodeList" }), "lists")],
  ["events that are null", () => NULL_EVENTS],
  ["events whose object is null", () => malformed('{"type":"DELETED","object":null}', "watches")],
  ["lists that leave the driver pod out", () => FORGETFUL],
  ["what is in another cluster", otherCluster],
  ["what is in two clusters in turn", async () => inTurn(honest, await otherCluster())],
];

function inTurn(...answers: readonly Impostor[]): Impostor {
  let turn = 0;
  return (request) => answers[turn++ % answers.length]?.(request);
}
