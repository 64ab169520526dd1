import { ProcessRuntime, type Runtime } from "@kindling/devcluster";
import type { DescribedImages } from "../images/described-images.ts";
import { noOtherImages } from "../images/no-other-images.ts";
import type { StatePaths } from "../state/state-paths.ts";

/**
 * The runtime of the pods: processes of this machine. Its folder can have only one owner, so this also locks the state
 * folder.
 */
export function podRuntime(images: readonly DescribedImages[], paths: StatePaths): Runtime {
  const others = noOtherImages(images, `others can be registered in ${paths.images}`);
  return new ProcessRuntime({ images: [...images, others], stateFolder: paths.runtime });
}
