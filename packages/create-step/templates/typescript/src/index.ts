import { confType, optionalConfKey, type Pod, type Step } from "@kindling/core-spec";

const OWNER = optionalConfKey({
  key: "spark.my-step.owner",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit", "executor"],
  doc: "Who answers for the application: becomes the annotation example.com/owner of driver and executors.",
});

const step: Step = {
  name: "my-step",
  keys: [OWNER],
  configureDriver(spec, { conf }) {
    return { ...spec, driverPod: owned(spec.driverPod, conf.get(OWNER)) };
  },
  configureExecutor(spec, { conf }) {
    return { ...spec, executorPod: owned(spec.executorPod, conf.get(OWNER)) };
  },
};

export default step;

/** The same pod with one more annotation. A step never changes its input. */
function owned(pod: Pod, owner: string | undefined): Pod {
  if (owner === undefined) return pod;
  const annotations = { ...pod.metadata?.annotations, "example.com/owner": owner };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
