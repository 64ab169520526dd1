import { homedir, tmpdir } from "node:os";
import type { Access } from "../request.ts";

/** System properties of the JVM that have a meaning without one. */
export function systemProperties(user: string, cwd: string, access: Access): Record<string, string> {
  const everywhere = { "user.name": user, "file.separator": "/", "path.separator": ":" };
  return access === "nothing"
    ? everywhere
    : { ...everywhere, "user.home": homedir(), "user.dir": cwd, "java.io.tmpdir": tmpdir() };
}
