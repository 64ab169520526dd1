import { createObjectStore, resources, startReflector } from "@kindling/kube";
import { SCHEDULER_QUEUE_LABEL, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { systemClock as clock } from "@kindling/outside";

/** Follows how many processors of nodes the queues have; each pod asks for one. */
export async function followUse(client, namespace) {
  const store = createObjectStore({});
  const reflector = startReflector(client, resources.pods, {
    namespace,
    clock,
    sink: { replace: (items, version) => store.replace(items, version), apply: (event) => store.apply(event) },
  });
  await reflector.synced;
  return {
    of(queue) {
      const pods = [...store.values()];
      const applications = new Set(
        pods
          .filter(({ metadata }) => metadata.labels?.[SCHEDULER_QUEUE_LABEL] === queue)
          .map(({ metadata }) => metadata.labels[SPARK_APP_ID_LABEL]),
      );
      return pods.filter(
        ({ metadata, spec, status }) =>
          applications.has(metadata.labels?.[SPARK_APP_ID_LABEL]) &&
          spec.nodeName !== undefined &&
          !["Succeeded", "Failed"].includes(status?.phase),
      ).length;
    },
    stop: () => reflector.stop(),
  };
}
