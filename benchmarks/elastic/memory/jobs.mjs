// @ts-check
// Jobs that need more memory than they ask for. Each of them is what somebody has reported to fail.

/** @typedef {Readonly<Record<string, string>>} Conf */

/**
 * @typedef {object} HungryJob
 * @property {string} name
 * @property {string} kind of hungry.py
 * @property {number} amount
 * @property {boolean} [isFirst] whether it needs its memory at its beginning
 * @property {Conf} [conf] what it asks for besides
 * @property {Conf} right what it should have asked for
 */

const HEAP = { "spark.executor.memory": "1536m" };
const CONTAINER = { "spark.executor.memoryOverhead": "1408m" };
const TWO_TASKS = { "spark.executor.cores": "2" };
/** Files in the local directories are in memory. */
const TMPFS = { "spark.kubernetes.local.dirs.tmpfs": "true" };
/** A program that may run again from its beginning. */
const RESTART = { "spark.kindling.driver.restart": "onFailure", "spark.kindling.driver.restart.backoff": "1s" };
/** On nodes with cgroup v1, the kernel ends a Python worker alone, and only another run of the driver helps. */
const PYTHON = RESTART;
const DRIVER_HEAP = { "spark.driver.memory": "1536m" };
const ALL_ROWS = { "spark.driver.maxResultSize": "0" };

/** @type {readonly HungryJob[]} */
export const HUNGRY_JOBS = [
  { name: "a text of 330 MiB", kind: "text", amount: 330, right: HEAP },
  { name: "a text of 450 MiB", kind: "text", amount: 450, right: { "spark.executor.memory": "2g" } },
  { name: "two tasks at once with texts", kind: "texts", amount: 210, conf: TWO_TASKS, right: HEAP },
  { name: "collect_list of one key", kind: "skewed-list", amount: 150, right: HEAP },
  { name: "collect_list of one key, two tasks", kind: "skewed-list", amount: 160, conf: TWO_TASKS, right: HEAP },
  { name: "collect_set of one key", kind: "skewed-set", amount: 120, right: HEAP },
  { name: "sort_array of one list", kind: "sorted-list", amount: 160, right: HEAP },
  { name: "an exact percentile", kind: "percentile", amount: 4_000, right: HEAP },
  { name: "split into many words", kind: "words", amount: 8_000, right: HEAP },
  {
    name: "a broadcast table in executors",
    kind: "joined",
    amount: 5_500,
    conf: { "spark.driver.memory": "1536m" },
    right: HEAP,
  },
  { name: "a Python function", kind: "python", amount: 800, conf: PYTHON, right: CONTAINER },
  { name: "two Python workers", kind: "pythons", amount: 560, conf: { ...TWO_TASKS, ...PYTHON }, right: CONTAINER },
  { name: "a dictionary of Python", kind: "table", amount: 4_000, conf: PYTHON, right: CONTAINER },
  { name: "buffers of native code", kind: "native", amount: 800, conf: PYTHON, right: CONTAINER },
  { name: "groupByKey of one key in Python", kind: "grouped", amount: 800, conf: PYTHON, right: CONTAINER },
  { name: "a program beside the executor", kind: "piped", amount: 800, conf: PYTHON, right: CONTAINER },
  { name: "files in memory", kind: "files", amount: 800, conf: TMPFS, right: CONTAINER },
  // A driver that ends runs its program again from the beginning.
  {
    name: "a broadcast in the driver",
    kind: "driver-broadcast",
    amount: 5_000,
    isFirst: true,
    conf: RESTART,
    right: DRIVER_HEAP,
  },
  {
    name: "collect of 350 MiB in the driver",
    kind: "driver-collect",
    amount: 350,
    isFirst: true,
    conf: { ...RESTART, ...ALL_ROWS },
    right: DRIVER_HEAP,
  },
  {
    name: "Python in the driver",
    kind: "driver-python",
    amount: 700,
    isFirst: true,
    conf: RESTART,
    right: { "spark.driver.memoryOverhead": "1408m" },
  },
];

/** It needs more than it may get. */
export const HOPELESS_JOB = {
  name: "files in memory, more than spark.kindling.memory.max",
  kind: "files",
  amount: 1_500,
  conf: { ...TMPFS, "spark.kindling.memory.max": "1300m" },
};

/** @type {readonly Omit<HungryJob, "right">[]} */
const SMALL_JOBS = [
  { name: "a text of 100 MiB", kind: "text", amount: 100 },
  { name: "a small Python function", kind: "python", amount: 300 },
  { name: "a small dictionary of Python", kind: "table", amount: 1_500 },
];

/** Jobs that ask for much more than they need. */
export const OVERSIZED_JOBS = [...HUNGRY_JOBS.filter(({ kind }) => !kind.startsWith("driver")), ...SMALL_JOBS].map(
  ({ name, kind, amount, conf = {} }, index) => ({ id: `job-${index}`, name, kind, amount, conf, isFirst: true }),
);
