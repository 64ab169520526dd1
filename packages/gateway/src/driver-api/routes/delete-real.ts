import type { DeleteOptions } from "@kindling/api-server";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import type { Entry } from "../../views/entry.ts";
import { DELETED_AT_ONCE, deleteEach, deleteSelected, selectorsOf } from "./delete-in-cluster.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { deletePod, endedPod, podsOf, untilFollowed } from "./held-pods.ts";
import { inParallel } from "../../cluster/in-parallel.ts";

/** Pods that still run something, and all others. */
const NOT_OVER = "status.phase!=Succeeded,status.phase!=Failed";
const OVER = "status.phase!=Pending,status.phase!=Running";
/** Beside deletions that are held, so few others are sent one by one. */
const FEW = 16;

/**
 * Deletes objects that are in the cluster. Pods of ended executors go later, when the recorder has read their logs. That takes one
 * more request for all of them together.
 */
export async function deleteReal(
  context: GatewayContext,
  request: DriverRequest,
  real: readonly Entry[],
  options: DeleteOptions,
): Promise<void> {
  const { client, applications, held } = context;
  const { application, mirror } = request;
  const { driverUid } = application;
  const going = real.map((entry) => ({ entry, pod: endedPod(held, request, entry) }));
  const ended = going.flatMap(({ pod }) => pod ?? []);
  const rest = going.flatMap(({ entry, pod }) => (pod === undefined ? [entry] : []));
  const earlier = mirror === application.pods && held?.isHolding === true ? held.of(driverUid) : "none";
  const isQuiet = earlier === "none" && ended.length === 0;
  // Labels and phases would also select pods of others, or pods that are held for themselves and still run something.
  const isEach =
    applications.sharesItsId(application) ||
    (!isQuiet &&
      (earlier === "running" || ended.some(({ isOver }) => !isOver) || (ended.length === 0 && rest.length <= FEW)));
  if (isEach) for (const pod of ended) held?.hold(driverUid, [pod], () => deletePod(client, pod, options));
  else if (!isQuiet) held?.hold(driverUid, ended, deletionOfEnded(context, request, real, options), { isLast: true });
  for (const { entry, pod } of going) if (pod !== undefined) application.pods.remove(entry);
  await untilFollowed(held, request, rest);
  if (isEach) await deleteEach(context, request, rest, options);
  else await deleteSelected(context, request, rest.length, { ...options, only: isQuiet ? undefined : NOT_OVER });
}

/**
 * Deletes the pods of ended executors by the labels that the driver named, and with them those that end at this moment. It can be
 * so late that another driver continues with the application's id: then it deletes them one by one.
 */
function deletionOfEnded(
  { client, applications }: GatewayContext,
  request: DriverRequest,
  real: readonly Entry[],
  options: DeleteOptions,
): () => Promise<void> {
  const { application } = request;
  const { gracePeriodSeconds, propagationPolicy } = options;
  const selected = { ...selectorsOf(request, OVER), gracePeriodSeconds, propagationPolicy };
  const pods = podsOf(application.namespace, real);
  return async () => {
    if (applications.sharesItsId(application))
      await inParallel(pods, DELETED_AT_ONCE, (pod) => deletePod(client, pod, options));
    else await client.deleteCollection(UPSTREAM.pods, selected);
  };
}
