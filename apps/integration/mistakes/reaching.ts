import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { testAuthority } from "@kindling/test-kit/certificates";
import { conf, PI, submitting, type Bench, type Mistakes } from "./bench.ts";

const NO_KUBECONFIG = { KUBECONFIG: "/dev/null" };

/** Faults between this machine, the API server and the staging server. */
export const REACHING: Mistakes = {
  "no kubeconfig": () => ({ args: ["list"], env: { KUBECONFIG: "/nowhere/config" } }),
  "a context that is not there": () => ({ args: ["list", "--context", "prod"] }),
  "a server that nobody runs": () => ({ args: ["list", "--master", "k8s://https://127.0.0.1:9"], env: NO_KUBECONFIG }),
  "an expired certificate": async ({ folder, atEnd }) => {
    const authority = testAuthority("authority");
    const server = createServer(authority.issue("server", { expired: true }), (_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(folder, "authority.pem"), authority.cert);
    const ca = conf({ "spark.kubernetes.authenticate.submission.caCertFile": join(folder, "authority.pem") });
    return { args: ["list", "--master", `k8s://https://127.0.0.1:${port}`, ...ca], env: NO_KUBECONFIG };
  },
  "a token that nobody knows": ({ reach }) => ({
    args: ["list", ...reach, ...conf({ "spark.kubernetes.authenticate.submission.oauthToken": "wrong" })],
    env: NO_KUBECONFIG,
  }),
  "a user without rights": async (bench) => ({
    args: submitting(bench, ...bench.reach, ...(await tokenOf(bench, "nobody")), ...PI),
    env: NO_KUBECONFIG,
  }),
  "https to a staging server without TLS": (bench) => {
    const uri = bench.staging.server.uri.replace("http:", "https:").replace("0.0.0.0", "127.0.0.1");
    return {
      args: submitting(
        bench,
        ...conf({ "spark.kindling.staging.uri": uri, "spark.kindling.localizer.image": "x" }),
        "app.py",
      ),
    };
  },
  "a staging server that nobody runs": (bench) => ({
    args: submitting(
      bench,
      ...conf({ "spark.kindling.staging.uri": "http://127.0.0.1:9", "spark.kindling.localizer.image": "x" }),
      "app.py",
    ),
  }),
};

/** The token of a service account without rights. */
async function tokenOf({ namespace }: Bench, account: string): Promise<string[]> {
  await namespace.client.create(resources.serviceaccounts, {
    ...{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account } },
  });
  return conf({ "spark.kubernetes.authenticate.submission.oauthToken": await namespace.tokenOf(account) });
}
