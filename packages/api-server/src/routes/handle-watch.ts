import type { Api } from "../operations/api.ts";
import { collectionOf } from "../operations/api.ts";
import { revisionOf } from "../operations/list.ts";
import type { Selection } from "../operations/selection.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { expired, tooLargeResourceVersion } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { type WatchSink, responseSink } from "../watch/watch-sink.ts";
import { Watcher } from "../watch/watcher.ts";
import type { Exchange } from "./exchange.ts";
import { listOptions, presentationOf, selectionOf } from "./handle-read.ts";
import { negotiate } from "./negotiate.ts";
import { flag, integer } from "./options.ts";
import { type Presentation, presentEvent } from "./present.ts";
import type { ResourceTarget } from "./request-target.ts";
import { setCommonHeaders } from "./respond.ts";
import type { Service } from "./service.ts";

/** The real server ends watches without a given time-out after half an hour to an hour. */
const DEFAULT_TIMEOUT_SECONDS = 1800;

/** Where a watch begins. */
interface Start {
  readonly initial: readonly StoredObject[];
  readonly position: number;
  readonly revision: number;
}

/** GET of a collection with `watch`: a stream of events, one JSON text per line. */
export function handleWatch(service: Service, exchange: Exchange, type: ResourceType, target: ResourceTarget): void {
  openWatch(service, exchange, type, target, () => {
    setCommonHeaders(exchange);
    exchange.response.writeHead(200, { "Content-Type": "application/json" });
    exchange.response.flushHeaders();
    return responseSink(exchange.response);
  });
}

/**
 * Starts a watch on an HTTP response or a WebSocket; `open` is called when the request is known to be valid.
 *
 * @throws ApiError if the request is refused before the stream begins.
 */
export function openWatch(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
  open: () => WatchSink,
): void {
  const { api } = service;
  const form = negotiate(exchange.accept);
  const { query } = exchange;
  const options = listOptions(exchange);
  const selection = selectionOf(api, exchange, type, target);
  const asked = revisionOf(options.resourceVersion);
  const bookmarks = flag(query, "allowWatchBookmarks");
  const sendInitial = query.has("sendInitialEvents") ? flag(query, "sendInitialEvents") : undefined;
  const start = startOf(api, type, selection, asked, sendInitial);
  const over = service.watching?.(exchange, type);
  const sink = open();
  if (over !== undefined) sink.onClose(over);
  if (start instanceof ApiError) return endWithError(sink, start);
  const presentation = presentationOf(service, exchange, type, form);
  const watcher = new Watcher(collectionOf(api, type), selection, sink, {
    ...start,
    bookmarks,
    bookmarkInitialEnd: bookmarks && (sendInitial ?? (asked === undefined || asked === 0)),
    timeout:
      (integer(query, "timeoutSeconds") ?? DEFAULT_TIMEOUT_SECONDS * (1 + (api.random.bytes(1)[0] ?? 0) / 256)) * 1000,
    encode: (_type, stored, first) => presentEvent(presentation, stored, first),
    encodeBookmark: (revision, initialEnd) => bookmarkObject(presentation, revision, initialEnd),
    hides: (event) => service.staleness?.hidesEvent(type, event) === true,
    currentRevision: () => api.store.revision,
  });
  const forget = service.onShutdown(() => watcher.end());
  sink.onClose(forget);
  watcher.start(api.clock);
}

// A watch may begin in the future, as on a real server: it is silent until then. The objects at that time are not known.
function startOf(
  api: Api,
  type: ResourceType,
  selection: Selection,
  asked: number | undefined,
  sendInitial: boolean | undefined,
): Start | ApiError {
  const collection = collectionOf(api, type);
  const now = { position: collection.log.end, revision: api.store.revision };
  const fromNow = asked === undefined || asked === 0;
  if (sendInitial ?? fromNow) {
    if (!fromNow && asked > now.revision) return tooLargeResourceVersion(asked, now.revision);
    const initial = [...collection.list(selection.namespace)].filter(({ object }) => selection.matches(object));
    return { ...now, initial };
  }
  if (fromNow) return { ...now, initial: [] };
  const position = collection.log.positionAfter(asked);
  if (position !== undefined) return { initial: [], position, revision: asked };
  return expired(`too old resource version: ${asked} (${collection.log.compactedRevision})`);
}

function endWithError(sink: WatchSink, error: ApiError): void {
  sink.write([[Buffer.from(`${JSON.stringify({ type: "ERROR", object: error.status })}\n`)]]);
  sink.end();
}

function bookmarkObject({ type, form }: Presentation, revision: number, initialEnd: boolean): string {
  const annotations = initialEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  const metadata = { resourceVersion: String(revision), ...annotations };
  if (form === "table") {
    const rows = [{ cells: [], object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata } }];
    return JSON.stringify({ kind: "Table", apiVersion: "meta.k8s.io/v1", metadata, columnDefinitions: null, rows });
  }
  if (form === "metadata")
    return JSON.stringify({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata });
  return JSON.stringify({ kind: type.kind, apiVersion: type.apiVersion, ...type.empty, metadata });
}
