import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Env } from "@kindling/outside";

const FILE = "defaults.conf";

/**
 * Files of configuration entries that hold for all submissions from this machine, the strongest first: the user's, below
 * XDG_CONFIG_HOME (XDG Base Directory Specification), then those of whoever runs the machine.
 */
export function siteDefaults(env: Env): readonly string[] {
  const { XDG_CONFIG_HOME: given = "", HOME: home, KINDLING_SITE_CONFIG: site } = env;
  const own = isAbsolute(given) ? given : join(home || homedir(), ".config");
  return [join(own, "kindling", FILE), site === undefined || site === "" ? join("/etc/kindling", FILE) : site];
}
