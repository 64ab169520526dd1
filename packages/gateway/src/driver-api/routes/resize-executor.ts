import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import {
  badRequest,
  forbidden,
  notFound,
  parseJson,
  readBody,
  respondJson,
  unsupportedPatchType,
  writeOptions,
} from "@kindling/api-server";
import { objectAt, objectsAt } from "../../json/fields.ts";
import { executorContainer } from "../../spark/executor-container.ts";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { readResize, type Resources, STRATEGIC } from "./resize-patch.ts";

const RESIZE = { group: "", resource: "pods/resize" };

/**
 * PATCH of an executor's resources, as Spark's ExecutorResizePlugin (since 4.2) sends it. It is done at once if the queue,
 * the quota and the node have room, otherwise refused. The plug-in logs a refusal, and asks again a minute later.
 */
export async function resizeExecutor({ client, admission }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, target, application } = request;
  const { name = "", namespace = "" } = target;
  if (writeOptions(exchange, "PatchOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  if (exchange.contentType !== STRATEGIC) throw unsupportedPatchType([STRATEGIC]);
  const patch = parseJson(await readBody(exchange));
  const refuse = (why: string): Error => forbidden(RESIZE, name, why);
  const { pods } = application;
  const [entry, shown] = [pods.get(name), pods.shown(name)?.object];
  if (entry === undefined || shown === undefined) throw notFound({ group: "", resource: "pods" }, name);
  if (entry.uid === application.driverUid) throw refuse("a driver may resize only its executors");
  if (entry.state.kind !== "real") throw refuse("it is not in the cluster yet");
  const container = executorContainer(shown);
  const asked = readResize(patch, { name, namespace, container });
  if (typeof asked === "string") throw refuse(asked);
  const { uid } = entry.state;
  const resized = withResources(shown, container, asked);
  const pod = { ...resized, metadata: { ...resized.metadata, uid } };
  const resize = admission.resize(application.driverUid, pod);
  if (typeof resize === "string") throw refuse(resize);
  try {
    // With the uid the API server refuses to touch another pod of the name.
    const body = { metadata: { uid }, spec: { containers: [{ name: container, resources: asked }] } };
    const options = { namespace, subresource: "resize" };
    const answer = await forward(() => client.patch(UPSTREAM.pods, name, "strategic", body, options));
    resize.done(answer);
    pods.seen(withoutManagedFields(answer));
  } catch (error) {
    resize.failed();
    throw error;
  }
  respondJson(exchange, 200, pods.shown(name)?.object ?? shown);
}

function withResources(pod: KubeObject, name: string, { requests, limits }: Resources): KubeObject {
  const spec = objectAt(pod, "spec");
  const containers = objectsAt(spec, "containers").map((container): JsonObject => {
    if (container["name"] !== name) return container;
    const { resources } = container;
    const merged = {
      ...(isObject(resources) && resources),
      requests: { ...objectAt(resources, "requests"), ...requests },
      limits: { ...objectAt(resources, "limits"), ...limits },
    };
    return { ...container, resources: merged };
  });
  return { ...pod, spec: { ...spec, containers } };
}
