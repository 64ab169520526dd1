import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.ts";
import { START_LIMIT_MS } from "./real-server.ts";

// Debian has the server's programs where only root looks.
const PATH = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];

/** Whether MIT's KDC and its programs are on this machine; see `servers/README.md`. */
export const hasKdc: boolean = ["krb5kdc", "kdb5_util", "kadmin.local", "kinit"].every((program) =>
  PATH.some((folder) => existsSync(join(folder, program))),
);

export interface Kdc {
  readonly realm: string;
  readonly port: number;
  /** The path of a krb5.conf that names this KDC. */
  readonly krb5Conf: string;
  /** Creates a principal with a password. */
  addUser(name: string, password: string): void;
  /** Creates principals with random keys, and returns the path of a keytab with them. */
  addServices(...names: readonly string[]): string;
  /** Gets a ticket with stock `kinit` and returns the path of its cache. */
  login(user: string, password: string, ...options: readonly string[]): string;
  stop(): Promise<void>;
}

export interface KdcOptions {
  /** The kinds of all keys, by MIT's names. */
  readonly encryptionTypes?: readonly string[];
  /** By how many seconds clocks may differ. */
  readonly clockSkew?: number;
  readonly realm?: string;
}

const USUAL_TYPES = ["aes256-cts-hmac-sha1-96", "aes128-cts-hmac-sha1-96"];
const MASTER_PASSWORD = "master";

/**
 * MIT's KDC with an empty database, over TCP and UDP on this machine.
 *
 * @param folder an empty folder for all its data
 */
export async function startKdc(folder: string, options: KdcOptions = {}): Promise<Kdc> {
  const port = await freePort();
  const { realm = "KINDLING.TEST" } = options;
  const { krb5Conf, env } = writeConfiguration(folder, port, realm, options);
  const run = (program: string, args: readonly string[], input = ""): void => {
    execFileSync(program, args, { env, input, stdio: ["pipe", "ignore", "pipe"] });
  };
  const kadmin = (command: string): void => run("kadmin.local", ["-q", command]);
  run("kdb5_util", ["create", "-s", "-P", MASTER_PASSWORD]);
  const server = spawn("krb5kdc", ["-n"], { env, stdio: "ignore" });
  const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await listening(port);
  let caches = 0;
  return {
    realm,
    port,
    krb5Conf,
    addUser: (name, password) => kadmin(`addprinc -pw ${password} ${name}`),
    addServices(...names) {
      const keytab = join(folder, "services.keytab");
      for (const name of names) {
        kadmin(`addprinc -randkey ${name}`);
        kadmin(`ktadd -k ${keytab} ${name}`);
      }
      return keytab;
    },
    login(user, password, ...options) {
      caches += 1;
      const cache = join(folder, `krb5cc_${caches}`);
      run("kinit", [...options, "-c", `FILE:${cache}`, user], `${password}\n`);
      return cache;
    },
    async stop() {
      server.kill();
      await exited;
    },
  };
}

function writeConfiguration(
  folder: string,
  port: number,
  realm: string,
  { encryptionTypes = USUAL_TYPES, clockSkew = 300 }: KdcOptions,
): { readonly krb5Conf: string; readonly env: NodeJS.ProcessEnv } {
  const krb5Conf = join(folder, "krb5.conf");
  const kdcConf = join(folder, "kdc.conf");
  writeFileSync(
    krb5Conf,
    `[libdefaults]
 default_realm = ${realm}
 dns_lookup_kdc = false
 dns_canonicalize_hostname = false
 rdns = false
 udp_preference_limit = 1
 permitted_enctypes = ${encryptionTypes.join(" ")}
 clockskew = ${clockSkew}
[realms]
 ${realm} = {
  kdc = 127.0.0.1:${port}
 }
[domain_realm]
 localhost = ${realm}
`,
  );
  writeFileSync(
    kdcConf,
    `[kdcdefaults]
 kdc_listen = 127.0.0.1:${port}
 kdc_tcp_listen = 127.0.0.1:${port}
[realms]
 ${realm} = {
  database_name = ${join(folder, "principal")}
  key_stash_file = ${join(folder, "stash")}
  acl_file = ${join(folder, "acl")}
  max_life = 1d
  max_renewable_life = 7d
  supported_enctypes = ${encryptionTypes.map((type) => `${type}:normal`).join(" ")}
 }
[logging]
 kdc = FILE:${join(folder, "kdc.log")}
`,
  );
  const env = { ...process.env, PATH: PATH.join(delimiter), KRB5_CONFIG: krb5Conf, KRB5_KDC_PROFILE: kdcConf };
  return { krb5Conf, env };
}

async function listening(port: number): Promise<void> {
  const latest = performance.now() + START_LIMIT_MS;
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isThere) return;
    if (performance.now() > latest) throw new Error("krb5kdc does not listen");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
