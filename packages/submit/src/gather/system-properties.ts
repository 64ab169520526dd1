import { homedir, tmpdir, userInfo } from "node:os";
import { systemUser } from "./user.ts";

const EVERYWHERE = { "file.separator": "/", "path.separator": ":" };

/**
 * System properties of spark-submit's JVM that also have a meaning without a JVM: the values that the JVM takes from the
 * system, overridden by its command line.
 *
 * @param definitions the `-D` of its command line
 */
export function systemProperties(
  cwd: string,
  definitions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...EVERYWHERE,
    "user.name": systemUser(),
    "user.home": homeOfUser(),
    "user.dir": cwd,
    // HotSpot asks macOS and uses no variable.
    "java.io.tmpdir": process.platform === "darwin" ? tmpdir() : "/tmp",
    ...definitions,
  };
}

/** The same for a submission that may not read this machine. */
export function systemPropertiesOf(user: string): Readonly<Record<string, string>> {
  return { ...EVERYWHERE, "user.name": user };
}

/** From the system's list of users, not from HOME. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}
