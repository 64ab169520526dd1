import { type KubeObjectLike, createKubeClient, loadClusterAccess, resources, type KubeClient } from "@kindling/kube";
import { readFileSync } from "node:fs";
import { DevCluster } from "@kindling/devcluster";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { kindling, type Finished } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { stagingServer } from "../fixtures/staging-server.ts";

const PAGE = readFileSync(new URL("../../../../docs/cluster.md", import.meta.url), "utf8");

interface Scene {
  readonly client: KubeClient;
  /** Runs `kindling staging` as a user of some groups, with only the rights of these groups. */
  readonly staging: (groups: readonly string[], ...args: string[]) => Promise<Finished>;
}

/** A cluster that is set up according to `docs/cluster.md`, and a staging server with the rights from there. */
async function documentedCluster(): Promise<Scene> {
  const cluster = await DevCluster.start({ tls: true, authorization: "rbac" });
  onTestFinished(() => cluster.stop());
  const folder = scratchFolder();
  const admin = folder.write("admin", cluster.kubeconfig());
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: admin }));
  onTestFinished(() => client.close());
  for (const name of ["spark-jobs", "spark-system", "other"]) {
    await client.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (const [, yaml = ""] of PAGE.matchAll(/```yaml\n([^]*?)```/g)) {
    for (const document of parseAllDocuments(yaml)) {
      const object = document.toJS() as KubeObjectLike;
      const type = await client.resourceFor(object.apiVersion ?? "", object.kind ?? "");
      await client.create(type, object, { namespace: object.metadata?.namespace });
    }
  }
  const userEntry = (user: string): string =>
    cluster.kubeconfig().replace(/^users:[^]*?^contexts:/m, `users:\n- name: kindling\n  user: ${user}\ncontexts:`);
  const account = cluster.serviceAccountToken("spark-system", "kindling-staging");
  const server = await stagingServer({
    "auth-mode": "kubernetes",
    "cluster-kubeconfig": folder.write("server", userEntry(JSON.stringify({ token: account }))),
  });
  return {
    client,
    staging(groups, ...args) {
      const env = { KUBECONFIG: folder.write("alice", cluster.kubeconfig({ name: "alice", groups })) };
      return kindling(["staging", ...args, "--server", server.uri], { env });
    },
  };
}

test("with what docs/cluster.md says, those may upload for a namespace who may make its submitter's token", async () => {
  const { staging } = await documentedCluster();
  const listed = await staging(["spark-users"], "ls", "-n", "spark-jobs");
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toMatch(/^NAMESPACE/);

  const stranger = await staging(["others"], "ls", "-n", "spark-jobs");
  expect(stranger.code).toBe(1);
  expect(stranger.stderr).toBe(
    "error: you may not upload for namespace spark-jobs, as you may not make tokens of its service account kindling-submitter\n" +
      "hint: let an administrator grant it: kubectl -n spark-jobs create role kindling-submitter --verb=create " +
      "--resource=serviceaccounts/token --resource-name=kindling-submitter --dry-run=client -o yaml | kubectl apply -f -; " +
      "kubectl -n spark-jobs create rolebinding kindling-submitter --role=kindling-submitter --user=alice " +
      "--dry-run=client -o yaml | kubectl apply -f -\n",
  );
});

test("a namespace without the account is told what to make, and who is no administrator which token to use", async () => {
  const { client, staging } = await documentedCluster();
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const binding = {
    ...{ apiVersion, kind: "ClusterRoleBinding", metadata: { name: "admins" } },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "admins" }],
  };
  await client.create(await client.resourceFor(apiVersion, binding.kind), binding);
  const { code, stderr } = await staging(["admins"], "ls", "-n", "other");
  expect([code, stderr]).toEqual([
    1,
    "error: namespace other has no service account kindling-submitter, and the staging server asks for its token\n" +
      "hint: make it with: kubectl -n other create serviceaccount kindling-submitter\n",
  ]);
  const missing = await staging(["admins"], "ls", "-n", "nowhere");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("nowhere")]);

  const refused = await staging(["admins"], "gc", "-n", "spark-jobs");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "an administrator sets KINDLING_STAGING_TOKEN=$(kubectl create token ACCOUNT --audience kindling-staging)\n",
  );
});
