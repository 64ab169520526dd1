import { homedir, tmpdir, userInfo } from "node:os";
import { systemUser } from "./user.ts";

const EVERYWHERE = { "file.separator": "/", "path.separator": ":" };

/**
 * System properties of spark-submit's JVM that have a meaning without one: what the JVM takes from the system, and over
 * that what it is told.
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
    // HotSpot asks macOS, and goes by no variable.
    "java.io.tmpdir": process.platform === "darwin" ? tmpdir() : "/tmp",
    ...definitions,
  };
}

/** The same where this machine may not be asked. */
export function systemPropertiesOf(user: string): Readonly<Record<string, string>> {
  return { ...EVERYWHERE, "user.name": user };
}

/** As the system's list of users has it, and not HOME. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}
