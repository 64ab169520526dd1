import type { Redactor } from "@kindling/core-spec";
import type { ScheduledSparkApplicationSpec, SparkApplicationSpec } from "@kindling/spark-application";
import { secretsIn } from "@kindling/submit";
import type { OperatedObject } from "./operated-object.ts";
import { fieldsOf, type Unread } from "./untrusted.ts";

/** Hides the secrets of an object's configuration: messages of other programs may quote them. */
export function hideSecrets({ spec }: OperatedObject, secrets: Redactor): void {
  const own: Unread<SparkApplicationSpec & ScheduledSparkApplicationSpec> = fieldsOf(spec);
  const template: Unread<SparkApplicationSpec> = fieldsOf(own.template);
  for (const { sparkConf, hadoopConf } of [own, template]) {
    const entries = Object.entries({ ...fieldsOf(sparkConf), ...fieldsOf(hadoopConf) });
    const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    for (const secret of secretsIn(Object.fromEntries(texts))) secrets.hide(secret);
  }
}
