import { readFileSync } from "node:fs";
import { KindlingError } from "@kindling/core-spec";

/** Settings of Linux that forbid user namespaces, and how to change them. */
const SWITCHES = [
  {
    path: "/proc/sys/kernel/unprivileged_userns_clone",
    forbids: "0",
    fix: "sysctl -w kernel.unprivileged_userns_clone=1",
  },
  { path: "/proc/sys/user/max_user_namespaces", forbids: "0", fix: "sysctl -w user.max_user_namespaces=15000" },
  {
    path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    forbids: "1",
    fix: "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  },
] as const;

/** The error for a machine that cannot run pods at all. */
export function notLinux(platform: string): KindlingError {
  const message = `pods can run as processes on Linux only, and this is ${platform}`;
  return new KindlingError("UNSUPPORTED", message, { hint: "use a Linux machine, or WSL 2" });
}

/** The error for a machine that refused to make a container, with the known reason. */
export function cannotContain(complaint: string): KindlingError {
  const forbidding = SWITCHES.find(({ path, forbids }) => setting(path) === forbids);
  const hint =
    forbidding === undefined
      ? "inside of a container engine, start the container with --privileged; elsewhere, let users have namespaces"
      : `as root: ${forbidding.fix}`;
  const message = `pods cannot run as processes: this machine does not let them have namespaces of their own: ${complaint}`;
  return new KindlingError("UNSUPPORTED", message, { hint });
}

function setting(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
