import { execFileSync } from "node:child_process";

/**
 * What Spark's script gets from the command line of a server, by a real shell: its options by name, and its configuration by
 * key. For one key the last entry wins.
 */
export function confOfCommand(command: string): Readonly<Record<string, string>> {
  const script = `set -- ${command}; printf '%s\\0' "$@"`;
  const env = { POD_IP: "10.1.2.3", SPARK_HOME: "/opt/spark", PATH: process.env["PATH"] ?? "" };
  const [program = "", ...words] = execFileSync("bash", ["--norc", "-c", script], { env, encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
  const conf: Record<string, string> = { program };
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [option = "", value = ""] = words.slice(at, at + 2);
    if (option === "--conf") conf[value.slice(0, value.indexOf("="))] = value.slice(value.indexOf("=") + 1);
    else conf[option] = value;
  }
  return conf;
}
