import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { httpCall } from "./support/http-call.ts";
import { manifestOf, sample } from "./support/stage.ts";
import { jsonCall, testServer, TEST_OWNER } from "./support/test-server.ts";
import type { CommittedBundle, Lease } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

it("lets no secret out: not in logs, not in metrics, not in refusals, not on disk", async () => {
  const token = "token-that-nobody-may-see";
  const access = join(scratchFolder().path, "access.json");
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  await writeFile(
    access,
    JSON.stringify({ subjects: [{ name: "ci", tokenSha256, namespaces: ["default"], admin: true }] }),
  );
  const server = await testServer({ "auth.mode": "token", "auth.accessFile": access, "log.level": "debug" });
  const headers = { authorization: `Bearer ${token}` };
  const outputs: string[] = [];
  const call = async (path: string, options = {}) => {
    const answer = await server.call(path, { headers, ...options });
    outputs.push(answer.body.toString(), JSON.stringify(answer.headers));
    return answer;
  };

  const lease = (await server.call("api/v1/leases", jsonCall({ namespace: "default" }, headers))).json as Lease;
  const one = sample(100);
  await call(`api/v1/blobs/${one.digest}?lease=${lease.leaseId}`, { method: "PUT", body: one.bytes });
  const commit = jsonCall({ lease: lease.leaseId, owner: TEST_OWNER, files: manifestOf({ a: one }) }, headers);
  const bundle = (await server.call("api/v1/bundles", commit)).json as CommittedBundle;
  const secretHeaders = { authorization: `Bearer ${bundle.secret}` };
  await call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: secretHeaders });
  await call(`api/v1/bundles/${bundle.bundleId}/files/none`, { headers: secretHeaders });
  await call(`api/v1/bundles/${bundle.bundleId}x`, { headers: secretHeaders });
  await call(`api/v1/bundles/${bundle.bundleId}/status`);
  await call("api/v1/bundles");
  await call("api/v1/stat", { headers: { authorization: `Bearer wrong-${token}` } });
  await call(`api/v1/no-such-path?secret=${bundle.secret}&token=${token}`);
  await call("api/v1/gc", { method: "POST", body: "{", headers: { ...headers, "content-type": "application/json" } });
  outputs.push((await httpCall(`${server.adminUri}metrics`)).body.toString());
  await server.stop();

  outputs.push(execFileSync("grep", ["-r", "", join(server.config["store.path"], "meta")], { encoding: "utf8" }));
  const everything = [...outputs, ...server.logLines].join("\n");
  expect(everything).toContain(bundle.bundleId);
  for (const secret of [token, bundle.secret]) expect(everything).not.toContain(secret);
  for (const secret of [lease.leaseId]) expect(server.logLines.join("\n")).not.toContain(secret);
});
