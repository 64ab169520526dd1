import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DevCluster } from "@kindling/devcluster";
import { type Command, commands } from "./commands.ts";
import { callKubectl, findKubectl, type Outcome } from "./kubectl.ts";
import { manifests } from "./manifests.ts";
import { normalise } from "./normalise.ts";

const kubectl = findKubectl();
const realKubeconfig = process.env["KUBECONFIG"] ?? "";
// It takes long: without a real cluster to compare with, it runs only on request.
const asked = realKubeconfig !== "" || (process.env["KINDLING_KUBECTL"] ?? "") !== "";
const where =
  kubectl === undefined
    ? ", not run: KINDLING_KUBECTL is not set and no kubectl is on the path"
    : !asked
      ? ", not run: neither KUBECONFIG nor KINDLING_KUBECTL is set"
      : realKubeconfig === ""
        ? " on the embedded cluster, with no KUBECONFIG of a real one to compare with"
        : ", on the embedded cluster as on a real one";

/** A cluster that the script runs on. */
interface Site {
  readonly kubeconfig: string;
  readonly nodes: readonly string[];
}

const program = kubectl ?? "kubectl";
const namespace = `kubectl-${process.pid}`;
const rows = commands.map((command, index) => [`${index + 1}. ${command.line}`, command] as const);

describe.skipIf(kubectl === undefined || !asked)(`kubectl${where}`, () => {
  let folder: string;
  let cluster: DevCluster;
  let embedded: Site;
  let real: Site | undefined;
  let texts: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "kindling-kubectl-"));
    cluster = await DevCluster.start({ tls: true, authorization: "rbac" });
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, cluster.kubeconfig());
    embedded = { kubeconfig, nodes: ["node-1"] };
    real = realKubeconfig === "" ? undefined : await site(realKubeconfig);
    texts = manifests(await shellImage(real));
    for (const one of real === undefined ? [embedded] : [embedded, real])
      await callKubectl(program, one.kubeconfig, ["create", "namespace", namespace], "");
  }, 60_000);

  afterAll(async () => {
    if (real !== undefined)
      await callKubectl(program, real.kubeconfig, ["delete", "namespace", namespace, "--wait=false"], "");
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  test.each(rows)("%s", { timeout: 120_000 }, async (_name, command) => {
    const [here, there] = await Promise.all([run(embedded, command), real && run(real, command)]);
    expect(here.code === 0, here.output).toBe(command.fails !== true);
    if (there === undefined) return;
    expect(here.code, there.output).toBe(there.code);
    expect(comparable(here, command)).toBe(comparable(there, command));
  });

  async function run(on: Site, { line, input }: Command): Promise<Outcome> {
    const args = line.replaceAll("NAMESPACE", namespace).split(" ");
    const outcome = await callKubectl(
      program,
      on.kubeconfig,
      ["--namespace", namespace, ...args],
      texts[input ?? ""] ?? "",
    );
    return { code: outcome.code, output: normalise(outcome.output, on.nodes) };
  }
});

function comparable({ output }: Outcome, { compare = "text" }: Command): string {
  const lines = output.split("\n");
  if (compare === "none") return "";
  if (compare === "first") return lines[0] ?? "";
  if (compare === "lines") return lines.sort().join("\n");
  if (compare === "labels") return lines.map((one) => /^[^: ]*/.exec(one)?.[0] ?? "").join("\n");
  return output;
}

async function site(kubeconfig: string): Promise<Site> {
  const { output } = await callKubectl(
    program,
    kubeconfig,
    ["get", "nodes", "-o", "jsonpath={.items[*].metadata.name}"],
    "",
  );
  return { kubeconfig, nodes: output.split(" ") };
}

/** An image with a shell that is on the real cluster's node. */
async function shellImage(real: Site | undefined): Promise<string> {
  if (real === undefined) return "docker.io/library/busybox:1.37";
  const { output } = await callKubectl(program, real.kubeconfig, ["get", "nodes", "-o", "json"], "");
  const found = /"([^"]+\/(?:busybox|alpine|debian|spark):[^"]+)"/.exec(output)?.[1];
  if (found === undefined) throw new Error("the real cluster's node has no image with a shell: load busybox, say");
  return found;
}
