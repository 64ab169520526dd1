import { randomBytes } from "node:crypto";
import { freePort } from "@kindling/test-kit/free-port";
import { clientFile, type ConnectClients } from "./connect-clients.ts";
import type { Ended } from "./kindling.ts";

/** A JupyterHub that is starting. */
export interface JupyterHub {
  /** What a program needs to use its API. */
  readonly env: NodeJS.ProcessEnv;
  /** It runs until its clients are removed; resolves before if it fails. */
  readonly ended: Promise<Ended>;
}

export interface JupyterHubOptions {
  /** Where Spark Connect is served on this machine. */
  readonly port: number;
  /** The token that each user's server gets for it. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** Starts a JupyterHub of the clients' Python. Its users are known by their names alone. */
export async function startJupyterHub(
  clients: ConnectClients,
  { port, tokens }: JupyterHubOptions,
): Promise<JupyterHub> {
  const [hub, own, proxy] = [await freePort(), await freePort(), await freePort()];
  const env = { HUB_URL: `http://127.0.0.1:${hub}`, HUB_TOKEN: randomBytes(16).toString("hex") };
  const ended = clients.run("jupyterhub", ["--config", clientFile("jupyterhub_config.py")], {
    ...env,
    HUB_OWN_URL: `http://127.0.0.1:${own}`,
    HUB_PROXY_URL: `http://127.0.0.1:${proxy}`,
    HUB_SPARK_TOKENS: JSON.stringify(tokens),
    SPARK_REMOTE: `sc://localhost:${port}`,
  });
  return { env, ended };
}
