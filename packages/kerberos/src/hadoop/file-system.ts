import { KindlingError } from "@kindling/core-spec";
import type { HadoopConfiguration } from "./hadoop-configuration.ts";

/** A file system whose name nodes hand out delegation tokens. */
export interface TokenFileSystem {
  /** As the configuration names it, without a path. */
  readonly name: string;
  readonly kind: "HDFS_DELEGATION_TOKEN" | "WEBHDFS delegation" | "SWEBHDFS delegation";
  /** What the token is for: a text, or the address of this host with this port. */
  readonly service: string | { readonly host: string; readonly port: number };
  /** Where its name nodes are asked; one of them is active. */
  readonly nameNodes: readonly URL[];
}

// Hadoop, HdfsClientConfigKeys.
const RPC_PORT = 8020;
const HTTP_PORT = 9870;
const HTTPS_PORT = 9871;

const KINDS = {
  hdfs: "HDFS_DELEGATION_TOKEN",
  webhdfs: "WEBHDFS delegation",
  swebhdfs: "SWEBHDFS delegation",
} as const;

/** The file systems behind a URI that hand out tokens, and the names of those for which no token is fetched. */
export interface FileSystemsOf {
  readonly fileSystems: readonly TokenFileSystem[];
  /** File systems that have tokens of their own kind with Spark's client. */
  readonly others: readonly string[];
}

/**
 * Finds out who is asked for the tokens of a file system (Hadoop, FileSystem.addDelegationTokens): the name nodes of an
 * HDFS, and those of all targets of a ViewFs. The local file system and most stores have no tokens.
 *
 * @throws KindlingError `CONF_INVALID` for what is no URI
 */
export function fileSystemsOf(text: string, conf: HadoopConfiguration, origin: string): FileSystemsOf {
  // A path alone is one of the configuration's own file system (Path.getFileSystem).
  if (text.startsWith("/")) return fileSystemsOf(conf.get("fs.defaultFS") ?? "file:///", conf, "fs.defaultFS");
  if (!/^[\w+.-]+:\//.test(text) || !URL.canParse(text)) {
    throw new KindlingError("CONF_INVALID", `${origin}: ${text} is no URI of a file system`, {
      hint: "write it as hdfs://host:8020",
    });
  }
  const { protocol, host } = new URL(text);
  const scheme = protocol.slice(0, -1).toLowerCase();
  const name = `${scheme}://${host}`;
  if (scheme === "hdfs" || scheme === "webhdfs" || scheme === "swebhdfs") {
    const authority = host === "" ? authorityOf(conf.get("fs.defaultFS")) : host;
    return { fileSystems: [tokenFileSystem(scheme, authority, conf)], others: [] };
  }
  if (scheme === "viewfs") return behindView(host, conf, origin);
  const hasTokens = /^(?:o3fs|ofs|gs)$/.test(scheme) || conf.get(`fs.${scheme}.delegation.token.binding`);
  return { fileSystems: [], others: hasTokens ? [name] : [] };
}

function authorityOf(uri: string | undefined): string {
  return uri !== undefined && URL.canParse(uri) ? new URL(uri).host : "";
}

/** The targets of a ViewFs' links (Hadoop, "ViewFs Guide"). */
function behindView(table: string, conf: HadoopConfiguration, origin: string): FileSystemsOf {
  const links = conf
    .startingWith(`fs.viewfs.mounttable.${table || "default"}.`)
    .filter(([name]) => name.startsWith("link"))
    .flatMap(([, targets]) => targets.split(","))
    .map((target) => target.trim())
    .filter((target) => URL.canParse(target) && !target.startsWith("viewfs:"));
  const found = links.map((target) => fileSystemsOf(target, conf, origin));
  const fileSystems = new Map(found.flatMap((each) => each.fileSystems.map((system) => [system.name, system])));
  return { fileSystems: [...fileSystems.values()], others: [...new Set(found.flatMap(({ others }) => others))] };
}

