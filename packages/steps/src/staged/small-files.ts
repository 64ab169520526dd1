import { SPARK_APP_ID_LABEL, type Secret, type Step } from "@kindling/core-spec";
import { add, onDriver, onExecutor, type SparkPod } from "../spark-pod.ts";
import type { Dependency, PlacedDependency } from "./dependency-set.ts";
import { LOCALIZER_DIRECTORY } from "./localizer-keys.ts";
import { SPARK_FILES_OVERRIDDEN, withFilesOfThePod } from "./spark-files.ts";
import { DEPENDENCIES_VOLUME, inWorkDirectory } from "./work-directory.ts";
import type { SparkConf } from "@kindling/core-spec";

/** A dependency that is small enough to travel in a Secret, with its content. */
export interface SmallFile extends Dependency {
  readonly content: Uint8Array;
}

/**
 * Brings a few small files into driver and executor pods in a Secret, without a server and without an init container. The old
 * fork did this too, but only for files.
 *
 * @param secretName the Secret that will hold them
 */
export function smallFiles(files: readonly SmallFile[], secretName: string): Step {
  return {
    name: "small-files",
    keys: [LOCALIZER_DIRECTORY],
    overrides: SPARK_FILES_OVERRIDDEN,
    configureDriver(spec, { conf, namespace, appId }) {
      const secret: Secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: secretName, namespace, labels: { [SPARK_APP_ID_LABEL]: appId } },
        type: "Opaque",
        data: Object.fromEntries(files.map(({ content }, i) => [keyOf(i), Buffer.from(content).toString("base64")])),
      };
      const changed = onDriver(spec, (sparkPod) => withFiles(sparkPod, conf, files, secretName, "driver"));
      const named = withFilesOfThePod(changed, conf, files);
      return { ...named, preKubernetesResources: [...named.preKubernetesResources, secret] };
    },
    configureExecutor: smallFilesOfExecutors(files, secretName),
  };
}

/** The executor half, which needs no content. */
export function smallFilesOfExecutors(
  files: readonly PlacedDependency[],
  secretName: string,
): NonNullable<Step["configureExecutor"]> {
  return (spec, { conf }) => onExecutor(spec, (sparkPod) => withFiles(sparkPod, conf, files, secretName, "executor"));
}

function keyOf(index: number): string {
  return `file-${index}`;
}

/**
 * Whether an object is the Secret with such files: it is a Secret only because of its limit, and hides what the application
 * prints.
 */
export function holdsSmallFiles({ kind, data }: { readonly kind?: string; readonly data?: object }): boolean {
  const keys = Object.keys(data ?? {});
  return kind === "Secret" && keys.length > 0 && keys.every((key, index) => key === keyOf(index));
}

function withFiles(
  sparkPod: SparkPod,
  conf: SparkConf,
  files: readonly PlacedDependency[],
  secretName: string,
  role: "driver" | "executor",
): SparkPod {
  const needed = ({ kind }: PlacedDependency): boolean => role === "driver" || kind !== "application";
  const items = files.flatMap((file, i) => (needed(file) ? [{ key: keyOf(i), path: file.name }] : []));
  if (items.length === 0) return sparkPod;
  const mounted = add(sparkPod, {
    volumes: [{ name: DEPENDENCIES_VOLUME, secret: { secretName, items } }],
    volumeMounts: [{ name: DEPENDENCIES_VOLUME, mountPath: conf.get(LOCALIZER_DIRECTORY), readOnly: true }],
  });
  return inWorkDirectory(mounted, conf, files.filter(needed), role);
}
