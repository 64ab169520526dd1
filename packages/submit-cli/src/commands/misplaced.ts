import type { SubmitArguments } from "@kindling/spark-arguments";

/**
 * Notices about what spark-submit accepts without a message although it does not work as the user expects: flags after the
 * application, and files of `--py-files` that Python cannot import. Each is a sentence for the user.
 */
export function misplaced({ appArgs, values }: SubmitArguments): readonly string[] {
  const flags = [...new Set(appArgs)].filter((word) => SPARKS_ALONE.has(word));
  const files = (values.get("--py-files") ?? "").split(",").map((file) => file.trim());
  return [
    ...flags.map(
      (flag) => `${flag} stands behind the application, which gets it; flags of submit stand before the application`,
    ),
    ...files
      .filter((file) => NO_MODULE.test(file))
      .map(
        (file) =>
          `--py-files ${file}: Python imports from .py, .zip, .egg and .whl alone; for packages that a file names, ` +
          "give a .zip of what pip install --target DIR -r FILE brings",
      ),
  ];
}

/** Flags that only spark-submit usually has; if a program has its own `--files`, the notice does no harm. */
const SPARKS_ALONE: ReadonlySet<string> = new Set([
  ...["--conf", "--num-executors", "--executor-memory", "--executor-cores", "--driver-memory", "--driver-cores"],
  ...["--files", "--py-files", "--jars", "--archives", "--packages"],
]);

/** Lists of packages, and archives that Python cannot read. */
const NO_MODULE = /\.(?:txt|toml|cfg|ya?ml|tar|tar\.gz|tgz)$/i;
