import type { KnownFailure } from "./known-failure.ts";

/** Python modules that are missing where the application runs, or are not as it needs them. */
export const missingModules = (): readonly KnownFailure[] => [
  {
    words: /No module named '?([\w]+)\.[\w.]+'?; '?[\w.]+'? is not a package/,
    cause: "ModuleNotFound",
    advice: (name) => `a file of your own is named ${name}.py, and hides the package ${name}: give it another name`,
  },
  {
    words: /Error from python worker[^]*(?:No module named '?pyspark|pyspark\.daemon)/,
    cause: "ModuleNotFound",
    says: () => "the Python of an executor does not find pyspark",
    advice:
      "the Python of the executors does not find pyspark: take an image whose Python and Spark belong together for both, or correct spark.pyspark.python and PYTHONPATH (spark.executorEnv.PYTHONPATH)",
  },
  {
    words: /(?:ModuleNotFoundError: No module named|ImportError: No module named) '?([\w.]+)/,
    cause: "ModuleNotFound",
    advice: (name) =>
      `${name} is not in the Python that driver and executors run: give modules in pure Python with --py-files (a .py, a wheel, or a .zip of what pip install --target brings), compiled ones as an environment with --archives (venv-pack, conda-pack), or build them into the image`,
  },
  {
    words: /PACKAGE_NOT_INSTALLED\] (\S+)|(?:ImportError|PySparkImportError): (Pandas|PyArrow) .*must be installed/i,
    cause: "ModuleNotFound",
    advice: (one, other) =>
      `build ${one || other} into the image, for driver and executors, or give an environment that has it with --archives (venv-pack, conda-pack)`,
  },
  {
    words:
      /ImportError: .*(?:cannot open shared object file|GLIBC|undefined symbol|invalid ELF header|wrong ELF class)/,
    cause: "ModuleNotFound",
    advice:
      "a native library of the module does not go with the image: install the module in the image itself, or pack its environment in a container of that image",
  },
  {
    words: /ImportError: cannot import name '([^']+)' from '([^']+)'/,
    cause: "ModuleNotFound",
    advice: (_, module) =>
      `the image has another version of ${module} than the program was written for, or a file of your own has that name: pin its version in the image or the packed environment`,
  },
  {
    words:
      /(?:PYTHON_VERSION_MISMATCH|Python in worker has different version:? )(?:.*?version:? )?(\d[\d.]*)? ?(?:than that in driver:? (\d[\d.]*))?/,
    advice:
      "driver and executors need the same minor version of Python: one image for both (spark.kubernetes.container.image), the same spark.pyspark.python, and no PYSPARK_PYTHON that points elsewhere",
  },
];
