import {
  orderSteps,
  runDriverSteps,
  runExecutorSteps,
  sparkConf,
  type Container,
  type ExecutorRequest,
  type KubernetesDriverSpec,
  type KubernetesResource,
  type Pod,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { sampleSubmission, type SampleOptions } from "@kindling/core-spec/testing";
import { selectSteps } from "../chains/feature-steps.ts";
import { executorAllowance } from "../handover/allowance-step.ts";
import { broughtSteps, executorHandover, handsStepsOver } from "../handover/executor-handover.ts";
import { HANDOVER_ENTRY, parseHandover } from "../handover/handover.ts";
import { driverObjects } from "../objects/driver-objects.ts";
import { executorAdditions } from "../objects/executor-additions.ts";
import { executorObjects } from "../objects/executor-objects.ts";
import { initialDriverSpec, initialExecutorSpec, type PodTemplate } from "../objects/pod-template.ts";
import { runningDriverConf } from "../objects/running-driver-conf.ts";
import { supposedExecutor } from "../objects/supposed-executor.ts";

export interface PodOptions extends SampleOptions {
  /** The pod template of the user's submission: the driver's, or the executors'. */
  readonly template?: object;
  /**
   * What creates the executors: the driver, from a pod template, or the gateway, which runs the steps for each. Default: the
   * driver.
   */
  readonly executorsBy?: "driver" | "gateway";
  /** The executor's id, if the gateway creates it. Default: 1. */
  readonly executorId?: string;
}

/** A pod as it would be created, and the objects that are created with it. */
export interface MadePod {
  readonly pod: Pod;
  /** The container of the pod that runs Spark. */
  readonly container: Container;
  /** The objects that are created besides the pod. */
  readonly resources: readonly KubernetesResource[];
}

export interface MadeDriver extends MadePod {
  /** The configuration that the driver starts with. */
  readonly sparkConf: Readonly<Record<string, string>>;
}

/**
 * The driver of a sample submission: the result of all of Spark's steps of its version and, after them, the given ones.
 *
 * @throws KindlingError as the submission would
 */
export function driverPodWith(steps: Step | readonly Step[], options: PodOptions = {}): MadeDriver {
  const { submission, spec } = driverOf(listOf(steps), options);
  const { pod, preResources, resources, driverSparkConf } = driverObjects(spec, submission);
  return {
    pod,
    container: spec.driverContainer,
    resources: [...preResources, ...resources],
    sparkConf: driverSparkConf,
  };
}

/**
 * An executor of a sample submission, created by its driver or by the gateway. The driver halves run before, so that the
 * executor sees what the driver was told.
 *
 * @throws KindlingError as the submission or the gateway would
 */
export function executorPodWith(steps: Step | readonly Step[], options: PodOptions = {}): MadePod {
  const contributed = listOf(steps);
  const { template, ...ofDriver } = options;
  const { submission, spec: driver } = driverOf(contributed, ofDriver);
  const initial = initialExecutorSpec(templateOf(template), submission.notice);
  const halves = contributed.filter((step) => step.configureExecutor !== undefined);
  const isByGateway = handsStepsOver(submission.conf);
  const executor = executorOf(submission, driver, options.executorId ?? "1");
  const asked = runExecutorSteps(
    isByGateway ? initial : executorAdditions(initial, submission, halves),
    executor,
    selectSteps(executor.conf, "executor"),
  ).spec;
  const spec = isByGateway ? runExecutorSteps(asked, executor, halves).spec : asked;
  const { pod, resources } = executorObjects(spec, executor);
  return { pod, container: spec.executorContainer, resources };
}

/** How a sample submission reaches a gateway. */
const GATEWAY: Readonly<Record<string, string>> = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.spark-system.svc:8443",
};

function driverOf(
  contributed: readonly Step[],
  { template, executorsBy = "driver", conf = {}, ...options }: PodOptions,
): { submission: Submission; spec: KubernetesDriverSpec } {
  const submission = sampleSubmission({ ...options, conf: executorsBy === "gateway" ? { ...GATEWAY, ...conf } : conf });
  const halves = contributed.filter((step) => step.configureExecutor !== undefined);
  const isHanded = handsStepsOver(submission.conf) && halves.length > 0;
  const handover = isHanded ? [executorHandover(halves, undefined)] : [];
  const last = [...contributed, ...handover].map(({ name }) => name);
  const allowance = executorsBy === "gateway" ? [executorAllowance(broughtSteps(halves, undefined), last)] : [];
  const chain = orderSteps(selectSteps(submission.conf, "driver"), [...contributed, ...handover, ...allowance]);
  const initial = initialDriverSpec(withoutOwnKeys(submission), templateOf(template), submission.notice);
  return { submission, spec: runDriverSteps(initial, submission, chain).spec };
}

/**
 * What is known about an executor when its pod is created: the driver's configuration, and Kindling's keys as far as they are
 * passed on.
 */
function executorOf(submission: Submission, driver: KubernetesDriverSpec, executorId: string): ExecutorRequest {
  const { sparkVersion, appName, resourceNamePrefix } = submission;
  const driverPod = { name: driver.driverPod.metadata?.name ?? "", uid: "11111111-1111-4111-8111-111111111111" };
  const env = Object.fromEntries((driver.driverContainer.env ?? []).map(({ name, value }) => [name, value]));
  const running = {
    "spark.driver.host": `${appName}-driver-svc`,
    "spark.driver.bindAddress": "10.0.0.1",
    ...runningDriverConf(driver.driverSparkConf, sparkVersion),
    ...handedConf(driver),
  };
  return {
    ...supposedExecutor(submission, { executorId, resourceNamePrefix, driverPod }),
    conf: sparkConf(running, { sparkVersion, env: (name) => env[name] }),
    env,
  };
}

/** What the driver's objects tell the gateway. */
function handedConf({ otherKubernetesResources }: KubernetesDriverSpec): Readonly<Record<string, string>> {
  const texts = otherKubernetesResources.flatMap((resource) => {
    const { data } = resource as { data?: Readonly<Record<string, string>> };
    return data?.[HANDOVER_ENTRY] ?? [];
  });
  return Object.assign({}, ...texts.map((text) => parseHandover(text)?.conf)) as Record<string, string>;
}

function withoutOwnKeys({ conf }: Submission): Record<string, string> {
  return Object.fromEntries(Object.entries(conf.entries).filter(([key]) => !key.startsWith("spark.kindling.")));
}

function templateOf(template: object | undefined): PodTemplate | undefined {
  return template && { content: template, origin: "template", containerName: undefined };
}

function listOf(steps: Step | readonly Step[]): readonly Step[] {
  return Array.isArray(steps) ? (steps as readonly Step[]) : [steps as Step];
}
