import { isKindlingError, type SparkConf } from "@kindling/core-spec";
import { readOverview, shownPlace } from "@kindling/gateway-client";
import { isNotFound, resources } from "@kindling/kube";
import {
  CONTAINER_IMAGE,
  DRIVER_CONTAINER_IMAGE,
  DRIVER_SERVICE_ACCOUNT,
  IMAGE_PULL_POLICY,
  IMAGE_PULL_SECRETS,
  SCHEDULER,
} from "@kindling/steps";
import { clusterError } from "../cluster/cluster-error.ts";
import { confOf, type PlanInput } from "../plan/plan-input.ts";
import { configuredGatewayPlace } from "../keys/configured-gateway.ts";
import type { ExamineOptions } from "./examine-options.ts";
import { ifVisible, ok, problem, skipped, type Found } from "./finding.ts";
import { imagePulled } from "./image-pull.ts";
import { driverRights } from "./rights.ts";

const accountOf = (conf: SparkConf): string => conf.get(DRIVER_SERVICE_ACCOUNT) ?? "default";

/** Whether the account that drivers run as exists, and has the rights of a driver if it needs them. */
export async function driverAccountFound(
  conf: SparkConf,
  { client, namespace, signal }: ExamineOptions,
): Promise<Found> {
  const account = accountOf(conf);
  const there = await ifVisible(async () => {
    try {
      await client.get(resources.serviceaccounts, account, { namespace, signal });
      return ok(account);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return problem(
        `namespace ${namespace} has no service account ${account}`,
        `make it: kubectl -n ${namespace} create serviceaccount ${account}; or name another one with ${DRIVER_SERVICE_ACCOUNT.key}`,
      );
    }
  });
  if (there.state === "problem") return there;
  if (conf.get(SCHEDULER) === "gateway") return ok(`account ${account}, which needs no rights with the gateway`);
  return await driverRights(client, namespace, account, signal);
}

/** Whether the gateway answers, if the configuration names one. */
export async function gatewayFound(
  conf: SparkConf,
  { client, outside: { clock, env }, signal }: ExamineOptions,
): Promise<Found> {
  if (conf.get(SCHEDULER) !== "gateway") return ok(`none: drivers make their executors themselves (${SCHEDULER.key})`);
  const place = configuredGatewayPlace(conf);
  // The client is still needed after this.
  const cluster = (): Promise<typeof client> => Promise.resolve({ ...client, close: () => {} });
  try {
    const { queues, queueFaults, applications } = await readOverview(place, {
      clock,
      env,
      cluster,
      clusterError,
      signal,
    });
    if (queueFaults.length > 0) {
      return problem(
        `${shownPlace(place)} answers; ${queueFaults.join("; ")}`,
        "correct the queues: the chart's value queues, or the file of queues.file; the gateway reads it again when it changes",
      );
    }
    return ok(`${shownPlace(place)} answers; queues: ${queues.length}, applications: ${applications.length}`);
  } catch (error) {
    if (isKindlingError(error) && error.code === "CLUSTER_FORBIDDEN") {
      return skipped(`you may not see the queues of ${shownPlace(place)}`);
    }
    throw error;
  }
}

/** Whether nodes can pull Spark's image. */
export async function imageFound(input: PlanInput, options: ExamineOptions): Promise<Found> {
  const { client, namespace, outside, signal } = options;
  const conf = confOf(input);
  const image = conf.get(DRIVER_CONTAINER_IMAGE) ?? conf.get(CONTAINER_IMAGE);
  if (image === undefined) return skipped(`none is configured: -c ${CONTAINER_IMAGE.key}=IMAGE names one`);
  return await imagePulled(
    client,
    {
      namespace,
      image: image.replaceAll("{{SPARK_VERSION}}", input.sparkVersion),
      pullPolicy: conf.get(IMAGE_PULL_POLICY),
      pullSecrets: conf.get(IMAGE_PULL_SECRETS),
      account: accountOf(conf),
    },
    outside,
    signal,
  );
}
