import type { JsonObject, KubeObject, OwnerReference } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { Application } from "../../views/applications/application.ts";
import { objectAt, objectsAt } from "../../json/fields.ts";
import type { SetKind } from "../../spark/set-marks.ts";
import { driverAlone, gatesProblem, metadataProblem, type Owners } from "../../checks/metadata.ts";

/** The kinds of objects that a driver can create, in the plural. */
export type Made = "pods" | "configmaps" | "persistentvolumeclaims" | SetKind;

/**
 * What is wrong with an object and the templates in it, apart from its name: wrong owners, and anything that would keep it
 * from starting or from being deleted.
 */
export function shapeProblem(made: Made, application: Application, object: KubeObject): string | undefined {
  const metadata: JsonObject = { ...object.metadata };
  const own = driverAlone(application.driverRef);
  switch (made) {
    case "pods":
      return metadataProblem(metadata, "metadata", own) ?? gatesProblem(objectAt(object, "spec"), "spec");
    case "configmaps":
      return applicationProblem(application, object) ?? metadataProblem(metadata, "metadata", own);
    case "persistentvolumeclaims":
      return applicationProblem(application, object) ?? metadataProblem(metadata, "metadata", ownPods(application));
    case "statefulsets":
    case "deployments":
      return metadataProblem(metadata, "metadata", own) ?? templatesProblem(object, own);
  }
}

/** The templates of a set's claims. */
export function claimTemplatesOf(set: KubeObject): JsonObject[] {
  return objectsAt(set, "spec", "volumeClaimTemplates");
}

function templatesProblem(set: KubeObject, own: Owners): string | undefined {
  const template = objectAt(set, "spec", "template");
  const ofPods =
    metadataProblem(objectAt(template, "metadata"), "spec.template.metadata", own) ??
    gatesProblem(objectAt(template, "spec"), "spec.template.spec");
  if (ofPods !== undefined) return ofPods;
  const ofClaims = claimTemplatesOf(set).map((claim, index) =>
    metadataProblem(objectAt(claim, "metadata"), `spec.volumeClaimTemplates[${index}].metadata`, own),
  );
  return ofClaims.find((problem) => problem !== undefined);
}

function applicationProblem({ id }: Application, { metadata: { labels } }: KubeObject): string | undefined {
  if (labels?.[SPARK_APP_ID_LABEL] === id) return undefined;
  return `its label ${SPARK_APP_ID_LABEL} must be that of the driver's own application, ${id}`;
}

/** The driver's pod and its executors, by the uids that the driver knows. */
function ownPods({ pods }: Application): Owners {
  const mayOwn = ({ apiVersion, kind, name, uid }: OwnerReference): boolean =>
    apiVersion === "v1" && kind === "Pod" && pods.get(name)?.uid === uid;
  return { mayOwn, words: "its owners can only be the driver's pod and its executors" };
}
