// @ts-check
// Makes the image of the stock kubeflow operator, in the release that Kindling's is compared with. As in the real release, the
// image contains a Spark:
//
//   node apps/integration/kubeflow/release-image.mjs SPARK_IMAGE.tar
//
// SPARK_IMAGE.tar is the output of `docker save apache/spark:VERSION` or `ctr images export`. Needs Go and tar. It makes a
// folder with
//
//   operator.tar   the image kindling-test/spark-operator:2.5.2, the Spark image with the operator in it
//   chart          the operator's own chart
//   examples       the operator's own examples
//
// and prints its path, for KINDLING_E2E_KUBEFLOW_RELEASE.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { tar } from "../../../deploy/images/tar.mjs";
import { stockRelease } from "./stock-release.mjs";

const IMAGE = "kindling-test/spark-operator:2.5.2";
// As in the operator's own Dockerfile.
const CONFIG = { User: "185:185", Entrypoint: ["/usr/bin/tini", "-s", "--", "/usr/bin/spark-operator"], Cmd: null };

const [base] = process.argv.slice(2);
if (base === undefined)
  throw new Error("which Spark image? node apps/integration/kubeflow/release-image.mjs IMAGE.tar");
const servers = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
const folder = join(servers, "kubeflow-release");
const { source, operator } = stockRelease();

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(source, "charts", "spark-operator-chart"), join(folder, "chart"), { recursive: true });
cpSync(join(source, "examples"), join(folder, "examples"), { recursive: true });

const work = mkdtempSync(join(tmpdir(), "kindling-release-image-"));
try {
  execFileSync("tar", ["-xf", base, "-C", work]);
  const [image] = JSON.parse(readFileSync(join(work, "manifest.json"), "utf8"));
  const config = JSON.parse(readFileSync(join(work, image.Config), "utf8"));
  const layer = tar([{ path: "usr/bin/spark-operator", mode: 0o755, data: readFileSync(operator) }]);
  writeFileSync(join(work, "operator-layer.tar"), layer);
  const digest = `sha256:${createHash("sha256").update(layer).digest("hex")}`;
  const changed = {
    ...config,
    config: { ...config.config, ...CONFIG },
    rootfs: { ...config.rootfs, diff_ids: [...config.rootfs.diff_ids, digest] },
    history: [],
  };
  writeFileSync(join(work, "operator.json"), JSON.stringify(changed));
  const layers = [...image.Layers, "operator-layer.tar"];
  writeFileSync(
    join(work, "manifest.json"),
    JSON.stringify([{ Config: "operator.json", RepoTags: [IMAGE], Layers: layers }]),
  );
  const files = ["manifest.json", "operator.json", ...layers];
  execFileSync("tar", ["-chf", join(folder, "operator.tar"), "-C", work, ...files]);
} finally {
  rmSync(work, { recursive: true });
}
process.stdout.write(`${folder}\n`);
