import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { beforeEach, describe, expect, test } from "vitest";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { BIN, kindling, kubeconfigFor, start } from "../fixtures/kindling-process.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/spark-jobs";

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start({ token: "administrator", authorization: "rbac" });
  await cluster.createPod(sparkPod("etl-1-driver", { app: "etl" }));
  await cluster.createPod(sparkPod("etl-1-exec-1", { app: "etl", role: "executor" }));
  await cluster.createPod(sparkPod("web-1-driver", { app: "web", namespace: "elsewhere" }));
});

/** The kubeconfig of a user who may submit to one namespace, and nothing else. */
async function submittersConfig(): Promise<string> {
  const { stdout } = await kindling([
    "rbac",
    "submitter",
    "-n",
    "spark-jobs",
    "--serviceaccount",
    "spark",
    "-o",
    "json",
  ]);
  const [role, binding] = (JSON.parse(stdout) as { items: object[] }).items;
  await cluster.send("POST", `${RBAC}/roles`, role);
  await cluster.send("POST", `${RBAC}/rolebindings`, binding);
  const path = "/api/v1/namespaces/spark-jobs/serviceaccounts/spark/token";
  const { status } = (await cluster.send("POST", path, {})) as { status: { token: string } };
  return kubeconfigFor(cluster, { token: status.token });
}

async function names(kind: string, words: readonly string[], KUBECONFIG: string): Promise<string[]> {
  const { code, stdout, stderr } = await kindling(["complete", kind, "--", ...words], { env: { KUBECONFIG } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("names of applications", () => {
  test("are those of the namespace that is typed, in any way to type it", async () => {
    const config = kubeconfigFor(cluster, { token: "administrator" });
    for (const words of [["-n", "elsewhere"], ["--namespace", "elsewhere"], ["--namespace=elsewhere"]]) {
      expect(await names("applications", ["logs", ...words, ""], config)).toEqual(["web", "web-1-driver"]);
    }
    // In the way in which bash splits words.
    expect(await names("applications", ["logs", "--namespace", "=", "elsewhere", ""], config)).toEqual([
      "web",
      "web-1-driver",
    ]);
  });

  test("need no more rights than to submit", async () => {
    expect(await names("applications", ["logs", ""], await submittersConfig())).toEqual(["etl", "etl-1-driver"]);
  });
});

describe("namespaces", () => {
  test("are those of the cluster", async () => {
    const config = kubeconfigFor(cluster, { token: "administrator" });
    expect(await names("namespaces", ["list", "-n", ""], config)).toEqual(
      expect.arrayContaining(["default", "elsewhere", "spark-jobs"]),
    );
  });

  test("are those of the kubeconfig for who may not list the cluster's", async () => {
    expect(await names("namespaces", ["list", "-n", ""], await submittersConfig())).toEqual(["spark-jobs"]);
  });
});

describe("contexts", () => {
  test("are those of the kubeconfig, as far as a shell can take their names", async () => {
    const contexts = ["prod", "arn:aws:eks:eu-1:1/x", "$(rm -rf ~)", "two words"].map((name) => ({
      name,
      context: {},
    }));
    const config = scratchFolder().write("config", JSON.stringify({ contexts }));
    expect(await names("contexts", ["--context", ""], config)).toEqual(["arn:aws:eks:eu-1:1/x", "prod"]);
  });
});

test("a bash completes names with all this", async () => {
  const folder = scratchFolder();
  const { stdout: script } = await kindling(["completion", "bash"]);
  folder.write("completion.bash", script);
  folder.writeScript("bin/kindling", `exec ${process.execPath} ${BIN} "$@"`);
  const complete = async (...words: readonly string[]): Promise<string> => {
    const program = `source ./completion.bash; COMP_WORDS=(kindling "$@"); COMP_CWORD=$#; _kindling; echo "\${COMPREPLY[@]}"`;
    const env = {
      PATH: `${folder.path}/bin:${process.env["PATH"]}`,
      KUBECONFIG: kubeconfigFor(cluster, { token: "administrator" }),
    };
    return (await start("bash", ["-c", program, "bash", ...words], { cwd: folder.path, env }).ended).stdout.trim();
  };
  expect(await complete("status", "-n", "else")).toBe("elsewhere");
  expect(await complete("submit", "--context", "st")).toBe("stub");
  expect(await complete("kill", "-n", "elsewhere", "web-")).toBe("web-1-driver");
});

test("a kind that is none is refused", async () => {
  const { code, stderr } = await kindling(["complete", "pods"]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^error: pods: not one of applications, namespaces, contexts, queues, app, connect\n/,
    ),
  });
});
