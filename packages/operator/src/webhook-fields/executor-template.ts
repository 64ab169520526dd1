import type { Container, Pod, PodChanges } from "@kindling/core-spec";
import { applyChanges } from "@kindling/steps";
import type { SparkApplication } from "@kindling/spark-application";
import { EXECUTOR_CONTAINER } from "../names/spark-names.ts";
import type { ConfEntry } from "../translate/translation.ts";
import { webhookChanges } from "./changes/webhook-changes.ts";
import { executorConf } from "./executor-conf.ts";
import { executorWarnings } from "./executor-warnings.ts";
import { roleFields, type RoleFields } from "./role-fields.ts";
import { splitEnv } from "./split-env.ts";

/** What makes a stock driver give its executors the fields of the webhook. */
export interface ExecutorTemplate {
  /** Where neither the object has one nor anything belongs into one, there is none. */
  readonly template: Pod | undefined;
  /** Goes behind all other entries. */
  readonly conf: readonly ConfEntry[];
  /** What cannot be carried to executors, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * What stock's webhook does to executors, for a driver that makes them from a pod template. The driver applies what is
 * Spark's behind the template, where the webhook came last: what would be lost so goes by Spark's own keys or, where
 * there is none, is told.
 *
 * @param template the executors' template as the object has it
 */
export function executorTemplate(application: SparkApplication, template: Pod | undefined): ExecutorTemplate {
  const given = roleFields(application, "executor");
  const all = webhookChanges(withoutMemoryLimit(given));
  const env = splitEnv(all.env);
  const { schedulerName = "", ...spec } = all.spec;
  const changes: PodChanges = { ...all, env: env.inTemplate, nodeSelector: {}, spec };
  const changed = withChanges(template, changes, given);
  return {
    template: changed,
    conf: executorConf({
      env: env.byConf,
      nodeSelector: all.nodeSelector,
      schedulerName,
      fields: given.fields,
      isNamed: containersOf(changed).some(({ name }) => name === EXECUTOR_CONTAINER),
    }),
    warnings: executorWarnings(given, env),
  };
}

/** Spark sets the memory limit of executors itself, behind the template and without a key for it. */
function withoutMemoryLimit({ fields, ...given }: RoleFields): RoleFields {
  const { memoryLimit: _, ...others } = fields;
  return { ...given, fields: others };
}

/** The template with the changes to Spark's container, which is the one of that name or, without one, the first. */
function withChanges(template: Pod | undefined, changes: PodChanges, { fields }: RoleFields): Pod | undefined {
  const containers = containersOf(template);
  const named = containers.findIndex(({ name }) => name === EXECUTOR_CONTAINER);
  const place = Math.max(0, named);
  const before = {
    pod: {
      apiVersion: "v1" as const,
      kind: "Pod" as const,
      ...template,
      spec: { ...template?.spec, containers: containers.filter((_, index) => index !== place) },
    },
    container: containers[place] ?? { name: EXECUTOR_CONTAINER },
  };
  const after = applyChanges(before, changes);
  if (after.pod === before.pod && after.container === before.container) return template;
  const others = containersOf(after.pod);
  const all = [...others.slice(0, place), after.container, ...others.slice(place)];
  const pod = { ...after.pod, spec: { ...after.pod.spec, containers: all } };
  const isToldElsewhere = fields.annotations?.[DEFAULT_CONTAINER] !== undefined;
  return changes.sidecars.length === 0 || isToldElsewhere ? pod : withDefaultContainer(pod, after.container);
}

function containersOf(pod: Pod | undefined): readonly Container[] {
  return pod?.spec?.containers ?? [];
}

/** The container that kubectl takes where it is told none. */
const DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

/** The driver puts Spark's container behind the sidecars; the webhook had put the sidecars behind Spark's. */
function withDefaultContainer(pod: Pod, { name }: Container): Pod {
  const annotations = { [DEFAULT_CONTAINER]: name || EXECUTOR_CONTAINER, ...pod.metadata?.annotations };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
