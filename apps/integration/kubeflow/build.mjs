// @ts-check
// Builds the stock kubeflow operator that the end-to-end suite runs against, from its public source:
//
//   node apps/integration/kubeflow/build.mjs [REPOSITORY]
//
// REPOSITORY is the source for git clone; by default the project's own. Needs git and Go. It makes a folder with
//
//   operator.tar   the image kindling-test/spark-operator:stock, which every engine can load; without Spark and Java
//   chart          the operator's own chart
//   examples       the operator's own examples
//
// and prints its path, for KINDLING_E2E_KUBEFLOW_OPERATOR.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { archive } from "../../../deploy/images/archive.mjs";
import { tar } from "../../../deploy/images/tar.mjs";

const REPOSITORY = "https://github.com/kubeflow/spark-operator.git";
// The first release with the feature gate RestSubmitter is 2.6; this is the commit that it is prepared from.
const COMMIT = "38082f3318e9d33f3e4a940c7cf165df6e40b422";
const IMAGE = "kindling-test/spark-operator:stock";
// The user of the operator's own image.
const USER = "185:185";

const [repository = REPOSITORY] = process.argv.slice(2);
const servers = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
const folder = join(servers, "kubeflow-operator");
const source = join(folder, "source");
const program = join(folder, "spark-operator");
// Only the result goes to stdout.
/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} options
 */
const run = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: source, stdio: ["ignore", 2, "inherit"], ...options });

rmSync(folder, { recursive: true, force: true });
mkdirSync(source, { recursive: true });
run("git", ["init", "--quiet"]);
run("git", ["fetch", "--quiet", "--depth", "1", repository, COMMIT]);
run("git", ["checkout", "--quiet", "FETCH_HEAD"]);
run("go", ["build", "-trimpath", "-o", program, "./cmd/operator"], { env: { ...process.env, CGO_ENABLED: "0" } });

const data = tar([
  { path: "usr/bin/spark-operator", mode: 0o755, data: readFileSync(program) },
  { path: "tmp", mode: 0o1777 },
]);
const layer = { data, digest: createHash("sha256").update(data).digest("hex"), createdBy: "the kubeflow operator" };
const config = {
  architecture: process.arch === "x64" ? "amd64" : process.arch,
  os: "linux",
  config: { User: USER, Entrypoint: ["/usr/bin/spark-operator"] },
  rootfs: { type: "layers", diff_ids: [`sha256:${layer.digest}`] },
};
writeFileSync(join(folder, "operator.tar"), archive(IMAGE, config, [layer]).data);
cpSync(join(source, "charts", "spark-operator-chart"), join(folder, "chart"), { recursive: true });
cpSync(join(source, "examples"), join(folder, "examples"), { recursive: true });
rmSync(source, { recursive: true });
rmSync(program);
process.stdout.write(`${folder}\n`);
