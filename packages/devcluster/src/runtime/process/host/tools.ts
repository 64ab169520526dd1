import { accessSync, constants } from "node:fs";
import { KindlingError } from "@kindling/core-spec";

const NEEDED = {
  sh: "a POSIX shell",
  setpriv: "util-linux",
  unshare: "util-linux",
  nsenter: "util-linux",
  mount: "util-linux",
  umount: "util-linux",
  pivot_root: "util-linux",
  mkfifo: "coreutils",
  env: "coreutils",
  hostname: "hostname",
} as const;

/** The programs of this machine that make and end containers, as absolute paths. */
export type Tools = Readonly<Record<keyof typeof NEEDED, string>>;

// Containers see these folders too, so a tool found here can also be used inside.
const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** @throws KindlingError if one is missing */
export function findTools(): Tools {
  const found = Object.keys(NEEDED).map((name) => [name, pathOf(name)] as const);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length === 0) return Object.fromEntries(found) as Tools;
  const packages = [...new Set(missing.map((name) => NEEDED[name as keyof typeof NEEDED]))];
  const message = `pods cannot run as processes: this machine has no ${missing.join(", ")} in ${FOLDERS.join(", ")}`;
  throw new KindlingError("UNSUPPORTED", message, { hint: `install ${packages.join(" and ")}` });
}

function pathOf(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
