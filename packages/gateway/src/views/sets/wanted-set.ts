import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { wantedReplicas } from "../applications/executor-set.ts";
import { objectAt } from "../../json/fields.ts";
import { WANTED_REPLICAS } from "../../spark/marks.ts";

/** The metadata that says, also to the next gateway, how many executors the driver wants from a set. */
export function wish(applicationId: string, replicas: number): Pick<KubeObject["metadata"], "labels" | "annotations"> {
  // The gateway finds the set by this label: Spark gives a set no labels.
  return { labels: { [SPARK_APP_ID_LABEL]: applicationId }, annotations: { [WANTED_REPLICAS]: String(replicas) } };
}

/** A set as it is created: without executors, because none is admitted yet. */
export function wantedSet(set: KubeObject, applicationId: string, replicas: number): KubeObject {
  const { labels, annotations } = wish(applicationId, replicas);
  const metadata = {
    ...set.metadata,
    labels: { ...set.metadata.labels, ...labels },
    annotations: { ...set.metadata.annotations, ...annotations },
  };
  return { ...set, metadata, spec: { ...objectAt(set, "spec"), replicas: 0 } };
}

/** A set as its driver sees it: with as many replicas as the driver has asked for. */
export function askedSet(set: KubeObject): KubeObject {
  return { ...set, spec: { ...objectAt(set, "spec"), replicas: wantedReplicas(set) } };
}
