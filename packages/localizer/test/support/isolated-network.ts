import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LOCALIZER, type Pod, type PodConfig } from "./localizer-process.ts";

const SCENARIO = fileURLToPath(new URL("isolated-network.mjs", import.meta.url));
const SETUP = `ip link set lo up && for address in $ADDRESSES; do ip addr add "$address" dev lo || exit 1; done &&
mount --bind "$HOSTS" /etc/hosts && exec "$@"`;

/** Whether this user may make networks: root on Linux, outside most containers. */
export const canIsolate: boolean =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  isolated(["true"], "/dev/null", ["10.9.8.7"]).status === 0;

/** Runs a command in a network of its own. */
function isolated(
  command: readonly string[],
  hostsFile: string,
  addresses: readonly string[],
): SpawnSyncReturns<string> {
  return spawnSync("unshare", ["--net", "--mount", "sh", "-c", SETUP, "sh", ...command], {
    env: { PATH: process.env["PATH"] ?? "", HOSTS: hostsFile, ADDRESSES: addresses.join(" ") },
    encoding: "utf8",
  });
}

/** The answers of servers, by address and path such as `10.0.0.1/file`; other paths are 404. */
export interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly body?: string;
  /** The addresses of names from then on, in the form of `/etc/hosts`. */
  readonly hosts?: string;
}

export interface IsolatedRun {
  /** The addresses of the servers, which listen on port 80; any address is possible, also a special one. */
  readonly addresses: readonly string[];
  /** The addresses of names at the start. */
  readonly hosts: string;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly config: PodConfig;
}

export interface IsolatedEnd {
  readonly code: number;
  readonly stderr: string;
  readonly terminationLog: string;
  /** The requests, each as address and path. */
  readonly requests: readonly string[];
}

/** Runs a localizer in a network with the names and addresses of the test. */
export function runIsolated({ folder, volume }: Pod, run: IsolatedRun): IsolatedEnd {
  const hostsFile = folder.write("hosts", run.hosts);
  const input = {
    addresses: run.addresses,
    answers: run.answers,
    hostsFile,
    localizer: LOCALIZER,
    config: folder.write("config.json", JSON.stringify({ version: 1, roots: [volume], ...run.config })),
    terminationLog: folder.write("termination-log", ""),
  };
  // This address exists already.
  const added = run.addresses.filter((address) => address !== "127.0.0.1");
  const command = [process.execPath, SCENARIO, JSON.stringify(input)];
  const { status, stdout, stderr } = isolated(command, hostsFile, added);
  if (status !== 0) throw new Error(`the isolated network failed: ${stderr}`);
  return JSON.parse(stdout) as IsolatedEnd;
}
