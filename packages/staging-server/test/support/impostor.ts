import type { ApiRecorder, Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { servedCluster } from "./served-cluster.ts";

/** Whatever answers at an API server's address; `undefined` is the API server's own answer. */
export type Impostor = (request: SeenRequest) => Fault | undefined;

/** Lets something else answer in the API server's place. Connections break, and a watch goes on with a list only. */
export async function replaceApiServer(cluster: TestCluster, impostor: Impostor): Promise<void> {
  cluster.api.fault = impostor;
  // What happens to others is no news to a watch, but its version is old from then on.
  await change(cluster);
  cluster.devCluster.faults.compact();
  cluster.api.breakConnections();
}

/** The API server answers itself again. */
export function restoreApiServer({ api }: TestCluster): void {
  api.fault = () => undefined;
  api.breakConnections();
}

/** Answers everything but its version with an error from now on. Connections break. */
export function failWith(api: ApiRecorder, status: number): void {
  api.fault = ({ path }) => (path === "/version" ? undefined : { kind: "status", status });
  api.breakConnections();
}

/** What an authenticator of another kind than service accounts' says of a token. */
interface ForeignUser {
  readonly username: string;
  readonly groups?: readonly string[];
  /** Default: that of staging servers. */
  readonly audiences?: readonly string[];
}

/** Answers questions about these tokens as an API server whose authenticator, a webhook say, knows them. */
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

/** Another cluster in which more has happened, and where the server has an account of the same name. */
export async function otherCluster(): Promise<Impostor> {
  const { cluster, token } = await servedCluster();
  for (let count = 0; count < 300; count++) await change(cluster);
  cluster.devCluster.faults.compact();
  return () => ({ kind: "elsewhere", url: cluster.devCluster.url, token });
}

async function change(cluster: TestCluster): Promise<void> {
  await cluster.send("POST", "/api/v1/namespaces/elsewhere/configmaps", { metadata: { generateName: "change-" } });
}
