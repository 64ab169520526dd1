import { jsonEqual, type KubeObject } from "@kindling/kube-objects";
import {
  ApiError,
  conflict,
  type Exchange,
  forbidden,
  notFound,
  parseJson,
  patchedObject,
  readBody,
  readPatch,
  respondJson,
  type StoredObject,
  tooLarge,
  type Patch,
  type ResourceType,
  writeOptions,
  badRequest,
  DecodeError,
} from "@kindling/api-server";
import { SPARK_APP_ID_LABEL, SPARK_EXECUTOR_ID_LABEL, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import type { Application } from "../../views/applications/application.ts";
import type { Door } from "../door/door.ts";
import { isSparksOwn } from "../door/labels.ts";
import { isGatewaysOwn } from "../../checks/metadata.ts";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { Entry } from "../../views/entry.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { refusedPaths } from "./patch-paths.ts";

const PODS = { group: "", resource: "pods" };
/**
 * The annotation in which a driver writes the exception that ended it (since Spark 4.1,
 * `spark.kubernetes.driver.annotateExitException`).
 */
const EXIT_EXCEPTION = "spark.exit-exception";
const FIXED_LABELS: ReadonlySet<string> = new Set([SPARK_APP_ID_LABEL, SPARK_ROLE_LABEL]);

type Texts = Readonly<Record<string, string>>;
/** The part of a merge patch for a map: null removes a member. */
type Difference = Readonly<Record<string, string | null>>;

/**
 * PATCH of a pod: labels and annotations of executors, and the exit exception of the driver. For every kind of patch, only
 * these differences are sent to the cluster.
 */
export async function patchPod({ client, door }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, target, application, type } = request;
  if (writeOptions(exchange, "PatchOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  const { name = "", namespace = "" } = target;
  const { pods } = application;
  const patch = await podPatch(exchange, type);
  const refused = refusedPaths(patch, name);
  if (refused !== undefined) throw refused;
  const [entry, stored] = [pods.get(name), pods.shown(name)];
  if (entry === undefined || stored === undefined) throw notFound(PODS, name);
  const next = patched(type, patch, stored);
  checkGrowth(request, stored.object, next);
  const [labels, annotations] = checkedDifferences(stored.object, next, entry.uid === application.driverUid);
  await checkLabels(door, application, labels, next);
  if (entry.state.kind === "real") {
    const { uid } = entry.state;
    const body = { metadata: { uid, labels, annotations } };
    const answer = await forward(() => client.patch(UPSTREAM.pods, name, "merge", body, { namespace }));
    pods.seen(withoutManagedFields(answer));
  } else {
    pods.revise(entry, (shown) => {
      const revised = withTextsOf(next, shown);
      return jsonEqual(revised, shown) ? shown : revised;
    });
    reviseRequest(entry, next);
  }
  respondJson(exchange, 200, pods.shown(name)?.object ?? next);
}

/**
 * Reads the patch. A strategic merge patch, as Spark's allocators for sets send it since 4.x, changes labels and annotations
 * like a merge patch, and nothing else may change.
 */
async function podPatch(exchange: Exchange, type: ResourceType): Promise<Patch> {
  if (exchange.contentType !== "application/strategic-merge-patch+json") return await readPatch(exchange, type);
  const text = await readBody(exchange);
  if (/"\$/.test(text)) throw badRequest("the gateway offers no directives of strategic merge patches");
  return { kind: "merge", body: parseJson(text), text };
}

function patched(type: ResourceType, patch: Patch, stored: StoredObject): KubeObject {
  try {
    return patchedObject(type, patch, stored, (document) => type.decode(document, { defaults: true })).object;
  } catch (error) {
    if (error instanceof DecodeError)
      throw new ApiError(422, "Invalid", `the patch does not leave a pod: ${error.message}`);
    throw error;
  }
}

function checkedDifferences(current: KubeObject, next: KubeObject, isOwnPod: boolean): [Difference, Difference] {
  const { name, resourceVersion } = current.metadata;
  if ((next.metadata.resourceVersion ?? resourceVersion) !== resourceVersion) {
    throw conflict(PODS, name, "the object has been modified; please apply your changes to the latest version");
  }
  if (!jsonEqual(withoutTexts(next), withoutTexts(current))) {
    throw forbidden(PODS, name, "a driver may change only the labels and annotations of its executors");
  }
  const labels = difference(current.metadata.labels, next.metadata.labels);
  const annotations = difference(current.metadata.annotations, next.metadata.annotations);
  const fixed = [
    ...Object.keys(labels).filter((label) => isOwnPod || FIXED_LABELS.has(label)),
    ...Object.keys(annotations).filter((annotation) =>
      isOwnPod ? annotation !== EXIT_EXCEPTION : isGatewaysOwn(annotation),
    ),
  ];
  if (fixed.length === 0) return [labels, annotations];
  throw forbidden(PODS, name, `${fixed.join(", ")} cannot be changed by a driver`);
}

/** Labels that executors need cannot be removed either: others select by them. */
async function checkLabels(door: Door, application: Application, labels: Difference, next: KubeObject): Promise<void> {
  const { name, labels: after = {} } = next.metadata;
  const set = Object.entries(labels).flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
  const removed = Object.keys(labels).find((label) => labels[label] === null && !isSparksOwn(label));
  const executor = after[SPARK_EXECUTOR_ID_LABEL] ?? "";
  const label = removed ?? (await door.unnamedLabel(application, Object.fromEntries(set), executor));
  if (label === undefined) return;
  throw forbidden(
    PODS,
    name,
    `metadata.labels[${label}] is not what the application's submission says: it stays as it is`,
  );
}

/** Labels and annotations can grow with each patch, even with small ones. */
function checkGrowth({ body, application: { memory } }: DriverRequest, current: KubeObject, next: KubeObject): void {
  const sizeOf = ({ metadata }: KubeObject): number => JSON.stringify(metadata).length;
  const size = sizeOf(next);
  const { name } = current.metadata;
  if (size > body.mostBytes) throw tooLarge(`the metadata of ${name} may have ${body.mostBytes} bytes`);
  const growth = size - sizeOf(current);
  if (growth <= 0 || memory.hasRoomFor(growth)) return;
  throw forbidden(PODS, name, "the application's objects take all the memory that it may have at the gateway");
}

function withoutTexts({ metadata, ...rest }: KubeObject): object {
  const { labels: _labels, annotations: _annotations, resourceVersion: _version, ...others } = metadata;
  return { ...rest, metadata: others };
}

function difference(before: Texts = {}, after: Texts = {}): Difference {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/** If the object has not been created yet, it will be created in its new form. */
function reviseRequest(entry: Entry, next: KubeObject): void {
  entry.reword((request) => withTextsOf(next, request));
}

function withTextsOf({ metadata: { labels, annotations } }: KubeObject, object: KubeObject): KubeObject {
  const metadata = { ...object.metadata };
  if (labels !== undefined) metadata.labels = labels;
  if (annotations !== undefined) metadata.annotations = annotations;
  return { ...object, metadata };
}
