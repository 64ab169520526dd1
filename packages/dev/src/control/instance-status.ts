import type { ChosenSpark } from "../spark/choose-spark.ts";

export interface GatewayStatus {
  readonly uri: string;
  /** For a browser. */
  readonly page: string;
}

/** What a running instance tells of itself. */
export interface InstanceStatus {
  readonly pid: number;
  /** RFC 3339. */
  readonly since: string;
  /** The API server. */
  readonly url: string;
  readonly nodes: number;
  readonly kubeconfig: string;
  /** For `SPARK_CONF_DIR`. */
  readonly confDir: string;
  readonly log: string;
  readonly staging: string;
  /** What drivers talk to instead of the API server, and the page about it; missing where they talk to the API server. */
  readonly gateway?: GatewayStatus | undefined;
  /** Whether an operator runs SparkApplications; missing where there is none. */
  readonly operator?: boolean | undefined;
  /** The Spark of applications that name no image, and the Java that it runs on. */
  readonly spark: ChosenSpark;
  /** The image of applications that name none. */
  readonly image: string;
}

/** What it tells when it is asked, which takes a look at the machine. */
export interface InstanceReport extends InstanceStatus {
  /** One line for each image or kind of images. */
  readonly images: readonly string[];
}
