import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { caught } from "../fixtures/caught.ts";
import { kubeconfigHome } from "../fixtures/kubeconfig-home.ts";

describe("the files of KUBECONFIG", () => {
  test("are merged: the first one's word counts, entry by entry", async () => {
    const folder = kubeconfigHome();
    const first = folder.write("first", `contexts:\n- name: dev\n  context: {cluster: prod-cluster, user: bob}\n`);
    const second = folder.write("second", `current-context: prod\nusers:\n- name: bob\n  user: {token: another}\n`);
    const env = { KUBECONFIG: [first, second, join(folder.path, ".kube/config"), "/no/such/file"].join(":") };
    const access = await folder.load({ env });
    expect(access).toMatchObject({ contextName: "prod", server: "https://prod.example.com" });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer another" });
    expect((await folder.load({ env, context: "dev" })).server).toBe("https://prod.example.com");
  });

  test("may all be empty or missing: then there is no kubeconfig", async () => {
    const folder = kubeconfigHome();
    const env = { KUBECONFIG: `/dev/null:${folder.write("empty", "\n# nothing\n")}:/no/such/file` };
    const access = await folder.load({ env, overlays: { server: "https://api.example.com" } });
    expect(access).toMatchObject({ origin: "options", server: "https://api.example.com" });
    const error = await caught(folder.load({ env }));
    expect(error).toMatchObject({ kind: "config", hint: "set KUBECONFIG, or name the server" });
  });
});
