import { confKey, confType, type ConfKey, type ConfType, type SparkConf } from "@kindling/core-spec";

/** Keys for the `limits` of the localizer's configuration, with the defaults that it has itself. */

const size: ConfType<number> = confType.checked(
  confType.bytes("b"),
  (bytes) => bytes >= 0,
  "a number of bytes, or 64g",
);

function limitKey(name: string, type: ConfType<number>, preset: string, doc: string): ConfKey<number> {
  const key = `spark.kindling.localizer.limits.${name}`;
  return confKey({ key, type, default: preset, since: "3.5.0", readBy: ["submit"], doc });
}

const absolutePaths: ConfType<readonly string[]> = confType.checked(
  confType.list,
  (paths) => paths.every((path) => path.startsWith("/") && !/\/\.\.?(\/|$)/.test(path)),
  "a list of absolute paths",
);

function count(least: number, most: number, expected: string): ConfType<number> {
  return confType.checked(confType.int, (number) => number >= least && number <= most, expected);
}

const KEYS = {
  maxFileBytes: limitKey("maxFileBytes", size, "64g", "How large one dependency may be as it is fetched."),
  maxUnpackedBytes: limitKey("maxUnpackedBytes", size, "16g", "How many bytes one archive may unpack to."),
  maxUnpackedFiles: limitKey(
    "maxUnpackedFiles",
    count(0, 2 ** 31 - 1, "a number from 0"),
    "200000",
    "Files, links and directories that one archive may make.",
  ),
  maxDepth: limitKey(
    "maxDepth",
    count(1, 2048, "a number from 1 to 2048"),
    "128",
    "How many parts a path in an archive may have.",
  ),
  maxRatio: limitKey(
    "maxRatio",
    count(1, 2 ** 31 - 1, "a number from 1"),
    "200",
    "Unpacked bytes of an archive for each packed byte, after the first MiB.",
  ),
  absoluteLinks: confKey({
    key: "spark.kindling.localizer.limits.absoluteLinks",
    type: absolutePaths,
    default: "/",
    since: "3.5.0",
    readBy: ["submit"],
    doc: "Directories of Spark's image that absolute links in archives may lead to, such as /usr. Links to /proc, /sys, /dev, /run and /var/run, and to the localizer's own volumes, are always refused.",
  }),
} as const;

export const LOCALIZER_LIMITS: readonly ConfKey<number | readonly string[]>[] = Object.values(KEYS);

export type LocalizerLimits = Readonly<Record<string, number | readonly string[]>>;

/** The limits that were set, in the localizer's form; `undefined` if none was set. */
export function localizerLimits(conf: SparkConf): LocalizerLimits | undefined {
  const set = Object.entries(KEYS).filter(([, key]) => conf.has(key));
  return set.length === 0
    ? undefined
    : Object.fromEntries(set.map(([name, key]) => [name, conf.get<number | readonly string[]>(key)]));
}
