import type { KubeObject } from "@kindling/api-server";
import type { Application } from "../applications/application.ts";
import type { Applications } from "../applications/applications.ts";
import { hasEnded, isDriver, isOfDriver } from "../spark/spark-pod.ts";
import type { ClusterWatch } from "../upstream/cluster-watch.ts";
import { configuredPrefix, isGenerated } from "./names.ts";
import type { SubmittedConfiguration } from "./submitted-configuration.ts";

/**
 * By what a prefix of executors' names is a driver's, the strongest last: Spark has made it up for whoever used it first;
 * the submission says so, or has called the driver's pod so; the driver's pod is called so, with `-driver`, as Spark and
 * Kindling call it.
 */
const STRENGTH = { none: 0, generated: 1, submission: 2, driverName: 3 } as const;
type Strength = (typeof STRENGTH)[keyof typeof STRENGTH];

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
   * Whether the names of an application's executors may begin so. Two submissions that say the same share it, as they do
   * without a gateway.
   *
   * @throws ApiError 503 if the cluster cannot be asked
   */
  async belongsTo(application: Application, prefix: string): Promise<boolean> {
    if (this.#generated.get(application)?.has(prefix) === true) return true;
    const own = await this.#strengthOf(application, prefix);
    const others = this.#strengthOfOthers(application, prefix);
    const isOwn = own > others || (own === others && own === STRENGTH.submission);
    if (isOwn && own === STRENGTH.generated) this.#remember(application, prefix);
    return isOwn;
  }

  async #strengthOf(application: Application, prefix: string): Promise<Strength> {
    const { driverName } = application;
    if (driverName === `${prefix}-driver`) return STRENGTH.driverName;
    if (driverName === prefix) return STRENGTH.submission;
    // Most drivers say nothing: their configuration is not worth a question.
    if (isGenerated(prefix) && this.#strengthOfOthers(application, prefix) === STRENGTH.none) return STRENGTH.generated;
    const said = configuredPrefix((await this.#options.configurationOf(application)).conf);
    if (said !== undefined) this.#submitted.set(application, said);
    if (said === prefix) return STRENGTH.submission;
    return isGenerated(prefix) ? STRENGTH.generated : STRENGTH.none;
  }

  #strengthOfOthers(application: Application, prefix: string): Strength {
    const { cluster, applications } = this.#options;
    const { namespace, driverUid, driverRef } = application;
    const isOtherDriver = (pod: KubeObject | undefined): boolean =>
      pod !== undefined && isDriver(pod) && !hasEnded(pod) && pod.metadata.uid !== driverUid;
    if (isOtherDriver(cluster.pod(namespace, `${prefix}-driver`))) return STRENGTH.driverName;
    if (isOtherDriver(cluster.pod(namespace, prefix))) return STRENGTH.submission;
    const others = [...applications.all()].filter((one) => one !== application && one.namespace === namespace);
    if (others.some((other) => this.#submitted.get(other) === prefix)) return STRENGTH.submission;
    const isUsed =
      others.some((other) => this.#generated.get(other)?.has(prefix) === true) ||
      cluster.executorsCalled(namespace, prefix).some((pod) => !isOfDriver(pod, driverRef));
    return isUsed ? STRENGTH.generated : STRENGTH.none;
  }

  #remember(application: Application, prefix: string): void {
    const known = this.#generated.get(application) ?? new Set();
    this.#generated.set(application, known.add(prefix));
    const [oldest] = known;
    if (known.size > MOST_GENERATED && oldest !== undefined) known.delete(oldest);
  }
}
