import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Env } from "@kindling/outside";

const FILE = "defaults.conf";

/**
 * Files with configuration entries for all submissions from this machine, the strongest first: the user's file, below
 * XDG_CONFIG_HOME (XDG Base Directory Specification), then the file of the machine's administrator.
 */
export function siteDefaults(env: Env): readonly string[] {
  const { XDG_CONFIG_HOME: given = "", HOME: home, KINDLING_SITE_CONFIG: site } = env;
  const own = isAbsolute(given) ? given : join(home || homedir(), ".config");
  return [join(own, "kindling", FILE), site === undefined || site === "" ? join("/etc/kindling", FILE) : site];
}
