import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { wantedReplicas } from "../applications/executor-set.ts";
import { objectAt } from "../../json/fields.ts";
import { WANTED_REPLICAS } from "../../spark/marks.ts";

/** What tells of a set, also to the next gateway, how many executors its driver wants. */
export function wish(applicationId: string, replicas: number): Pick<KubeObject["metadata"], "labels" | "annotations"> {
  // By the label the gateway finds the set: Spark gives a set none.
  return { labels: { [SPARK_APP_ID_LABEL]: applicationId }, annotations: { [WANTED_REPLICAS]: String(replicas) } };
}

/** A set as it is made: without any executor, because none is admitted yet. */
export function wantedSet(set: KubeObject, applicationId: string, replicas: number): KubeObject {
  const { labels, annotations } = wish(applicationId, replicas);
  const metadata = {
    ...set.metadata,
    labels: { ...set.metadata.labels, ...labels },
    annotations: { ...set.metadata.annotations, ...annotations },
  };
  return { ...set, metadata, spec: { ...objectAt(set, "spec"), replicas: 0 } };
}

/** A set as its driver sees it: with as many replicas as it has asked for. */
export function askedSet(set: KubeObject): KubeObject {
  return { ...set, spec: { ...objectAt(set, "spec"), replicas: wantedReplicas(set) } };
}
