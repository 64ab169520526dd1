import { KindlingError, type ConfKey, type SparkConf } from "@kindling/core-spec";
import { CONTAINER_IMAGE } from "../../keys/pod-keys.ts";

/** The image of one role: its own key, else the common one; `{{SPARK_VERSION}}` is replaced from Spark 4.1 on. */
export function containerImage(conf: SparkConf, own: ConfKey<string | undefined>, role: "driver" | "executor"): string {
  const image = conf.get(own) ?? conf.get(CONTAINER_IMAGE);
  if (image === undefined) {
    throw new KindlingError(
      "CONF_MISSING",
      `spark.kubernetes.container.image: must specify the ${role} container image`,
      {
        hint: `set it, or ${own.key} for the ${role} alone, such as apache/spark:${conf.version.text}`,
      },
    );
  }
  return conf.version.has("image-placeholder") ? image.replaceAll("{{SPARK_VERSION}}", conf.version.text) : image;
}
