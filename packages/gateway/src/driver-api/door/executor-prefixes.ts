import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import { isDriver, isOfDriver } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { isGenerated } from "./names.ts";
import type { SubmittedConfiguration } from "./submitted-configuration.ts";
import { isOver } from "../../spark/driver-phase.ts";

/** A driver has one prefix, unless its code starts Spark again and again. Older ones are forgotten. */
const MOST_GENERATED = 100;

export interface ExecutorPrefixesOptions {
  readonly cluster: Pick<ClusterWatch, "pod" | "executorsCalled">;
  readonly applications: Pick<Applications, "all">;
  readonly configurationOf: (application: Application) => Promise<SubmittedConfiguration>;
}

/** Decides to which driver the names of executors belong: no driver may take names that another one will need. */
export class ExecutorPrefixes {
  readonly #options: ExecutorPrefixesOptions;
  /** Prefixes that Spark has generated, by the application that uses them. */
  readonly #generated = new WeakMap<Application, Set<string>>();
  /** Prefixes from submissions, as far as they were needed. */
  readonly #submitted = new WeakMap<Application, string>();

  constructor(options: ExecutorPrefixesOptions) {
    this.#options = options;
  }

  /**
   * Whether the names of an application's executors may begin with this prefix. They may if its driver's pod is called
   * `<prefix>-driver`, as Spark and Kindling name it; if its driver's pod is called `<prefix>`; if Spark has generated the
   * prefix and nobody else uses it; or if the submission sets it. If another driver's pod is called `<prefix>-driver`, the
   * last three rules do not apply. Two submissions that set the same prefix share it, as they do without a gateway.
   *
   * @throws ApiError 503 if the cluster cannot be asked
   */
  async belongsTo(application: Application, prefix: string): Promise<boolean> {
    if (this.#generated.get(application)?.has(prefix) === true) return true;
    const { driverName } = application;
    if (driverName === `${prefix}-driver`) return true;
    if (this.#isOtherDriver(application, `${prefix}-driver`)) return false;
    if (driverName === prefix) return true;
    // Most submissions set no prefix, so the cluster is not asked for their configuration.
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
