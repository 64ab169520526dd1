import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { freePort } from "@kindling/test-kit/free-port";
import { type RealProvider, startRealProvider } from "@kindling/test-kit/oidc-provider";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { ShownPage, SmallBrowser } from "@kindling/test-kit/small-browser";
import { NOBODY } from "./policies.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";

/** A gateway with a page for people who sign in at a real provider. Ada is in the group `corp:etl`. */
export interface SignedInPage {
  readonly gateway: TestGateway;
  readonly provider: RealProvider;
  readonly url: string;
  readonly audit: () => readonly Readonly<Record<string, unknown>>[];
}

export async function serveSignedIn(
  cluster: TestCluster,
  { secret, settings = [] }: { readonly secret?: string | undefined; readonly settings?: readonly string[] } = {},
): Promise<SignedInPage> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const client = { id: "kindling-page", secret, redirectUri: `${url}/oidc/callback` };
  const provider = await startRealProvider(client, (name) => (name === "ada" ? ["etl"] : []));
  const secretFile =
    secret === undefined ? [] : ["--page-client-secret-file", scratchFolder().write("secret", `${secret}\n`)];
  const gateway = await startTestGateway(cluster, {
    policy: NOBODY,
    settings: [
      ...["--page-port", String(port), "--page-host", "127.0.0.1", "--page-url", url, ...secretFile],
      ...["--page-scopes", "openid,email,groups", "--audit-log-path", "-"],
      ...["--oidc-issuer-url", provider.url, "--oidc-client-id", client.id, "--oidc-ca-file", provider.caFile],
      ...["--oidc-username-claim", "email", "--oidc-groups-claim", "groups", "--oidc-groups-prefix", "corp:"],
      ...settings,
    ],
  });
  const audit = () =>
    gateway.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ kind }) => kind === "Event");
  return { gateway, provider, url, audit };
}

/** Goes through the provider's own pages: a name, and consent. */
export async function signInAs(browser: SmallBrowser, url: string, name: string): Promise<ShownPage> {
  const login = await browser.open(url);
  const consent = await browser.submit(login, { login: name, password: "any" });
  return await browser.submit(consent);
}

/** Lets a group do something in a namespace, with a role of that name. */
export async function grant(
  cluster: TestCluster,
  { namespace, group, resources }: { readonly namespace: string; readonly group: string; readonly resources: string[] },
): Promise<void> {
  const place = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const metadata = { name: `viewers-${resources.join("-").replaceAll("/", "-")}` };
  const rules = [{ apiGroups: [""], resources, verbs: ["get"] }];
  await cluster.send("POST", `${place}/roles`, { metadata, rules });
  await cluster.send("POST", `${place}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: group }],
  });
}
