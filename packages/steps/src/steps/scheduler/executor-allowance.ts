import {
  type Container,
  type ConfKey,
  type ConfPrefix,
  type KubernetesDriverSpec,
  type PodSpec,
  SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION,
  type Submission,
  type Volume,
} from "@kindling/core-spec";
import {
  EXECUTOR_NODE_SELECTOR,
  EXECUTOR_SECRET_KEY_REF,
  EXECUTOR_SECRETS,
  NODE_SELECTOR,
} from "../../keys/prefixes.ts";
import { secretEnv } from "../env-secrets.ts";
import { executorTemplate, startedConf } from "./executor-template.ts";

/** What says which Secrets and which nodes executors shall have. */
export const ALLOWANCE_KEYS: readonly (ConfKey<unknown> | ConfPrefix)[] = [
  EXECUTOR_SECRETS,
  EXECUTOR_SECRET_KEY_REF,
  NODE_SELECTOR,
  EXECUTOR_NODE_SELECTOR,
];

/**
 * The annotation by which the gateway lets executors have what the driver's pod has not: the Secrets, the nodes and the
 * priority class that the submission asks for. A driver cannot change it, and what it asks for beyond is refused. None
 * where there is nothing of the kind, or where the driver's pod says already what executors may have.
 */
export function allowanceAnnotation(spec: KubernetesDriverSpec, submission: Submission): Record<string, string> {
  if (spec.driverPod.metadata?.annotations?.[SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION] !== undefined) return {};
  const allowance = executorAllowance(spec, submission);
  if (Object.keys(allowance).length === 0) return {};
  return { [SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION]: JSON.stringify(allowance) };
}

function executorAllowance(spec: KubernetesDriverSpec, submission: Submission): Partial<PodSpec> {
  const conf = startedConf(spec, submission.sparkVersion);
  const { executorPod, executorContainer } = executorTemplate(submission);
  const {
    nodeName,
    priorityClassName,
    tolerations = [],
    initContainers = [],
    containers = [],
    ...template
  } = executorPod.spec ?? {};
  const nodeSelector = {
    ...template.nodeSelector,
    ...conf.withPrefix(NODE_SELECTOR),
    ...conf.withPrefix(EXECUTOR_NODE_SELECTOR),
  };
  const secrets = new Set([
    ...Object.keys(conf.withPrefix(EXECUTOR_SECRETS)),
    ...secretsOfContainer({ env: secretEnv(conf, EXECUTOR_SECRET_KEY_REF) }),
    ...(template.volumes ?? []).flatMap(secretsOfVolume),
    ...[...initContainers, ...containers, executorContainer].flatMap(secretsOfContainer),
  ]);
  return {
    ...(nodeName !== undefined && { nodeName }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(secrets.size > 0 && { volumes: [...secrets].sort().map((name) => ({ name, secret: { secretName: name } })) }),
  };
}

function secretsOfVolume({ secret, projected }: Volume): string[] {
  const sources = (projected?.sources ?? []).map((source) => source.secret?.name);
  return [secret?.secretName, ...sources].filter((name) => name !== undefined);
}

/** The Secrets that are in the environment of a container. */
export function secretsOfContainer({ env = [], envFrom = [] }: Pick<Container, "env" | "envFrom">): string[] {
  const names = [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
  ];
  return names.filter((name) => name !== undefined);
}
