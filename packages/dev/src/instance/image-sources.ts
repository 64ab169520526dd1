import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Outside } from "@kindling/outside";
import type { DescribedImages } from "../images/described-images.ts";
import { localizerImage } from "../images/localizer-image.ts";
import { fetchSpark } from "../images/pypi/fetch-spark.ts";
import { PYPI } from "../images/pypi/source-archive.ts";
import { registeredImages } from "../images/registered-images.ts";
import { sparkImages } from "../images/spark/spark-images.ts";
import type { ClusterOptions } from "../args/cluster-options.ts";
import { sparkCacheFolder, type StatePaths } from "../state/state-paths.ts";

const require = createRequire(import.meta.url);

export const LOCALIZER_IMAGE = "kindling/localizer:dev";

/** The images that pods can name: the user's own first, then Spark's and the localizer. */
export function imageSources(
  options: ClusterOptions,
  paths: StatePaths,
  { clock, env }: Pick<Outside, "clock" | "env">,
  signal: AbortSignal,
): readonly DescribedImages[] {
  const cacheFolder = sparkCacheFolder(env);
  const index = env["PIP_INDEX_URL"] ?? PYPI;
  return [
    registeredImages(paths.images),
    sparkImages({
      homes: options.sparkHomes,
      env,
      cacheFolder,
      ...(options.mayFetch && { fetch: (version) => fetchSpark(version, { index, cacheFolder, env, clock, signal }) }),
    }),
    localizerImage({
      localizer: builtFile(require.resolve("@kindling/localizer/package.json"), "localizer"),
      commands: ["kindling-event-log-shipper", "kindling-event-log-mirror"].map((name) =>
        builtFile(require.resolve("@kindling/event-log-shipper/package.json"), name),
      ),
      node: process.execPath,
    }),
  ];
}

/** A program for Node, in the package of a manifest. */
function builtFile(manifest: string, name: string): string {
  return join(dirname(manifest), "dist", `${name}.cjs`);
}
