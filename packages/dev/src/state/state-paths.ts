import { createHash } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** The files of an instance; all are below one folder. */
export interface StatePaths {
  readonly folder: string;
  readonly kubeconfig: string;
  /** The value for `SPARK_CONF_DIR`: contains a `spark-defaults.conf`. */
  readonly conf: string;
  readonly sparkDefaults: string;
  /** The control socket, through which commands talk to the instance. */
  readonly socket: string;
  readonly log: string;
  /** The user's own images, see the README. */
  readonly images: string;
  readonly runtime: string;
  readonly staging: string;
  readonly stagingToken: string;
  readonly stagingAccess: string;
  /** The gateway's certificate and its key. */
  readonly gatewayCertificate: string;
  readonly gatewayKey: string;
  /** What is kept of applications that have ended. It stays when an instance ends. */
  readonly archive: string;
  /** Logs that are not in the archive yet. They stay as well: the next instance goes on with them. */
  readonly spool: string;
  /** The recorder's certificate and its key. */
  readonly recorderCertificate: string;
  readonly recorderKey: string;
  /** A folder for each service of Spark Connect. */
  readonly connect: string;
}

// The address of a socket has 108 bytes including its end (unix(7)), on other systems 104.
const MAX_SOCKET = 103;

/** The places below a state folder, which is an absolute path. */
export function statePaths(folder: string): StatePaths {
  const socket = join(folder, "control.sock");
  const digest = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return {
    folder,
    kubeconfig: join(folder, "kubeconfig"),
    conf: join(folder, "conf"),
    sparkDefaults: join(folder, "conf", "spark-defaults.conf"),
    socket: Buffer.byteLength(socket) <= MAX_SOCKET ? socket : join(tmpdir(), `kindling-dev-${digest}.sock`),
    log: join(folder, "dev.log"),
    images: join(folder, "images.json"),
    runtime: join(folder, "runtime"),
    staging: join(folder, "staging"),
    stagingToken: join(folder, "staging-token"),
    stagingAccess: join(folder, "staging-access.json"),
    gatewayCertificate: join(folder, "gateway.crt"),
    gatewayKey: join(folder, "gateway.key"),
    archive: join(folder, "archive"),
    spool: join(folder, "spool"),
    recorderCertificate: join(folder, "recorder.crt"),
    recorderKey: join(folder, "recorder.key"),
    connect: join(folder, "connect"),
  };
}

/** The default state folder, according to the XDG base directory specification. */
export function defaultStateFolder(env: Env): string {
  return join(base(env, "XDG_STATE_HOME", ".local/state"), "kindling", "dev");
}

/** The folder for downloaded versions of Spark, one folder for each version. */
export function sparkCacheFolder(env: Env): string {
  return join(base(env, "XDG_CACHE_HOME", ".cache"), "kindling", "spark");
}

/** According to the specification, relative paths are ignored. */
function base(env: Env, variable: string, fallback: string): string {
  const value = env[variable] ?? "";
  return value.startsWith("/") ? value : join(env["HOME"] || homedir(), fallback);
}
