import { sparkContainerOf } from "@kindling/core-spec";
import type { Pod } from "kubernetes-types/core/v1.js";
import { listOf, text } from "./untrusted.ts";

/**
 * The name of the container that runs Spark, as {@link sparkContainerOf} finds it; otherwise the last one, because Spark puts
 * it there.
 */
export function sparkContainer({ spec }: Pick<Pod, "spec">): string | undefined {
  const containers = listOf(spec?.containers);
  return text((sparkContainerOf(containers) ?? containers.at(-1))?.name);
}
