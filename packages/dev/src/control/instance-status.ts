import type { ChosenSpark } from "../spark/choose-spark.ts";

export interface GatewayStatus {
  readonly uri: string;
  /** The address for a browser. */
  readonly page: string;
}

/** What keeps logs and more of applications that have ended: a folder, or the reason why nothing is kept. */
export type HistoryStatus = { readonly archive: string } | { readonly fault: string };

/** The status of a running instance. */
export interface InstanceStatus {
  readonly pid: number;
  /** RFC 3339. */
  readonly since: string;
  /** The API server. */
  readonly url: string;
  readonly nodes: number;
  readonly kubeconfig: string;
  /** The value for `SPARK_CONF_DIR`. */
  readonly confDir: string;
  readonly log: string;
  readonly staging: string;
  /** The gateway that drivers connect to instead of the API server, and its page; missing if they connect to the API server. */
  readonly gateway?: GatewayStatus | undefined;
  /** Whether an operator runs SparkApplications; missing if there is none. */
  readonly operator?: boolean | undefined;
  /** Missing if the instance is of a version that kept nothing. */
  readonly history?: HistoryStatus | undefined;
  /** The Spark of applications that name no image, and the Java that it runs on. */
  readonly spark: ChosenSpark;
  /** The image of applications that name none. */
  readonly image: string;
}

/** The answer to a status request, which examines the machine. */
export interface InstanceReport extends InstanceStatus {
  /** One line for each image or kind of images. */
  readonly images: readonly string[];
}
