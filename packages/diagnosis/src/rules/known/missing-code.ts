import type { KnownFailure } from "./known-failure.ts";
import { missingClasses } from "./missing-classes.ts";
import { missingModules } from "./missing-modules.ts";

/** Classes, modules and programs that are missing where the application runs. */
export const missingCode = (): readonly KnownFailure[] => [
  ...missingClasses(),
  ...missingModules(),
  ...missingPrograms(),
];

const missingPrograms = (): readonly KnownFailure[] => [
  {
    words:
      /Cannot run program "([^"]+)"[^:]*: (?:error=2|Exec failed, error: 2)|(?:\/usr\/bin\/)?env: [\u2018']?(python[\d.]*|Rscript|R|bash)[\u2019']?: No such file/,
    cause: "FileNotFound",
    says: (program, other) => `${program || other} is not in the image, or is not on its PATH`,
    advice:
      "take an image with it (apache/spark:VERSION-python3, -r), or name the program that the image has: spark.pyspark.python, spark.r.command",
  },
  {
    words: /Cannot run program "([^"]+)"[^:]*: (?:error=13|Exec failed, error: 13)/,
    cause: "FileNotFound",
    says: (program) => `${program} cannot be run: permission denied`,
    advice: (program) =>
      `${program} is not executable for the container's user: chmod a+x in the image, or in the archive that brings it`,
  },
];
