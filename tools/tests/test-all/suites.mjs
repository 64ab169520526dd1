// @ts-check
// What `npm run test:all` runs, in this order: all tests, without random choices, and with every version.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Each needs another program outside, so each has a row. */
const CONNECT_CLIENTS = ["connect-clients", "connect-server", "operator-kubeflow-sdk"];
const APART = ["airflow", "operator-airflow", ...CONNECT_CLIENTS, "kyuubi", "livy", "kubeflow-operator", "kueue"];
const ALL_OTHERS = ["--exclude", `suites/{${APART.join(",")}}.e2e.ts`];
const WITH_CLUSTER = ".ci/with-cluster";
const FULL = { KINDLING_E2E_FULL: "1" };
/** These suites must not use a cluster that KUBECONFIG happens to name. */
const WITHOUT_CLUSTER = { KUBECONFIG: undefined };

/**
 * Names a Python in a variable, and fetches it if it is not there yet.
 *
 * @param {string} variable
 * @param {string} folder
 */
const fetched = (variable, folder) =>
  `export ${variable}; [ -n "$${variable}" ] || ${variable}=$(node apps/integration/${folder}/fetch.mjs)`;

/** @typedef {readonly [program: string, ...args: string[]]} Command run in the repository's root */

/**
 * @param {readonly string[]} args
 * @returns {Command}
 */
const vitest = (...args) => [process.execPath, "node_modules/vitest/vitest.mjs", "run", ...args];
/**
 * @param {readonly string[]} args
 * @returns {Command}
 */
const endToEnd = (...args) => [WITH_CLUSTER, "npm", "run", "e2e", "--", ...args];

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {Command} command
 * @property {Readonly<Record<string, string | undefined>>} [env] variables to set; undefined removes a variable
 * @property {readonly string[]} [reports] the reports that it writes into the folder of `KINDLING_REPORTS`; without any, it
 * counts as one test
 * @property {(env: NodeJS.ProcessEnv) => string | undefined} [lacks] why it cannot be run here
 */

/** @type {readonly Suite[]} */
export const SUITES = [
  {
    name: "tests and checks",
    command: [process.execPath, "tools/test.mjs"],
    env: { ...WITHOUT_CLUSTER, KINDLING_ROUNDS: "all" },
    reports: ["tests", "checks"],
  },
  {
    name: "conformance",
    command: [
      WITH_CLUSTER,
      ...vitest("--project", "conformance", "--project", "kube"),
      "apps/conformance/test/conformance.test.ts",
      "packages/kube/test/conformance/server-cases.test.ts",
    ],
    reports: ["tests"],
    lacks: cluster,
  },
  {
    name: "e2e",
    command: endToEnd(...ALL_OTHERS),
    env: FULL,
    reports: ["e2e"],
    lacks: cluster,
  },
  {
    name: "e2e: restricted",
    command: endToEnd(...ALL_OTHERS),
    env: { ...FULL, KINDLING_E2E_POD_SECURITY: "restricted" },
    reports: ["e2e"],
    lacks: cluster,
  },
  {
    name: "e2e: Airflow",
    command: [
      "bash",
      "-c",
      `${fetched("KINDLING_E2E_AIRFLOW", "airflow")} && exec "$@"`,
      "-",
      ...endToEnd("suites/airflow", "suites/operator-airflow"),
    ],
    env: FULL,
    reports: ["e2e"],
    lacks: () => cluster() ?? program("python3"),
  },
  {
    name: "e2e: clients of Spark Connect",
    command: [
      "bash",
      "-c",
      `${fetched("KINDLING_E2E_CONNECT_PYTHON", "connect-clients")} && exec "$@"`,
      "-",
      ...endToEnd(...CONNECT_CLIENTS.map((name) => `suites/${name}.e2e`)),
    ],
    env: FULL,
    reports: ["e2e"],
    lacks: () => cluster() ?? program("python3"),
  },
  {
    name: "e2e: Kyuubi",
    command: endToEnd("suites/kyuubi"),
    env: FULL,
    reports: ["e2e"],
    lacks: (env) => cluster() ?? variable(env, "KINDLING_E2E_KYUUBI"),
  },
  {
    name: "e2e: Livy",
    command: endToEnd("suites/livy"),
    env: FULL,
    reports: ["e2e"],
    lacks: (env) => cluster() ?? variable(env, "KINDLING_E2E_LIVY"),
  },
  {
    name: "e2e: kubeflow's operator",
    command: endToEnd("suites/kubeflow-operator"),
    env: FULL,
    reports: ["e2e"],
    lacks: (env) => cluster() ?? variable(env, "KINDLING_E2E_KUBEFLOW_OPERATOR"),
  },
  {
    name: "e2e: Kueue",
    command: endToEnd("suites/kueue"),
    env: FULL,
    reports: ["e2e"],
    lacks: (env) => cluster() ?? variable(env, "KINDLING_E2E_KUEUE"),
  },
  {
    name: "e2e: embedded",
    command: ["npm", "run", "e2e:embedded", "--", ...ALL_OTHERS],
    env: WITHOUT_CLUSTER,
    reports: ["e2e-embedded"],
    lacks: () => program("java") ?? program("javac") ?? program("python3"),
  },
  {
    name: "e2e: kind",
    command: ["npm", "run", "e2e:kind"],
    env: { ...WITHOUT_CLUSTER, KINDLING_E2E_SPARK_VERSIONS: "3.5.9,4.3.0" },
    reports: ["e2e-kind"],
    lacks: () =>
      succeeds("bash", "-c", ". .ci/kind.sh && kind_is_there") ? undefined : "there is no kind with docker",
  },
  {
    name: "random command lines",
    command: ["npm", "run", "differential"],
    lacks: (env) => variable(env, "SPARK_HOME") ?? program("javac"),
  },
  {
    name: "benchmarks",
    command: [process.execPath, "tools/tests/test-all/benchmarks.mjs"],
    lacks: (env) =>
      env["KINDLING_IDLE_MACHINE"] === "1"
        ? undefined
        : "KINDLING_IDLE_MACHINE=1 does not say that nothing else runs here",
  },
  { name: "release", command: ["npm", "run", "release:dry-run"] },
];

function cluster() {
  return succeeds(".ci/with-cluster", "--is-there") ? undefined : "there is no cluster";
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 */
function variable(env, name) {
  return (env[name] ?? "") === "" ? `${name} is not set` : undefined;
}

/** @param {string} name */
function program(name) {
  return succeeds("bash", "-c", `command -v ${name}`) ? undefined : `${name} is not there`;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function succeeds(command, ...args) {
  return spawnSync(command, args, { cwd: ROOT, stdio: "ignore" }).status === 0;
}
