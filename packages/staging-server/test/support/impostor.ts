import type { ApiRecorder, Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { servedCluster } from "./served-cluster.ts";

/** The answers of something at an API server's address; `undefined` means the API server's own answer. */
export type Impostor = (request: SeenRequest) => Fault | undefined;

/** Lets something else answer in the API server's place. Connections break, and a watch can only go on with a list. */
export async function replaceApiServer(cluster: TestCluster, impostor: Impostor): Promise<void> {
  cluster.api.fault = impostor;
  // A change of another object is no event for a watch, but makes its version old.
  await change(cluster);
  cluster.devCluster.faults.compact();
  cluster.api.breakConnections();
}

/** Lets the API server itself answer again. */
export function restoreApiServer({ api }: TestCluster): void {
  api.fault = () => undefined;
  api.breakConnections();
}

/** From now on, answers all requests with an error, except those for the version. Connections break. */
export function failWith(api: ApiRecorder, status: number): void {
  api.fault = ({ path }) => (path === "/version" ? undefined : { kind: "status", status });
  api.breakConnections();
}

/** The answer of an authenticator about a token that is not a service account's. */
interface ForeignUser {
  readonly username: string;
  readonly groups?: readonly string[];
  /** Default: the audience of staging servers. */
  readonly audiences?: readonly string[];
}

/** Answers reviews of these tokens as an API server does whose authenticator (for example a webhook) knows them. */
export function foreignUsers(users: Readonly<Record<string, ForeignUser>>): Impostor {
  return ({ path, body }) => {
    if (!path.endsWith("/tokenreviews")) return undefined;
    const { spec } = body as { readonly spec: { readonly token: string } };
    const user = users[spec.token];
    if (user === undefined) return undefined;
    const { username, groups = [], audiences = ["kindling-staging"] } = user;
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec };
    const status = { authenticated: true, user: { username, groups }, audiences };
    return { kind: "instead", status: 201, text: JSON.stringify({ ...review, status }) };
  };
}

/** Another cluster with more history, where the server has an account of the same name. */
export async function otherCluster(): Promise<Impostor> {
  const { cluster, token } = await servedCluster();
  for (let count = 0; count < 300; count++) await change(cluster);
  cluster.devCluster.faults.compact();
  return () => ({ kind: "elsewhere", url: cluster.devCluster.url, token });
}

async function change(cluster: TestCluster): Promise<void> {
  await cluster.send("POST", "/api/v1/namespaces/elsewhere/configmaps", { metadata: { generateName: "change-" } });
}
