import { confKey, confType, type ConfKey, type LocalFile, type Submission } from "@kindling/core-spec";
import { plainPath } from "../uris.ts";

export const CONFIG_MAP_MAX_SIZE: ConfKey<number> = confKey({
  key: "spark.kubernetes.configMap.maxSize",
  type: confType.checked(confType.long, (size) => size <= 1_048_576, "a number of at most 1048576"),
  default: "1048576",
  since: "3.1.0",
  readBy: ["submit", "driver", "executor"],
  doc: "How many characters of configuration go into a ConfigMap at most. Files above this limit are left out.",
});

/** What is needed to find and read the configuration directory. */
export type ConfDir = Pick<Submission, "conf" | "env" | "files" | "notice">;

/**
 * The files of the submitter's configuration directory that go into the driver's ConfigMap, by name
 * (KubernetesClientUtils.loadSparkConfDirFiles): no archives, no templates, and not Spark's own properties. Small files come
 * first, as long as there is room.
 */
export function confDirFiles({ conf, env, files, notice }: ConfDir): Record<string, string> {
  const directory = env["SPARK_CONF_DIR"] ?? sparkHomeConf(conf.raw("spark.home"));
  const maxSize = conf.get(CONFIG_MAP_MAX_SIZE);
  const candidates = (directory === undefined ? undefined : files.listFiles(plainPath(directory))) ?? [];

  const taken: Record<string, string> = {};
  const skipped: string[] = [];
  let size = 0;
  for (const file of bySize(candidates.filter((candidate) => isEligible(candidate, maxSize)))) {
    const { name, path } = file;
    // A character takes at most three bytes: if a file cannot fit any more, it is not read.
    const isTooLarge = size + name.length + file.size / 3 >= maxSize;
    const text = isTooLarge ? "" : files.readText(path);
    if (isTooLarge) {
      skipped.push(name);
    } else if (text === undefined) {
      notice(`${path} is left out of the driver's configuration, because it is not a UTF-8 text`);
    } else if (size + name.length + text.length < maxSize) {
      taken[name] = text;
      size += name.length + text.length;
    } else {
      skipped.push(name);
    }
  }
  if (skipped.length > 0) {
    notice(`${skipped.join(", ")} left out of the driver's configuration, which ${CONFIG_MAP_MAX_SIZE.key} limits`);
  }
  return taken;
}

function sparkHomeConf(home: string | undefined): string | undefined {
  return home === undefined ? undefined : `${home}/conf`;
}

function isEligible({ name, size }: LocalFile, maxSize: number): boolean {
  return (
    size + name.length <= maxSize &&
    !/^.*\.(gz|zip|jar|tar)$/.test(name) &&
    !/^.*\.template$/.test(name) &&
    !/^spark.*(conf|properties)$/.test(name)
  );
}

function bySize(files: readonly LocalFile[]): LocalFile[] {
  const weight = ({ name, size }: LocalFile): number => name.length + size;
  return [...files].sort((a, b) => weight(a) - weight(b) || (a.path < b.path ? -1 : 1));
}
