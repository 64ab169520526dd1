import { type Api, findObject, resourceName } from "../operations/api.ts";
import { type ListOptions, type Page, listObjects } from "../operations/list.ts";
import { type Selection, parseSelection } from "../operations/selection.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { notFound } from "../status/errors.ts";
import type { Exchange } from "./exchange.ts";
import { negotiate } from "./negotiate.ts";
import { integer } from "./options.ts";
import { type Presentation, presentObject, presentPage } from "./present.ts";
import type { ResourceTarget } from "./request-target.ts";
import { respondText, setCommonHeaders } from "./respond.ts";
import type { Service } from "./service.ts";

const CHUNK = 256 * 1024;
const FEW = 200;
/** Answers for people are indented if that is fast. */
const PRETTY = { bytes: 2 * 1024 * 1024, items: Infinity };

/** GET of one object. */
export function handleGet(service: Service, exchange: Exchange, type: ResourceType, target: ResourceTarget): void {
  const form = negotiate(exchange.accept);
  const name = target.name ?? "";
  const stored = findObject(service.api, type, target.namespace, name);
  if (stored === undefined) throw notFound(resourceName(type), name);
  respondText(exchange, 200, presentObject(presentationOf(service, exchange, type, form), stored));
}

/** GET of a collection. */
export async function handleList(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  const form = negotiate(exchange.accept);
  const selection = selectionOf(service.api, exchange, type, target);
  const page = listObjects(service.api, type, selection, staleIfAllowed(service, listOptions(exchange)));
  await respondPage(exchange, presentationOf(service, exchange, type, form), page);
}

/** Answers with a page of objects, in chunks if it is large. */
export async function respondPage(exchange: Exchange, presentation: Presentation, page: Page): Promise<void> {
  const pieces = presentPage(presentation, page);
  if (isWithin(page, exchange.pretty ? PRETTY : { bytes: CHUNK, items: FEW })) {
    respondText(exchange, 200, joinPieces(pieces));
    return;
  }
  const { response } = exchange;
  setCommonHeaders(exchange);
  response.writeHead(200, { "Content-Type": "application/json" });
  let chunk: Buffer[] = [];
  let size = 0;
  for (const piece of pieces) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    chunk.push(bytes);
    size += bytes.length;
    if (size < CHUNK) continue;
    if (!response.write(Buffer.concat(chunk))) await drained(exchange);
    if (response.destroyed) return;
    chunk = [];
    size = 0;
  }
  response.end(Buffer.concat(chunk));
}

/**
 * Whether a page is sent as a whole. A large page is not, so that it need not stay in memory for a client that does not read.
 */
function isWithin({ items }: Page, most: { readonly bytes: number; readonly items: number }): boolean {
  let size = 0;
  return items.length < most.items && items.every(({ bytes }) => (size += bytes.length) < most.bytes);
}

/** The selectors of a request. */
export function selectionOf(api: Api, exchange: Exchange, type: ResourceType, target: ResourceTarget): Selection {
  const { query } = exchange;
  const [labels, fields] = [query.get("labelSelector") ?? "", query.get("fieldSelector") ?? ""];
  return parseSelection(api, type, target.namespace, labels, fields);
}

/** How the objects of an answer are shown. */
export function presentationOf(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  form: Presentation["form"],
): Presentation {
  const asked = exchange.query.get("includeObject");
  const includeObject = asked === "None" || asked === "Object" ? asked : "Metadata";
  return { type, form, includeObject, now: () => service.api.clock.now() };
}

/** The options of a list or watch. */
export function listOptions({ query }: Exchange): ListOptions {
  return {
    limit: integer(query, "limit") ?? 0,
    continue: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
  };
}

// Only lists that accept any version may be answered with an old state.
function staleIfAllowed(service: Service, options: ListOptions): ListOptions {
  const lag = service.staleness?.listLag() ?? 0;
  if (lag === 0 || options.resourceVersion !== "0") return options;
  const revision = Math.max(1, service.api.store.revision - lag);
  return { ...options, resourceVersion: String(revision), resourceVersionMatch: "Exact" };
}

function joinPieces(pieces: Iterable<Buffer | string>): Buffer {
  return Buffer.concat([...pieces].map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

async function drained({ response }: Exchange): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
