import type { DescribedImages, DevClusterOptions } from "@kindling/devcluster";
import type { StatePaths } from "../state/state-paths.ts";

/** What runs the pods. */
export function podRuntime(
  _images: readonly DescribedImages[],
  _paths: StatePaths,
): Pick<DevClusterOptions, "runtime" | "volumeFolder"> {
  return { runtime: "hollow" };
}
