import type { KubeObject } from "@kindling/kube-objects";
import { ApiError } from "@kindling/api-server";
import { isKindlingError, KindlingError, SCHEDULER_EXECUTOR_STEPS_ANNOTATION, type Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { HANDOVER_ENTRY, parseHandover, PROPERTIES_FILE } from "@kindling/steps";
import type { Application } from "../../../views/applications/application.ts";
import { configMapEntries } from "../../../cluster/config-map-entries.ts";
import { configuredExecutor, type ConfiguredExecutor } from "./configured-executor.ts";
import { driverConfMap, executorRecipe, type ExecutorRecipe } from "./executor-recipe.ts";

/** Adds to an executor what its application's steps say; the same pod where there are none. */
export type ConfigureExecutor = (asked: KubeObject) => ConfiguredExecutor;

/**
 * Runs the executor part of steps for applications that leave this to the gateway: steps that bring dependencies, and steps
 * that the gateway's administrator has installed. The application's data for them is read once, from ConfigMaps. An
 * application can only choose among the installed steps; it brings no code.
 */
export class ExecutorSteps {
  readonly #client: KubeClient;
  readonly #installed: readonly Step[];
  readonly #recipes = new WeakMap<Application, Promise<ExecutorRecipe | undefined>>();

  constructor(client: KubeClient, installed: readonly Step[]) {
    this.#client = client;
    this.#installed = installed;
  }

  /**
   * What to do for the executors of an application. The cluster is asked only for the first of them.
   *
   * @throws ApiError 422 if the gateway cannot do what the application says, 503 if the cluster cannot be asked; the returned
   * function throws 422 with the name of the step that failed
   */
  async of(application: Application): Promise<ConfigureExecutor> {
    const recipe = await this.recipe(application);
    return (asked) => {
      if (recipe === undefined) return { pod: asked, objects: [], wanted: asked };
      try {
        return configuredExecutor(recipe, application, asked);
      } catch (error) {
        throw refused(error, asked.metadata.name);
      }
    };
  }

  /**
   * The recipe for all executors of an application; undefined for an application that leaves nothing to the gateway.
   *
   * @throws ApiError 422 if the gateway cannot do what the application says, 503 if the cluster cannot be asked
   */
  async recipe(application: Application): Promise<ExecutorRecipe | undefined> {
    const known = this.#recipes.get(application) ?? this.#read(application);
    this.#recipes.set(application, known);
    try {
      return await known;
    } catch (error) {
      // The next attempt may succeed.
      this.#recipes.delete(application);
      throw refused(error, "");
    }
  }

  async #read({ driver, namespace }: Application): Promise<ExecutorRecipe | undefined> {
    const named = driver.metadata.annotations?.[SCHEDULER_EXECUTOR_STEPS_ANNOTATION];
    if (named === undefined) return undefined;
    const [handed, configuration] = await Promise.all([
      this.#entries(namespace, named, HANDOVER_ENTRY),
      this.#entries(namespace, driverConfMap(driver), PROPERTIES_FILE),
    ]);
    const handover = parseHandover(handed[HANDOVER_ENTRY] ?? "");
    // The contents may be confidential, so they are not quoted.
    if (handover === undefined) throw unusable(`${HANDOVER_ENTRY} of the ConfigMap ${named} cannot be read`);
    return executorRecipe(driver, handover, configuration, this.#installed);
  }

  /** The entries of a ConfigMap, if it has this entry. */
  async #entries(namespace: string, name: string | undefined, entry: string): Promise<Record<string, string>> {
    if (name === undefined) throw unusable("the driver's pod mounts no configuration");
    const entries = await configMapEntries(this.#client, namespace, name);
    if (entries[entry] === undefined) throw unusable(`there is no ConfigMap ${name} with an entry ${entry}`);
    return entries;
  }
}

function unusable(what: string): KindlingError {
  return new KindlingError("STEP_FAILED", `the steps of its executors are not known: ${what}`, {
    hint: "submit the application again with this version of kindling",
  });
}

function refused(error: unknown, name: string): unknown {
  if (!isKindlingError(error)) return error;
  const hint = error.hint === undefined ? "" : ` (${error.hint})`;
  const subject = name === "" ? "executors of this driver cannot be made" : `executor ${name} cannot be made`;
  return new ApiError(422, "Invalid", `${subject}: ${error.message}${hint}`, {
    kind: "Pod",
    ...(name !== "" && { name }),
  });
}