function tokenFileSystem(scheme: keyof typeof KINDS, authority: string, conf: HadoopConfiguration): TokenFileSystem {
  const name = `${scheme}://${authority}`;
  const { hostname, port } = new URL(`http://${authority.toLowerCase()}`);
  const kind = KINDS[scheme];
  if (isLogical(authority, conf)) {
    const nodes = conf.list(`dfs.ha.namenodes.${authority}`).map((id) => `.${authority}.${id}`);
    return {
      name,
      kind,
      service: `ha-${scheme}:${authority}`,
      nameNodes: nodes.map((suffix) => nameNodeAt(suffix, "", conf, scheme)),
    };
  }
  if (scheme === "hdfs") {
    const place = { host: hostname, port: Number(portOf(authority) ?? RPC_PORT) };
    return { name, kind, service: place, nameNodes: [nameNodeAt(suffixOf(place, conf), hostname, conf, scheme)] };
  }
  const isSecure = scheme === "swebhdfs";
  const web = Number(port || (portOf(authority) ?? (isSecure ? HTTPS_PORT : HTTP_PORT)));
  const url = new URL(`${isSecure ? "https" : "http"}://${hostname}:${web}`);
  return { name, kind, service: { host: hostname, port: web }, nameNodes: [url] };
}

/** Unlike a URL's port, also the usual one of its scheme. */
function portOf(authority: string): string | undefined {
  return /:(\d+)$/.exec(authority)?.[1];
}

/** Hadoop, HAUtilClient.isLogicalUri. */
function isLogical(authority: string, conf: HadoopConfiguration): boolean {
  return (
    conf.get(`dfs.client.failover.proxy.provider.${authority}`) !== undefined ||
    conf.list(`dfs.ha.namenodes.${authority}`).length > 0
  );
}

/** The ending of the keys of the name node with this RPC address; empty if none has one. */
function suffixOf({ host, port }: { readonly host: string; readonly port: number }, conf: HadoopConfiguration): string {
  const services = conf.list("dfs.nameservices");
  const suffixes = services.flatMap((service) => [
    `.${service}`,
    ...conf.list(`dfs.ha.namenodes.${service}`).map((id) => `.${service}.${id}`),
  ]);
  return (
    suffixes.find((suffix) => {
      const address = conf.get(`dfs.namenode.rpc-address${suffix}`)?.toLowerCase();
      return address === `${host}:${port}` || (address === host && port === RPC_PORT);
    }) ?? ""
  );
}

/** The address of a name node's WebHDFS (Hadoop, DFSUtil.getInfoServer). A wildcard stands for the host of its RPC. */
function nameNodeAt(suffix: string, rpcHost: string, conf: HadoopConfiguration, scheme: keyof typeof KINDS): URL {
  const isSecure = scheme === "swebhdfs" || conf.get("dfs.http.policy")?.toUpperCase() === "HTTPS_ONLY";
  const protocol = isSecure ? "https" : "http";
  const address = conf.get(`dfs.namenode.${protocol}-address${suffix}`) ?? "";
  const [, named = "", port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(address) ?? [];
  const rpc = conf.get(`dfs.namenode.rpc-address${suffix}`) ?? "";
  const isSameHost = rpcHost === "" || suffix !== "" || rpc === "" || rpc.toLowerCase().startsWith(`${rpcHost}:`);
  const isWildcard = /^(?:|0\.0\.0\.0|\[::\])$/.test(named);
  // Without an ending, the address is of the configuration's own name node, which may be another one.
  const host = isWildcard || !(isSameHost || isOwn(rpcHost, conf)) ? rpcHost || rpc.replace(/:\d+$/, "") : named;
  return new URL(`${protocol}://${host}:${port ?? (isSecure ? HTTPS_PORT : HTTP_PORT)}`);
}

function isOwn(host: string, conf: HadoopConfiguration): boolean {
  return authorityOf(conf.get("fs.defaultFS")).replace(/:\d+$/, "").toLowerCase() === host;
}
