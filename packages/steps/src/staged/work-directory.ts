import type { SparkConf } from "@kindling/core-spec";
import { add, type SparkPod } from "../spark-pod.ts";
import type { PlacedDependency } from "./dependency-set.ts";
import { LOCALIZER_WORK_DIRECTORY } from "./localizer-keys.ts";

/** The volume with the dependencies in driver and executor pods. */
export const DEPENDENCIES_VOLUME = "spark-dependencies";

/**
 * Makes files and unpacked archives appear in the working directory, each by a mount of its own, so that the image's files
 * there stay visible. If there is anything to mount, the directory is set explicitly, because the image's own is not known
 * here.
 */
export function inWorkDirectory(
  sparkPod: SparkPod,
  conf: SparkConf,
  dependencies: readonly PlacedDependency[],
  role: "driver" | "executor",
): SparkPod {
  const shown = dependencies.filter(({ workName }) => workName !== undefined);
  if (shown.length === 0) return sparkPod;
  const workingDir = sparkPod.container.workingDir ?? conf.get(LOCALIZER_WORK_DIRECTORY);
  return add(
    { ...sparkPod, container: { ...sparkPod.container, workingDir } },
    {
      // The driver replaces the files that it copies there, and a mount cannot be replaced.
      volumeMounts: shown
        .filter(({ inSparkFiles }) => role === "executor" || inSparkFiles !== true || !canWriteThere(sparkPod))
        .map(({ name, workName = "" }) => ({
          name: DEPENDENCIES_VOLUME,
          mountPath: `${workingDir.replace(/\/$/, "")}/${workName}`,
          subPath: name,
        })),
    },
  );
}

/** The user of Spark's images, and root. */
const USERS_OF_THE_DIRECTORY: ReadonlySet<number | undefined> = new Set([undefined, 0, 185]);

/**
 * Whether Spark may write into the working directory, as far as the pod shows: in Spark's images it belongs to the user 185
 * and to root's group, which is also the group of users that the image does not know (Spark's
 * kubernetes/dockerfiles/spark/Dockerfile).
 */
export function canWriteThere({ pod, container }: SparkPod): boolean {
  const ofPod = pod.spec?.securityContext;
  const own = container.securityContext;
  if (own?.readOnlyRootFilesystem === true) return false;
  const group = own?.runAsGroup ?? ofPod?.runAsGroup ?? 0;
  return group === 0 || USERS_OF_THE_DIRECTORY.has(own?.runAsUser ?? ofPod?.runAsUser);
}
