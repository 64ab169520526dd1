import { KindlingError } from "@kindling/core-spec";

/**
 * Pods run as processes of this machine, in namespaces that only Linux has.
 *
 * @throws KindlingError `UNSUPPORTED` elsewhere
 */
export function requireLinux(platform: NodeJS.Platform): void {
  if (platform === "linux") return;
  throw new KindlingError("UNSUPPORTED", `kindling dev runs pods as processes of Linux, and this is ${platform}`, {
    hint: "run it in a container with Node, Java 17 and Python 3: the README of @kindling/dev has the commands",
  });
}
