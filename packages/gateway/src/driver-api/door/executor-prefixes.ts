import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import { isDriver, isOfDriver } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { isGenerated } from "./names.ts";
import type { SubmittedConfiguration } from "./submitted-configuration.ts";
import { isOver } from "../../spark/driver-phase.ts";

/** A driver has one, unless its code starts Spark again and again: more are forgotten. */
const MOST_GENERATED = 100;

export interface ExecutorPrefixesOptions {
  readonly cluster: Pick<ClusterWatch, "pod" | "executorsCalled">;
  readonly applications: Pick<Applications, "all">;
  readonly configurationOf: (application: Application) => Promise<SubmittedConfiguration>;
}

/** Whose the names of executors are: no driver shall take those that another one will need. */
export class ExecutorPrefixes {
  readonly #options: ExecutorPrefixesOptions;
  /** Those that Spark has made up, by whoever uses them. */
  readonly #generated = new WeakMap<Application, Set<string>>();
  /** What submissions say, as far as anybody had to know. */
  readonly #submitted = new WeakMap<Application, string>();

  constructor(options: ExecutorPrefixesOptions) {
    this.#options = options;
  }

  /**
   * Whether the names of an application's executors may begin so: because its driver's pod is called so, with `-driver` as
   * Spark and Kindling call it, or without; because Spark has made it up, and nobody else uses it; or because the submission
   * says so. Another driver's pod that is called so with `-driver` comes before the last three. Two submissions that say the same share
   * it, as they do without a gateway.
   *
   * @throws ApiError 503 if the cluster cannot be asked
   */
  async belongsTo(application: Application, prefix: string): Promise<boolean> {
    if (this.#generated.get(application)?.has(prefix) === true) return true;
    const { driverName } = application;
    if (driverName === `${prefix}-driver`) return true;
    if (this.#isOtherDriver(application, `${prefix}-driver`)) return false;
    if (driverName === prefix) return true;
    // Most submissions say nothing: their configuration is not worth a question.
    if (isGenerated(prefix) && !this.#isInUse(application, prefix)) {
      this.#remember(application, prefix);
      return true;
    }
    const { podNamePrefix } = await this.#options.configurationOf(application);
    if (podNamePrefix !== undefined) this.#submitted.set(application, podNamePrefix);
    return podNamePrefix === prefix;
  }

  /** Whether another driver uses a prefix, or will. */
  #isInUse(application: Application, prefix: string): boolean {
    const { cluster, applications } = this.#options;
    const { namespace, driverRef } = application;
    if (this.#isOtherDriver(application, prefix)) return true;
    const others = [...applications.all()].filter((one) => one !== application && one.namespace === namespace);
    return (
      others.some(
        (other) => this.#submitted.get(other) === prefix || this.#generated.get(other)?.has(prefix) === true,
      ) || cluster.executorsCalled(namespace, prefix).some((pod) => !isOfDriver(pod, driverRef))
    );
  }

  #isOtherDriver({ namespace, driverUid }: Application, name: string): boolean {
    const pod = this.#options.cluster.pod(namespace, name);
    return pod !== undefined && isDriver(pod) && !isOver(pod) && pod.metadata.uid !== driverUid;
  }

  #remember(application: Application, prefix: string): void {
    const known = this.#generated.get(application) ?? new Set();
    this.#generated.set(application, known.add(prefix));
    const [oldest] = known;
    if (known.size > MOST_GENERATED && oldest !== undefined) known.delete(oldest);
  }
}
