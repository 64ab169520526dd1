import { pipeline } from "node:stream/promises";
import { type Container, type Pod, containersOf } from "../objects/pod.ts";
import type { LogLine, LogQuery, PodLogs } from "../runtime/logs.ts";
import {
  badRequest,
  collectionOf,
  type Exchange,
  flag,
  integer,
  methodNotAllowed,
  notFound,
  resourceName,
  setCommonHeaders,
  type SubresourceHandler,
} from "@kindling/api-server";

/** GET of a pod's log. */
export function podLog(logs: PodLogs): SubresourceHandler {
  return async ({ service, exchange, type, target }) => {
    if (exchange.method !== "GET") throw methodNotAllowed();
    const stored = collectionOf(service.api, type).get(target.namespace, target.name);
    if (stored === undefined) throw notFound(resourceName(type), target.name);
    const pod = stored.object as Pod;
    const abort = new AbortController();
    exchange.response.on("close", () => abort.abort());
    const query = logQuery(exchange, service.api.clock.now(), abort.signal);
    const container = chooseContainer(pod, exchange.query.get("container") ?? "");
    const { namespace = "", name, uid } = pod.metadata;
    // A pod without a node has no log; this is no error.
    if ((pod.spec.nodeName ?? "") === "") {
      exchange.response.writeHead(204).end();
      return;
    }
    const lines = logs.read({ namespace, name, uid }, container.name, query);
    if (lines === undefined) throw badRequest(notStarted(pod, container, query.previous));
    await stream(exchange, lines);
  };
}

function logQuery({ query }: Exchange, now: number, signal: AbortSignal): LogQuery {
  const tailLines = integer(query, "tailLines");
  const sinceSeconds = integer(query, "sinceSeconds");
  const sinceTime = query.get("sinceTime");
  const since =
    sinceSeconds !== undefined ? now - sinceSeconds * 1000 : sinceTime === null ? undefined : Date.parse(sinceTime);
  return { previous: flag(query, "previous"), follow: flag(query, "follow"), tailLines, since, signal };
}

function chooseContainer(pod: Pod, asked: string): Container {
  const [containers, inits] = [containersOf(pod), pod.spec.initContainers ?? []];
  const [only, ...others] = containers;
  if (asked === "" && only !== undefined && others.length === 0) return only;
  const { name } = pod.metadata;
  if (asked === "") {
    const wanted = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
    const chosen = containers.find((container) => container.name === wanted);
    if (chosen !== undefined) return chosen;
    const names = (list: readonly Container[]): string => `[${list.map((one) => one.name).join(" ")}]`;
    const more = inits.length === 0 ? "" : ` or one of the init containers: ${names(inits)}`;
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: ${names(containers)}${more}`);
  }
  const found = [...containers, ...inits].find((container) => container.name === asked);
  if (found === undefined) throw badRequest(`container ${asked} is not valid for pod ${name}`);
  return found;
}

function notStarted(pod: Pod, container: Container, previous: boolean): string {
  const statuses = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])];
  const status = statuses.find(({ name }) => name === container.name);
  const { name } = pod.metadata;
  if (previous)
    return `previous terminated container ${JSON.stringify(container.name)} in pod ${JSON.stringify(name)} not found`;
  const waiting = status?.state.waiting?.reason ?? "";
  if (waiting === "")
    return `container ${JSON.stringify(container.name)} in pod ${JSON.stringify(name)} is not available`;
  const reason =
    waiting === "ErrImagePull" || waiting === "ImagePullBackOff" ? "trying and failing to pull image" : waiting;
  return `container ${JSON.stringify(container.name)} in pod ${JSON.stringify(name)} is waiting to start: ${reason}`;
}

async function stream(exchange: Exchange, lines: AsyncIterable<LogLine>): Promise<void> {
  const { response, query } = exchange;
  const limit = integer(query, "limitBytes") ?? Infinity;
  setCommonHeaders(exchange);
  response.writeHead(200, { "Content-Type": "text/plain" });
  response.flushHeaders();
  try {
    await pipeline(logText(lines, flag(query, "timestamps"), limit), response);
  } catch (error) {
    // The reader of a log may disconnect at any time.
    if (!response.destroyed) throw error;
  }
}

async function* logText(lines: AsyncIterable<LogLine>, timestamps: boolean, limit: number): AsyncGenerator<Buffer> {
  let left = limit;
  for await (const { time, text } of lines) {
    const prefix = timestamps ? `${new Date(time).toISOString().replace("Z", "000000Z")} ` : "";
    const bytes = Buffer.from(`${prefix}${text}\n`);
    yield bytes.length > left ? bytes.subarray(0, left) : bytes;
    left -= bytes.length;
    if (left <= 0) return;
  }
}
