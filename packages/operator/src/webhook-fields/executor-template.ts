import type { Container, Pod, PodChanges } from "@kindling/core-spec";
import { applyChanges } from "@kindling/steps";
import type { SparkApplication } from "@kindling/spark-application";
import { EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import type { ConfEntry } from "../translate/translation.ts";
import { webhookChanges } from "./changes/webhook-changes.ts";
import { executorConf } from "./executor-conf.ts";
import { executorWarnings } from "./executor-warnings.ts";
import { roleFields, type RoleFields } from "./role-fields.ts";
import { splitEnv } from "./split-env.ts";

/** The template and the keys with which a stock driver gives its executors the webhook's fields. */
export interface ExecutorTemplate {
  /** Undefined if the object has no template and no field needs one. */
  readonly template: Pod | undefined;
  /** Comes after all other entries. */
  readonly conf: readonly ConfEntry[];
  /** Fields that executors cannot get, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Does what stock's webhook does to executors, for a driver that makes them from a pod template. The driver applies
 * Spark's own settings after the template, while the webhook came last. A field that would be lost this way is set with
 * Spark's own key. If there is no key, there is a warning.
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

/** Spark sets the memory limit of executors itself, after the template, and has no key for it. */
function withoutMemoryLimit({ fields, ...given }: RoleFields): RoleFields {
  const { memoryLimit: _, ...others } = fields;
  return { ...given, fields: others };
}

/** The template with the changes to Spark's container: the container of that name, or the first if there is none. */
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

/** The annotation for the container that kubectl uses if none is named. */
const DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

/** The driver puts Spark's container after the sidecars; the webhook had put the sidecars after Spark's. */
function withDefaultContainer(pod: Pod, { name }: Container): Pod {
  const annotations = { [DEFAULT_CONTAINER]: name || EXECUTOR_CONTAINER, ...pod.metadata?.annotations };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
