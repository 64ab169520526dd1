import type { KubeObject } from "@kindling/kube-objects";
import { alreadyExists, ApiError, forbidden, respondJson } from "@kindling/api-server";
import type { ConfiguredExecutor } from "../../controllers/executors/steps/configured-executor.ts";
import { heldFor } from "../../controllers/executors/steps/own-objects.ts";
import { refusedExecutor, refusedFurther } from "../../checks/check-executor.ts";
import { withoutToken } from "../../checks/pod-policy.ts";
import { refusedPod, virtualPod } from "../../views/virtual-pod.ts";
import type { Entry } from "../../views/entry.ts";
import type { Wanted } from "../../views/mirror.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { newObject } from "./new-object.ts";
import type { NewObject } from "./read-new-object.ts";

/**
 * Before Spark 4.3, a driver whose request for an executor is refused goes on asking for ever: it counts only failed
 * executors. So after this number of refusals, executors that it can never have are shown as failed, until it gives up.
 */
const MOST_REFUSALS = 3;

/** POST of a pod: the driver sees it at once, and it waits for its admission. The cluster is not asked. */
export async function createExecutor(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application, type } = request;
  const { early, limits, healing } = context;
  const asked = await newObject(context, request, "pods");
  await healing.settled(application);
  const { object, fingerprint } = asked;
  const configured = asked.refused ?? (await configuredFor(context, request, asked));
  const { name } = object.metadata;
  // The driver may have ended while its request was read.
  if (application.isOver) throw forbidden({ group: type.group, resource: type.plural }, name, "its driver is gone");
  const known = application.executor(name);
  // If they are the same, the answer to the first request was lost with a connection or a gateway.
  if (known === undefined || known.fingerprint !== fingerprint) {
    const wanted = configured instanceof ApiError ? object : configured.wanted;
    const refused = refusedExecutor(wanted, application, limits) ?? configured;
    if (refused instanceof ApiError) fail(request, asked, refused);
    else if (!(await early.hand(application, asked))) wait(context, request, asked, refused);
    early.passed(application, object);
  }
  respondJson(exchange, 201, application.pods.shown(name)?.object ?? object);
}

/** The executor with what the application's steps add to it, or why that is not possible. */
async function configuredFor(
  { executorSteps }: GatewayContext,
  { application }: DriverRequest,
  { object }: NewObject,
): Promise<ConfiguredExecutor | ApiError> {
  try {
    const configure = await executorSteps.of(application);
    const configured = configure(object);
    const pod = withoutToken(configured.pod, configured.wanted, application.driver);
    return heldFor({ ...configured, pod });
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 422) return error;
    throw error;
  }
}

function fail(request: DriverRequest, asked: NewObject, refused: ApiError): void {
  const { application } = request;
  application.refusals += 1;
  if (application.refusals <= MOST_REFUSALS) throw refused;
  const { object } = asked;
  const entry = show(request, asked, {
    object: refusedPod(object, refused.status.reason ?? "Forbidden", refused.message),
    request: object,
  });
  entry.refuse();
}

function wait(
  context: GatewayContext,
  request: DriverRequest,
  asked: NewObject,
  { pod, objects }: ConfiguredExecutor,
): void {
  const { clock, applications, admission, limits, healing } = context;
  const { application, type } = request;
  const { name } = asked.object.metadata;
  const enough = refusedFurther(asked.object, application, limits);
  if (enough !== undefined) throw enough;
  if (applications.isPodNameTaken(application.namespace, name)) {
    throw alreadyExists({ group: type.group, resource: type.plural }, name);
  }
  const sized = healing.sized(application, pod);
  application.wait(show(request, asked, { object: virtualPod(sized, clock.now()), request: sized, objects }));
  admission.changed();
}

/** Shows the driver a pod that is not in the cluster. */
function show(
  { application, exchange }: DriverRequest,
  { fingerprint }: NewObject,
  { object, ...wanted }: Pick<Wanted, "object" | "request" | "objects">,
): Entry {
  // `add` changes the object's metadata, and the request must stay as it is.
  const own: KubeObject = { ...object, metadata: { ...object.metadata } };
  return application.pods.add({ ...wanted, object: own, fingerprint, user: exchange.user });
}
