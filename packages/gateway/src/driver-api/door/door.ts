import type { KubeObject, ResourceName } from "@kindling/kube-objects";
import { type ApiError, forbidden } from "@kindling/api-server";
import { SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import { objectAt, objectsAt } from "../../json/fields.ts";
import { ownedByDriver } from "../../spark/owned-by-driver.ts";
import { prefixOfExecutor } from "../../spark/executor-name.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { ExecutorPrefixes } from "./executor-prefixes.ts";
import { isSparksOwn, labelsBeyond, unnamedLabel } from "./labels.ts";
import { withoutDriversOwn } from "../../checks/metadata.ts";
import { isClaimById, isExecutorConfigMap, isSetName, prefixesOfClaim, setNameForm } from "./names.ts";
import { claimTemplatesOf, type Made, shapeProblem } from "./shape.ts";
import { type SubmittedConfiguration, submittedConfiguration } from "./submitted-configuration.ts";

type Texts = Readonly<Record<string, string>>;

const OWN_PREFIX = [
  "<prefix> is spark.kubernetes.executor.podNamePrefix as the application was submitted, the name of the driver's pod,",
  "or a prefix that Spark has generated, and belongs to no other driver: set that key for the submission, not in the code",
].join(" ");

export interface DoorOptions {
  readonly client: KubeClient;
  readonly cluster: Pick<ClusterWatch, "pod" | "executorsCalled">;
  readonly applications: Pick<Applications, "all">;
}

/**
 * Every object that drivers want to create passes through here. Such an object later acts by itself, and other controllers
 * react to it. So it must be an object that Spark creates for this driver: with the driver's own names, labels and owners,
 * and without anything that keeps it from starting or from being deleted. What a pod may do when it runs is checked
 * elsewhere.
 */
export class Door {
  readonly #client: KubeClient;
  readonly #prefixes: ExecutorPrefixes;
  readonly #configurations = new WeakMap<Application, Promise<SubmittedConfiguration>>();

  constructor({ client, cluster, applications }: DoorOptions) {
    this.#client = client;
    const configurationOf = (application: Application): Promise<SubmittedConfiguration> =>
      this.#configurationOf(application);
    this.#prefixes = new ExecutorPrefixes({ cluster, applications, configurationOf });
  }

  /**
   * The object as it may be created: owned by the driver if it names no owner, and without labels and annotations that are
   * only for drivers.
   */
  arriving(application: Application, object: KubeObject): KubeObject {
    const owned = ownedByDriver(object, application.driver);
    const { labels, annotations } = owned.metadata;
    const metadata = {
      ...owned.metadata,
      ...(labels !== undefined && { labels: withoutDriversOwn(labels) }),
      ...(annotations !== undefined && { annotations: withoutDriversOwn(annotations) }),
    };
    return withOwnedClaims({ ...owned, metadata }, application.driver);
  }

  /**
   * Why a driver may not create this object; undefined if it may.
   *
   * @throws ApiError 503 if that depends on the driver's configuration, and the cluster cannot be asked for it
   */
  async refused(made: Made, application: Application, object: KubeObject): Promise<ApiError | undefined> {
    const problem =
      shapeProblem(made, application, object) ??
      (await this.#problemOfName(made, application, object)) ??
      (await this.#problemOfLabels(made, application, object));
    return problem === undefined ? undefined : forbidden(resourceOf(made), object.metadata.name, problem);
  }

  /**
   * Which of these labels a driver may not put on one of its executors, if any.
   *
   * @throws ApiError 503 if the cluster cannot be asked
   */
  async unnamedLabel(application: Application, labels: Texts, executor: string): Promise<string | undefined> {
    const beyond = labelsBeyond(labels, application.driver);
    if (Object.keys(beyond).length === 0) return undefined;
    const { executorLabels } = await this.#configurationOf(application);
    return unnamedLabel(beyond, executorLabels, { app: application.id, executor });
  }

  async #problemOfName(made: Made, application: Application, object: KubeObject): Promise<string | undefined> {
    const { name } = object.metadata;
    switch (made) {
      case "configmaps":
        if (isExecutorConfigMap(name)) return undefined;
        return "its name must be spark-exec-<id>-conf-map, as Spark calls the configuration of executors";
      case "statefulsets":
      case "deployments":
        if (isSetName(made, name, application.id)) return undefined;
        return `its name must be ${setNameForm(made, application.id)}, as Spark calls it`;
      case "pods": {
        const prefix = prefixOfExecutor(object);
        if (prefix !== undefined && (await this.#prefixes.belongsTo(application, prefix))) return undefined;
        return `its name must be <prefix>-exec-<its label ${SPARK_EXECUTOR_ID_LABEL}>, where ${OWN_PREFIX}`;
      }
      case "persistentvolumeclaims":
        return await this.#problemOfClaimName(application, name);
    }
  }

  async #problemOfClaimName(application: Application, name: string): Promise<string | undefined> {
    for (const prefix of prefixesOfClaim([], name)) {
      if (await this.#prefixes.belongsTo(application, prefix)) return undefined;
    }
    const { claimNames } = await this.#configurationOf(application);
    if (isClaimById(claimNames, name)) return undefined;
    for (const prefix of prefixesOfClaim(claimNames, name)) {
      if (await this.#prefixes.belongsTo(application, prefix)) return undefined;
    }
    const own = "or as spark.kubernetes.executor.volumes.persistentVolumeClaim.*.options.claimName says";
    return `its name must be <prefix>-exec-<id>-pvc-<number>, where ${OWN_PREFIX}; ${own}`;
  }

  async #problemOfLabels(made: Made, application: Application, object: KubeObject): Promise<string | undefined> {
    const { labels = {} } = object.metadata;
    const executor = (from: Texts): string => from[SPARK_EXECUTOR_ID_LABEL] ?? "";
    switch (made) {
      case "pods": {
        const label = await this.unnamedLabel(application, labels, executor(labels));
        return label === undefined ? undefined : labelWords("metadata", label);
      }
      case "configmaps":
        return wordsUnless(isSparksOwn, "metadata", labels);
      case "persistentvolumeclaims":
        return await this.#problemOfClaimLabels(application, "metadata", labels);
      case "statefulsets":
      case "deployments": {
        const template = textsAt(object, "spec", "template", "metadata", "labels");
        const label = await this.unnamedLabel(application, template, executor(template));
        if (label !== undefined) return labelWords("spec.template.metadata", label);
        for (const [index, claim] of claimTemplatesOf(object).entries()) {
          const path = `spec.volumeClaimTemplates[${index}].metadata`;
          const problem = await this.#problemOfClaimLabels(application, path, textsAt(claim, "metadata", "labels"));
          if (problem !== undefined) return problem;
        }
        return wordsUnless(isSparksOwn, "metadata", labels);
      }
    }
  }

  async #problemOfClaimLabels(application: Application, path: string, labels: Texts): Promise<string | undefined> {
    const beyond = labelsBeyond(labels, application.driver);
    if (Object.keys(beyond).length === 0) return undefined;
    const said = await this.#configurationOf(application);
    const label = unnamedLabel(beyond, said.claimLabels, { app: application.id, executor: "" });
    return label === undefined ? undefined : labelWords(path, label);
  }

  /** Read at most once. */
  async #configurationOf(application: Application): Promise<SubmittedConfiguration> {
    const known = this.#configurations.get(application) ?? submittedConfiguration(this.#client, application.driver);
    this.#configurations.set(application, known);
    try {
      return await known;
    } catch (error) {
      // It may be another time.
      this.#configurations.delete(application);
      throw error;
    }
  }
}

/**
 * Claims that the controller of a set creates are deleted with the driver, too: Spark does not delete them, and nobody would
 * find them.
 */
function withOwnedClaims(object: KubeObject, driver: KubeObject): KubeObject {
  const templates = claimTemplatesOf(object);
  if (templates.length === 0) return object;
  // Not as a controller reference: Kubernetes does not touch claims that another object controls.
  const { apiVersion, kind } = driver;
  const { name, uid } = driver.metadata;
  const owners = [{ apiVersion, kind, name, uid }];
  const owned = templates.map((template) => {
    const metadata = objectAt(template, "metadata");
    const isOwned = objectsAt(metadata, "ownerReferences").length > 0;
    return isOwned ? template : { ...template, metadata: { ...metadata, ownerReferences: owners } };
  });
  return { ...object, spec: { ...objectAt(object, "spec"), volumeClaimTemplates: owned } };
}

function textsAt(value: unknown, ...path: readonly string[]): Texts {
  const texts = Object.entries(objectAt(value, ...path));
  return Object.fromEntries(texts.map(([key, text]) => [key, typeof text === "string" ? text : JSON.stringify(text)]));
}

function labelWords(path: string, label: string): string {
  const where = "nor the submission (spark.kubernetes.executor.label.*, or the executors' pod template) names it so";
  return `it has ${path}.labels[${label}], and neither the driver's pod has it ${where}`;
}

function wordsUnless(holds: (label: string) => boolean, path: string, labels: Texts): string | undefined {
  const other = Object.keys(labels).find((label) => !holds(label));
  return other === undefined ? undefined : `it has ${path}.labels[${other}], and Spark writes no such label on it`;
}

function resourceOf(made: Made): ResourceName {
  return { group: made === "statefulsets" || made === "deployments" ? "apps" : "", resource: made };
}
