import { isObject } from "@kindling/kube-objects";
import { type ApiError, forbidden, type Patch } from "@kindling/api-server";

const PODS = { group: "", resource: "pods" };
const TEXTS = /^\/metadata\/(?:labels|annotations)(?:\/|$)/;
/** Paths by which a patch may say for which object it is meant. */
const VERSION = "/metadata/resourceVersion";
const IDENTITY: ReadonlySet<unknown> = new Set(["/metadata/name", "/metadata/namespace", "/metadata/uid", VERSION]);

/**
 * Why a JSON patch is refused before it is applied: its operations may only use the paths of labels and annotations, so that
 * nothing else is copied or compared.
 */
export function refusedPaths({ kind, body }: Patch, pod: string): ApiError | undefined {
  if (kind !== "json" || !Array.isArray(body)) return undefined;
  for (const operation of body) {
    if (!isObject(operation)) continue;
    const { op, path, from } = operation;
    if ((op === "test" && IDENTITY.has(path)) || (op === "replace" && path === VERSION)) continue;
    const wrong = [path, from].find((one) => typeof one === "string" && !TEXTS.test(one));
    if (wrong === undefined) continue;
    const why = "a driver may change only the labels and annotations of its executors";
    return forbidden(PODS, pod, `${why}, not ${JSON.stringify(wrong).slice(0, 200)}`);
  }
  return undefined;
}
