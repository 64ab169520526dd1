import { spawnSync } from "node:child_process";
import { getuid, platform } from "node:process";

/** Why containers cannot be tested on this machine; undefined if they can. */
function obstacle(): string | undefined {
  if (platform !== "linux") return "this is no Linux";
  const user = getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const { status } = spawnSync("/usr/bin/unshare", [...user, "--mount", "--pid", "--fork", "/bin/true"]);
  return status === 0 ? undefined : "this machine gives no namespaces";
}

const why = obstacle();

/** Whether this machine can run containers, and the note for a suite's name if it cannot. */
export const containersHere: { readonly missing: boolean; readonly note: string } = {
  missing: why !== undefined,
  note: why === undefined ? "" : ` (not tried: ${why})`,
};
