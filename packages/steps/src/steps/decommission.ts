import { confKey, confType, type ConfKey, type Step } from "@kindling/core-spec";

export const DECOMMISSION_ENABLED: ConfKey<boolean> = confKey({
  key: "spark.decommission.enabled",
  type: confType.boolean,
  default: "false",
  since: "3.1.0",
  readBy: ["driver", "executor"],
  doc: "Whether executors finish their tasks and hand over their blocks before they are stopped.",
});

export const DECOMMISSION_SCRIPT: ConfKey<string> = confKey({
  key: "spark.kubernetes.decommission.script",
  type: confType.text,
  default: "/opt/decom.sh",
  since: "3.2.0",
  readBy: ["executor"],
  doc: "The program in the image that tells an executor's JVM to decommission. It runs before the container is stopped.",
});

/**
 * Has an executor decommissioned before its container is stopped. Counterpart of the `preStop` part of
 * `BasicExecutorFeatureStep`; it replaces a template's lifecycle.
 */
export const decommission: Step = {
  name: "decommission",
  keys: [DECOMMISSION_ENABLED, DECOMMISSION_SCRIPT],
  overrides: ["executorContainer.lifecycle"],
  configureExecutor(spec, { conf }) {
    if (!conf.get(DECOMMISSION_ENABLED)) return spec;
    const lifecycle = { preStop: { exec: { command: [conf.get(DECOMMISSION_SCRIPT)] } } };
    return { ...spec, executorContainer: { ...spec.executorContainer, lifecycle } };
  },
};
