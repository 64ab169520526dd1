import { SPARK_APP_ID_LABEL, SPARK_APP_NAME_LABEL } from "@kindling/core-spec";
import { podState, sparkContainer } from "@kindling/diagnosis";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { Application } from "../events.ts";

/** The application of an existing driver pod, in the form that a submission reports it. */
export function applicationOf(pod: Pod): Application {
  const { namespace, name, uid, labels } = podState(pod);
  return {
    name: labels[SPARK_APP_NAME_LABEL] ?? name,
    id: labels[SPARK_APP_ID_LABEL] ?? "",
    submissionId: `${namespace}:${name}`,
    namespace,
    driverPod: name,
    driverPodUid: uid,
    driverContainer: sparkContainer(pod) ?? "",
  };
}
