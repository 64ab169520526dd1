import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** How to reach an API server, according to the current context of a kubeconfig. */
export interface Connection {
  readonly url: URL;
  readonly authority?: string | undefined;
  /** A client certificate with its key, in PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

/**
 * Reads the current context of a kubeconfig: server, CA, and a client certificate or a token.
 *
 * @param folder the folder that relative paths in the text start from.
 * @throws Error if there is no usable context; other ways to log in (plugins, passwords) are not supported.
 */
export async function connectionOf(kubeconfig: string, folder: string = "."): Promise<Connection> {
  const config: unknown = parse(kubeconfig);
  if (!isObject(config)) throw unusable("it is not a map");
  const context = entry(config, "contexts", "context", config["current-context"]);
  const cluster = entry(config, "clusters", "cluster", context["cluster"]);
  const user = entry(config, "users", "user", context["user"]);
  const server = cluster["server"];
  if (typeof server !== "string") throw unusable("its cluster names no server");
  const pem = async (object: JsonObject, field: string): Promise<string | undefined> => {
    const data = object[`${field}-data`];
    if (typeof data === "string") return Buffer.from(data, "base64").toString();
    const path = object[field];
    return typeof path === "string" ? await readFile(resolve(folder, path), "utf8") : undefined;
  };
  return {
    url: new URL(server),
    authority: await pem(cluster, "certificate-authority"),
    certificate: await pem(user, "client-certificate"),
    key: await pem(user, "client-key"),
    token: typeof user["token"] === "string" ? user["token"] : undefined,
  };
}

/** The connection that a kubeconfig file describes. */
export async function connectionFromFile(path: string): Promise<Connection> {
  return await connectionOf(await readFile(path, "utf8"), dirname(path));
}

function entry(config: JsonObject, list: string, member: string, name: Json | undefined): JsonObject {
  const entries = config[list];
  const found = (Array.isArray(entries) ? entries : []).find((one) => isObject(one) && one["name"] === name);
  const value = isObject(found) ? found[member] : undefined;
  if (isObject(value)) return value;
  throw unusable(`it has no ${member} ${JSON.stringify(name)}`);
}

function unusable(why: string): Error {
  return new Error(`the kubeconfig cannot be used: ${why}`);
}
